"""What was submitted becomes one mark for each zone, as its type is drawn."""

from base64 import b64encode
from datetime import date

import pytest

from application.stamping.stamp_job import SignerSubmission, StampJob
from application.stamping.zone_values import zone_values_of
from domain.session.submission import FieldValue, Signature, SignatureKind, SubmittedContent
from domain.shared.ids import FileId, SessionId
from layout.engine import ZoneValue
from layout.zone import Zone, ZoneOption, ZoneType
from tests.builders import NOON, VERIFY_URL, identifier

FILE = FileId(identifier("file"))
DAYS = tuple(ZoneOption(text=text, x=56, y=300, w=11, h=11) for text in ("Monday", "Friday"))


def zone(kind: ZoneType, options: tuple[ZoneOption, ...] = ()) -> Zone:
    return Zone(
        name="x", type=kind, label="It", recipient="ada", page=1, x=56, y=300, w=200, h=20, required=True,
        path="/blocks/0", options=options,
    )  # fmt: skip


def marks(
    place: Zone, value: str | tuple[str, ...] = "", png: bytes | None = None, name: str = "x", signatory: str = "Ada"
) -> tuple[ZoneValue, ...]:
    """The marks of a file with that zone, when Ada has submitted that value."""
    image = None if png is None else b64encode(png).decode()
    content = SubmittedContent(
        recipient_key="ada",
        values=(FieldValue(file_id=FILE, name=name, value=value, png_base64=image),),
        signature=Signature(kind=SignatureKind.TYPED, text="Ada"),
        consent_version="1",
    )
    order = StampJob(
        session_id=SessionId(identifier("session")), file_id=FILE, pdf=b"", zones=b"",
        signed={"ada": SignerSubmission(signatory, NOON, NOON.date(), content)}, verify_url=VERIFY_URL,
    )  # fmt: skip
    return zone_values_of(order, [place])


TEXTS = [
    ZoneType.TEXT, ZoneType.MULTILINE_TEXT, ZoneType.DATE, ZoneType.NUMBER, ZoneType.EMAIL, ZoneType.AU_MOBILE,
    ZoneType.INITIALS,
]  # fmt: skip


@pytest.mark.parametrize("kind", TEXTS)
def test_a_text_is_written_as_it_was_kept(kind: ZoneType) -> None:
    place = zone(kind)
    assert marks(place, "First\nSecond") == (ZoneValue(place, text="First\nSecond"),)


@pytest.mark.parametrize("kind", [*TEXTS, ZoneType.DROPDOWN])
def test_where_nothing_was_filled_in_nothing_is_drawn(kind: ZoneType) -> None:
    assert marks(zone(kind), "") == ()


def test_the_chosen_option_is_written_into_a_dropdown() -> None:
    place = zone(ZoneType.DROPDOWN, DAYS)
    assert marks(place, "Friday") == (ZoneValue(place, text="Friday"),)


def test_the_chosen_option_of_round_buttons_is_chosen() -> None:
    place = zone(ZoneType.RADIO, DAYS)
    assert marks(place, "Friday") == (ZoneValue(place, chosen=("Friday",)),)
    assert marks(place, "") == ()


def test_every_ticked_option_is_chosen() -> None:
    place = zone(ZoneType.CHECKBOX, DAYS)
    assert marks(place, ("Monday", "Friday")) == (ZoneValue(place, chosen=("Monday", "Friday")),)
    assert marks(place, ()) == ()


def test_one_box_is_ticked_or_not() -> None:
    place = zone(ZoneType.CHECKBOX)
    assert marks(place, "true") == (ZoneValue(place, ticked=True),)
    assert marks(place, "false") == ()


def test_drawn_initials_are_a_picture() -> None:
    place = zone(ZoneType.INITIALS)
    assert marks(place, "", png=b"png") == (ZoneValue(place, image=b"png"),)


def test_a_zone_without_a_value_stays_empty() -> None:
    assert marks(zone(ZoneType.TEXT), "elsewhere", name="y") == ()


@pytest.mark.parametrize(("name", "shown"), [("Ada", "Ada"), ("محمد", "\u2068محمد\u2069")])
def test_small_print_says_who_signed_when_and_in_which_session_each_in_its_own_direction(name: str, shown: str) -> None:
    (signature,) = marks(zone(ZoneType.SIGNATURE), signatory=name)
    assert signature.text == "Ada"
    assert signature.small_print == f"{shown} · 2026-06-12T12:00:00.000Z · {identifier('session')}"


def test_the_date_is_the_day_of_signing_where_that_was() -> None:
    content = SubmittedContent(
        recipient_key="ada", values=(), signature=Signature(kind=SignatureKind.TYPED, text="Ada"), consent_version="1"
    )
    signed = SignerSubmission("Ada", NOON, date(2026, 11, 24), content)
    order = StampJob(
        session_id=SessionId(identifier("session")), file_id=FILE, pdf=b"", zones=b"", signed={"ada": signed},
        verify_url=VERIFY_URL,
    )  # fmt: skip
    place = zone(ZoneType.DATE_SIGNED)
    assert zone_values_of(order, [place]) == (ZoneValue(place, text="24/11/2026"),)
