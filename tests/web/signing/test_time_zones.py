"""The day of signing, in the time zone of the recipient's browser or of the organisation."""

from datetime import timedelta
from typing import Any

import pytest

from application.stamping.stamp_job import StampJob
from domain.ports.database import Organisation
from domain.session.materials import Materials
from domain.session.session import Session
from domain.shared.times import LocalDate
from tests.builders import ORGANISATION
from tests.fakes.processes import InlinePool
from tests.web.desk import Desk, field, filled_in
from tests.web.html import Page

FIRST, LAST = "Pacific/Kiritimati", "Etc/GMT+12"
"""There are 26 hours between their clocks, so their days always differ."""


async def signed(desk: Desk, session: Session, zone: str | None) -> LocalDate:
    """The day on which Ada has signed, her browser naming `zone`; None: it names none."""
    ada = await desk.come_in(session)
    await ada.post({**filled_in(session), "timeZone": zone})
    day = desk.recipient(session, "ada").signed_on
    assert day is not None
    return day


@pytest.mark.parametrize("zone", [FIRST, LAST])
async def test_the_day_is_the_one_where_the_recipient_is(desk: Desk, zone: str, session: Session) -> None:
    day = await signed(desk, session, zone)
    at = desk.recipient(session, "ada").completed_at
    assert at is not None
    assert day == LocalDate(date=(at + timedelta(hours=(14 if zone == FIRST else -12))).date(), time_zone=zone)


@pytest.mark.parametrize(
    "zone", [None, "", "Etc/Unknown", "+10:00", "australia/sydney", "../../etc/passwd", "\x00", "é" * 9000]
)
async def test_without_a_zone_that_is_known_it_is_the_one_where_the_organisation_is(
    desk: Desk, zone: str | None
) -> None:
    await desk.organisations.add(Organisation(ORGANISATION, "Northwind Trading", FIRST))
    assert (await signed(desk, (await desk.send()), zone)).time_zone == FIRST


async def test_an_organisation_has_utc_unless_it_is_set(desk: Desk) -> None:
    assert (await signed(desk, await desk.send(), None)).time_zone == "UTC"


async def test_the_history_and_the_materials_name_the_day(desk: Desk, session: Session) -> None:
    day = await signed(desk, session, FIRST)

    now = desk.session(session)
    (signatory,) = Materials.of(now, now.files[0]).signatories
    history = await desk.rows.find_history(ORGANISATION, session.session_id)
    assert history is not None
    details = [event.details for event in history.events if "dateSigned" in event.details]
    assert (signatory.signed_on, signatory.date_signed) == (day, day.date)
    assert [(one["dateSigned"], one["timeZone"]) for one in details] == [(day.date.isoformat(), FIRST)]


class WitnessedPool(InlinePool):
    """Keeps the orders of pages."""

    def __init__(self) -> None:
        self.orders: list[StampJob] = []

    async def run(self, function: Any, *arguments: Any) -> Any:
        self.orders += [one for one in arguments if isinstance(one, StampJob)]
        return await super().run(function, *arguments)


async def test_a_review_shows_the_day_that_signing_would_print(desk: Desk) -> None:
    pool = WitnessedPool()
    desk.serve(pool=pool)
    session = await desk.send_rendered()
    ada = await desk.come_in(session)
    filled = filled_in(session, **{field(session, "address"): "drawn in no other test"})
    dates = []
    for zone in (FIRST, LAST):
        page = Page((await ada.post({**filled, "act": "review", "timeZone": zone})).text)
        (address,) = [str(picture["src"]) for picture in page.all("img") if "/review/" in str(picture["src"])]
        await ada.browser.get(address)
        dates.append(pool.orders[-1].signed["ada"].signed_on)
        assert page.form()["timeZone"] == zone
    assert dates[0] > dates[1]
