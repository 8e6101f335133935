"""Rules of the specification that no other file of these tests covers. Specification 2.7, 2.8, 7.3, 8."""

import pytest

from layout.engine import Rendered, render
from layout.schema.block_document import BlockDocument
from layout.schema.issues import IssueKind
from layout.zone import Zone, ZoneType
from tests.layout.documents import KEYS, Written, document, field, paragraph, row, signature, text_field
from tests.layout.pictures import PICTURES
from tests.layout.reading import text_of

OF_SIGNATURES = {ZoneType.SIGNER_NAME, ZoneType.DATE_SIGNED, ZoneType.SIGNATURE}


def laid_out(*blocks: Written) -> Rendered:
    return render(document(*blocks), KEYS, PICTURES)


def zone(block: Written) -> Zone:
    (found,) = laid_out(block).zones
    return found


def shown(block: Written) -> str:
    pdf = laid_out(block).pdf
    assert pdf is not None
    return " ".join(text_of(pdf).split())


def test_the_zones_of_a_signature_block_are_required_and_bound_to_its_recipient() -> None:
    zones = laid_out(signature(recipient="consultant")).zones
    assert {one.type for one in zones} == OF_SIGNATURES
    assert {(one.recipient, one.required) for one in zones} == {("consultant", True)}


@pytest.mark.poppler
@pytest.mark.parametrize("type_", sorted(set(ZoneType) - OF_SIGNATURES))
def test_required_defaults_to_true_for_every_type_except_checkbox(type_: ZoneType) -> None:
    assert zone(field(type_.value)).required == (type_ is not ZoneType.CHECKBOX)
    assert ("Label *" in shown(field(type_.value))) == (type_ is not ZoneType.CHECKBOX)


@pytest.mark.poppler
def test_a_placeholder_is_kept_in_the_zone_and_not_printed() -> None:
    assert zone(field("dropdown", placeholder="Choose")).placeholder == "Choose"
    assert "Choose" not in shown(field("dropdown", placeholder="Choose"))


def test_the_zone_of_a_date_has_a_format() -> None:
    formats = [field("date"), field("date", dateFormat="MM/YY"), field("text")]
    assert [zone(one).date_format for one in formats] == ["DD/MM/YYYY", "MM/YY", None]


ISSUES: list[tuple[IssueKind, BlockDocument]] = [
    (IssueKind.TITLE_TOO_LONG, document(paragraph("x"), title="A title so long that it would wrap to a second line")),
    (IssueKind.OUT_OF_BOUNDS, document({"type": "heading", "text": "\n" * 498 + "xx"})),
    (IssueKind.ZONE_OUT_OF_BOUNDS, document(field("checkbox", options=["Yes", "so long " * 3000]))),
    (IssueKind.UNKNOWN_RECIPIENT, document(text_field("x", recipient="nobody"))),
    (IssueKind.DUPLICATE_FIELD_NAME, document(text_field("x"), text_field("x"))),
    (IssueKind.UNKNOWN_IMAGE, document({"type": "image", "fileId": "gone"})),
    (IssueKind.IMAGE_TOO_TALL, document({"type": "image", "fileId": "tall", "width": 100})),
    (IssueKind.TOO_MANY_MARKS, document(paragraph("e" + "\u0301" * 9))),
    (IssueKind.TOO_MANY_CHARACTERS, document(paragraph("".join(map(chr, range(0x4E00, 0x4E00 + 5_001)))))),
    (IssueKind.TOO_MANY_TEXTS, document(*[{"type": "bulletList", "items": ["x"] * 50}] * 100, paragraph("x"))),
    (IssueKind.TOO_MANY_PAGES, document(paragraph("x"), *[paragraph("x" + "\n" * 49_000 + "x")] * 2)),
    (IssueKind.INVALID_REFERENCE, document({"type": "paragraph", "text": [{"ref": "gone"}]})),
    (IssueKind.TOKENS_IN_SESSION, document(paragraph("for {{{client}}}"))),
]


@pytest.mark.parametrize(("kind", "written"), ISSUES, ids=lambda one: one.value if isinstance(one, IssueKind) else "")
def test_each_kind_of_issue_has_page_message_and_path_and_prevents_the_pdf(
    kind: IssueKind, written: BlockDocument
) -> None:
    rendered = render(written, KEYS, PICTURES)
    (issue,) = rendered.issues
    assert issue.kind is kind
    assert 1 <= issue.page <= rendered.page_count
    assert issue.message.endswith(".")
    assert issue.path.startswith(("/title", "/blocks/"))
    assert rendered.pdf is None


def test_the_kinds_of_issues_are_those_of_the_specification() -> None:
    others = {IssueKind.UNDECLARED_VARIABLE, IssueKind.NOT_A_SIGNER}  # of templates, and of requests with roles
    assert {kind for kind, _ in ISSUES} | others == set(IssueKind)
    assert {kind.value for kind in IssueKind} == {
        "title-too-long", "out-of-bounds", "zone-out-of-bounds", "unknown-recipient", "duplicate-field-name",
        "unknown-image", "image-too-tall", "tokens-in-session", "undeclared-variable", "not-a-signer",
        "too-many-marks", "too-many-characters", "too-many-texts", "too-many-pages",
        "invalid-reference",
    }  # fmt: skip


def test_five_hundred_blocks_of_every_kind_are_laid_out() -> None:
    eight: list[Written] = [
        {"type": "heading", "text": "x"},
        paragraph("word " * 50),
        {"type": "bulletList", "items": ["one", "two"]},
        {"type": "spacer", "height": 20},
        {"type": "image", "fileId": "small"},
        signature(),
        {"type": "pageBreak"},
        paragraph("x"),
    ]
    blocks = [
        block
        for at in range(50)
        for block in (*eight, field("text", f"A{at}"), row(field("date", f"B{at}"), field("radio", f"C{at}")))
    ]
    rendered = laid_out(*blocks)
    assert len(blocks) == 500
    assert rendered.issues == ()
    assert len(rendered.zones) == 50 * (3 + 1 + 2)


def test_the_longest_and_the_most_of_everything_fits() -> None:
    options = [f"Option {at}" for at in range(20)]
    rendered = laid_out(
        {"type": "heading", "text": "x" * 500},
        {"type": "bulletList", "items": ["x"] * 50},
        field("radio", "A", options=options),
        field("checkbox", "B", options=options),
        signature("x" * 100),
        *(paragraph("Text", fontSize=size) for size in (7, 24)),
        *({"type": "spacer", "height": height} for height in (1, 600)),
    )
    assert rendered.issues == ()
