"""What leaves stamping is paper: nothing on it can be filled in, moved or taken off."""

from io import BytesIO

import pikepdf
import pytest

from domain.seal.seal import Sample
from domain.session.submission import FieldValue, Signature, SignatureKind, SubmittedContent
from domain.shared.ids import FileId, SessionId
from layout.engine import render
from layout.zones.zone import ZONES
from pades.prepare_seal import prepare_seal
from stamping.stamp_job import SignerSubmission, StampJob, stamp_pages
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
