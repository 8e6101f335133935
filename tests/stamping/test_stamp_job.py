"""What leaves stamping is paper: nothing on it can be filled in, moved or taken off."""

from base64 import b64encode
from datetime import date
from io import BytesIO

import pikepdf
import pytest

from domain.seal.seal import Sample
from domain.session.submission import FieldValue, Signature, SignatureKind, SubmittedContent
from domain.shared.ids import FileId, SessionId
from layout.engine import ZoneValue, render
from layout.zones.zone import ZONES, Zone, ZoneOption, ZoneType
from pades.prepare_seal import prepare_seal
from stamping.stamp_job import SignerSubmission, StampJob, stamp_pages, zone_values_of
from tests.builders import NOON, identifier
from tests.layout.documents import KEYS, checkbox, document, paragraph, signature, text_field
from tests.layout.reading import text_of

FILE = FileId(identifier("file"))


def stamped() -> bytes:
    rendered = render(
        document(
            paragraph("See https://example.com/terms"),
            text_field("Order", name="order"),
            checkbox("Agreed"),
            signature(),
        ),
        KEYS,
    )
    assert rendered.pdf
    content = SubmittedContent(
        recipient_key="client",
        values=(
            FieldValue(file_id=FILE, name="order", value="PO-7"),
            FieldValue(file_id=FILE, name="agreed", value="true"),
        ),
        signature=Signature(kind=SignatureKind.TYPED, text="Ada"),
        consent_version="1",
    )
    return stamp_pages(
        StampJob(
            session_id=SessionId(identifier("session")),
            file_id=FILE,
            pdf=rendered.pdf,
            zones=ZONES.dump_json(rendered.zones),
            signed={"client": SignerSubmission("Ada", NOON, NOON.date(), content)},
        )
    )


@pytest.mark.poppler
def test_there_is_no_form_and_no_annotation_but_links() -> None:
    pdf = stamped()
    with pikepdf.open(BytesIO(pdf)) as opened:
        assert "/AcroForm" not in opened.Root
        kinds = {str(annotation.Subtype) for page in opened.pages for annotation in page.get("/Annots", ())}
    assert kinds <= {"/Link"}
    assert "PO-7" in text_of(pdf)


def test_the_only_field_after_sealing_is_the_seal_which_shows_nothing() -> None:
    with pikepdf.open(BytesIO(prepare_seal(stamped(), 1000, Sample()).pdf)) as opened:
        (field,) = opened.Root.AcroForm.Fields
        others = [kind for page in opened.pages for kind in page.get("/Annots", ()) if kind.Subtype == "/Widget"]
        assert (str(field.FT), str(field["/T"])) == ("/Sig", "Seal")
        assert [float(edge) for edge in field.Rect] == [0, 0, 0, 0]
        assert [widget.objgen for widget in others] == [field.objgen]
        assert "/AP" not in field


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
        signed={"ada": SignerSubmission(signatory, NOON, NOON.date(), content)},
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
        session_id=SessionId(identifier("session")), file_id=FILE, pdf=b"", zones=b"", signed={"ada": signed}
    )
    place = zone(ZoneType.DATE_SIGNED)
    assert zone_values_of(order, [place]) == (ZoneValue(place, text="24/11/2026"),)
