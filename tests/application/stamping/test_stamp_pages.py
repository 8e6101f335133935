"""What leaves stamping is paper: nothing on it can be filled in, moved or taken off."""

from io import BytesIO

import pikepdf
import pymupdf
import pytest

from application.stamping.stamp_job import SignerSubmission, StampJob
from application.stamping.stamp_pages import stamp_pages
from domain.seal.seal import Sample
from domain.session.submission import FieldValue, Signature, SignatureKind, SubmittedContent
from domain.shared.ids import FileId, SessionId
from domain.texts.languages import LANGUAGES
from layout.engine import render
from layout.geometry import BODY_BOTTOM, MARGIN, PAGE_HEIGHT, PAGE_WIDTH
from layout.zone import ZONES
from pades.prepare_seal import prepare_seal
from tests.builders import NOON, VERIFY_URL, identifier
from tests.layout.documents import KEYS, checkbox, document, paragraph, signature, text_field
from tests.layout.reading import text_of

FILE = FileId(identifier("file"))
FOOTER_ENDS = BODY_BOTTOM + 38


def stamped(verify_url: str = VERIFY_URL, language: str | None = None) -> bytes:
    rendered = render(
        document(
            paragraph("See https://example.com/terms"),
            text_field("Order", name="order"),
            checkbox("Agreed"),
            {"type": "pageBreak", "header": None},
            signature(),
            language=language,
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
            verify_url=verify_url,
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


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_page_names_the_session_and_where_to_check_it_once_below_its_footer(language: str) -> None:
    with pymupdf.open("pdf", stamped(language=language)) as file:
        assert file.page_count == 2
        for page in file:
            words = [word for word in page.get_text("words") if word[1] > FOOTER_ENDS]
            read = [word[4] for word in words]
            assert [sum(text in word for word in read) for text in (identifier("session"), VERIFY_URL)] == [1, 1]
            assert min(word[0] for word in words) >= MARGIN
            assert max(word[3] for word in words) <= PAGE_HEIGHT - 14  # printers leave out some 14 points


def test_a_long_address_is_printed_whole() -> None:
    address = f"https://{'signatures.' * 18}example.com/verify"
    with pymupdf.open("pdf", stamped(address)) as file:
        for page in file:
            words = [word for word in page.get_text("words") if word[1] > FOOTER_ENDS]
            assert address in "".join(word[4] for word in words)
            assert max(word[2] for word in words) <= PAGE_WIDTH - MARGIN
            assert max(word[3] for word in words) <= PAGE_HEIGHT - 14


def test_the_line_is_no_content_for_screen_readers_and_pages_without_values_share_it() -> None:
    with pikepdf.open(BytesIO(stamped())) as opened:
        last = [list(page.Contents)[-1] for page in opened.pages]
        assert len({stream.objgen for stream in last}) == 1
        assert last[0].read_bytes().startswith(b"/Artifact BMC")
