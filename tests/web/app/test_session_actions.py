"""Buttons on a session's page: each act, and what is said when somebody else was faster."""

from typing import Any

import httpx
import pytest

from domain.audit.events import ActorKind
from domain.callbacks.callback import CallbackStatus, event_id
from domain.session.session import Session, SessionStatus
from domain.shared.errors import Unavailable
from domain.shared.ids import SessionId
from tests.api.callback_log import keep_log
from tests.api.service import OWN
from tests.builders import NOON
from tests.web.app.office import ADA, Office, Visitor
from tests.web.app.test_session_page import logged, path_of


def held(office: Office, made: dict[str, Any]) -> Session:
    return office.service.sessions.held[SessionId(made["sessionId"])]


async def press(visitor: Visitor, made: dict[str, Any], act: str, **form: str) -> httpx.Response:
    return await visitor.press(path_of(made, act), on=path_of(made), **form)


async def last_actor(office: Office, made: dict[str, Any], kind: str) -> tuple[ActorKind, str]:
    events = await office.service.rows.events(OWN.organisation_id, SessionId(made["sessionId"]))
    found = [event.actor for event in events if event.type == kind][-1]
    return found.kind, found.id


BY_ADA = (ActorKind.USER, ADA.user_id)


async def test_a_draft_is_sent_by_the_person(office: Office) -> None:
    made = await office.service.create()
    ada = await office.come_in()

    answer = await press(ada, made, "send")

    assert answer.headers["location"] == f"{path_of(made)}?done=sent"
    assert held(office, made).status is SessionStatus.PENDING
    assert await last_actor(office, made, "session.sent") == BY_ADA
    assert "Sent. The first recipients are being invited" in (await ada.look(answer.headers["location"])).words


async def test_archive_and_restore_are_the_persons_acts(office: Office) -> None:
    made = await office.service.create(sendImmediately=True)
    ada = await office.come_in()

    assert (await press(ada, made, "archive")).headers["location"] == f"{path_of(made)}?done=archived"
    assert held(office, made).status is SessionStatus.CANCELLED
    assert (await press(ada, made, "restore")).headers["location"] == f"{path_of(made)}?done=restored"
    assert held(office, made).status is SessionStatus.PENDING
    assert await last_actor(office, made, "session.archived") == BY_ADA
    assert await last_actor(office, made, "session.restored") == BY_ADA


async def test_a_recipient_is_invited_again(office: Office) -> None:
    made = await office.service.create(sendImmediately=True)
    recipient = made["recipients"][0]["recipientId"]

    answer = await press(await office.come_in(), made, f"recipients/{recipient}/invite")

    assert answer.headers["location"] == f"{path_of(made)}?done=invited"
    assert held(office, made).recipients[0].invitation.number == 2


async def test_whoever_typed_the_name_deletes_for_ever(office: Office) -> None:
    made = await office.service.create()
    ada = await office.come_in()

    answer = await press(ada, made, "delete", name="  consulting   AGREEMENT ")

    assert answer.headers["location"] == "/app?done=deleted"
    assert "Deleted." in (await ada.look(answer.headers["location"])).words
    assert (await ada.browser.get(path_of(made))).status_code == 404


@pytest.mark.parametrize("name", ["", "Consulting", "Consulting agreements"])
async def test_another_name_deletes_nothing(office: Office, name: str) -> None:
    made = await office.service.create()

    answer = await press(await office.come_in(), made, "delete", name=name)

    assert answer.status_code == 422
    assert "That doesn’t match." in answer.text
    assert not held(office, made).is_erased


@pytest.mark.parametrize(
    ("before", "act", "sorry", "words"),
    [
        ("send", "send", "not-a-draft", "no longer a draft"),
        ("archive", "send", "not-a-draft", "no longer a draft"),
        ("archive", "archive", "already-archived", "already archived"),
        ("", "restore", "not-archived", "It’s not archived"),
        ("", "invite", "not-active", "it isn’t open for signing"),
    ],
)
async def test_a_conflict_is_told_kindly(office: Office, before: str, act: str, sorry: str, words: str) -> None:
    made = await office.service.create()
    ada = await office.come_in()
    if before:
        await press(ada, made, before)
    if act == "invite":
        act = f"recipients/{made['recipients'][0]['recipientId']}/invite"

    answer = await press(ada, made, act)

    assert answer.headers["location"] == f"{path_of(made)}?error={sorry}"
    assert words in (await ada.look(answer.headers["location"])).words


async def test_somebody_whose_turn_has_not_come_is_not_invited(office: Office) -> None:
    made = await office.service.create(sendImmediately=True)
    answer = await press(await office.come_in(), made, f"recipients/{made['recipients'][1]['recipientId']}/invite")
    assert answer.headers["location"].endswith("?error=not-their-turn")


async def test_an_engine_that_is_away_is_told_and_nothing_is_lost(office: Office) -> None:
    made = await office.service.create()
    ada = await office.come_in()

    async def away(*_: object) -> Session:
        raise Unavailable

    office.service.sessions.send = away  # type: ignore[method-assign]
    answer = await press(ada, made, "send")

    assert answer.headers["location"].endswith("?error=unavailable")
    assert "doing it twice does no harm" in (await ada.look(answer.headers["location"])).words


async def test_a_callback_is_delivered_again(office: Office) -> None:
    made = await office.service.create(callbackUrl="https://hooks.example.com/x")
    failed = logged(made, 2, status=CallbackStatus.FAILED)
    await keep_log(office.service.database, OWN.organisation_id, made["sessionId"], failed)
    event = event_id(SessionId(made["sessionId"]), "2")

    answer = await press(await office.come_in(), made, f"callbacks/{event}/redeliver")

    assert answer.headers["location"] == f"{path_of(made)}?done=redelivered"
    assert [delivery.event_id for delivery in office.service.deliveries.asked_for] == [event]


async def test_a_paused_receiver_is_resumed(office: Office) -> None:
    made = await office.service.create(callbackUrl="https://hooks.example.com/x")
    paused = logged(made, 2, paused_since=NOON)
    await keep_log(office.service.database, OWN.organisation_id, made["sessionId"], paused)

    answer = await press(await office.come_in(), made, "resume")

    assert answer.headers["location"] == f"{path_of(made)}?done=resumed"
    assert await office.service.callbacks.paused(OWN.organisation_id) == ()


async def test_only_our_own_sentences_are_told(office: Office) -> None:
    assert "won" not in (await (await office.come_in()).look("/app?done=You+have+won&error=%3Cb%3E")).words
