"""What a document is to somebody who has it read aloud. ISO 14289-1."""

import re
from typing import Any

import pytest

from layout.engine import ZoneValue, render, stamp
from layout.pdf.pymupdf_file import open_file
from tests.layout.documents import KEYS, checkbox, document, heading, paragraph, rendered_pdf, signature, text_field
from tests.layout.pictures import scrawl
from tests.layout.reading import check, structure_of


def outline(*blocks: dict[str, object], **members: object) -> list[str]:
    """The structure of a document of these blocks, without poppler's remarks on how elements are placed."""
    lines = structure_of(rendered_pdf(*blocks, **members))
    return [re.sub(r" \((block|inline)\):?", "", line) for line in lines]


@pytest.mark.poppler
def test_the_title_is_the_first_heading_and_sections_are_second() -> None:
    shown = outline(heading("1. Services"), paragraph("Text"), subtitle="Between two parties")

    assert shown == [
        "Document",
        "  H1",
        '    "Agreement"',
        "  P",
        '    "Between two parties"',
        "  H2",
        '    "1. Services"',
        "  P",
        '    "Text"',
    ]


@pytest.mark.poppler
def test_a_run_with_a_link_is_a_link_and_other_runs_are_text() -> None:
    runs = [
        {"text": "See "},
        {"text": "the terms", "link": "https://example.com/terms"},
        {"text": " now", "bold": True},
    ]

    shown = outline(paragraph(runs))

    assert shown[-6:] == ["  P", '    "See "', "    Link", '      "the terms"', shown[-2], '    " now"']
    assert "Object" in shown[-2]


@pytest.mark.poppler
def test_header_and_footer_are_not_read_again_on_later_pages() -> None:
    shown = outline(
        paragraph("one"), {"type": "pageBreak"}, paragraph("two"), {"type": "pageBreak"}, paragraph("three")
    )
    assert sum("Agreement" in line for line in shown) == 1
    assert not [line for line in shown if "page 1 of 3" in line]


@pytest.mark.poppler
def test_a_retitled_page_has_its_title_read_and_headings_begin_with_the_first_level_without_a_title() -> None:
    own = {"type": "pageBreak", "header": {"title": "Schedule", "subtitle": "of fees"}}
    shown = outline(paragraph("one"), own, paragraph("two"))
    assert shown[shown.index('    "Schedule"') - 1] == "  H1"
    assert shown[shown.index('    "of fees"') - 1] == "  P"
    shown = outline({"type": "pageBreak", "header": None}, heading("Terms"), paragraph("Text"))
    assert shown[1:3] == ["  H1", '    "Terms"']


@pytest.mark.poppler
@pytest.mark.parametrize(
    ("language", "before", "other", "after", "tag"),
    [
        ("de", "Er sagte ", "שלום עולם", " und ging.", "he"),
        ("ja", "本契約は", "Harbour & Finch A/S", "と締結する。", "und-Latn"),
        ("ar", "مقابل شركة ", "Harbour & Finch A/S", " وذلك", "und-Latn"),
    ],
)
def test_words_of_another_script_are_a_span_with_their_language(
    language: str, before: str, other: str, after: str, tag: str
) -> None:
    words = paragraph(before + other + after)
    shown = outline(words, language=language)
    assert shown[shown.index("  P") + 1 :] == [f'    "{before}"', "    Span", f'      "{other}"', f'    "{after}"']
    assert f"/Lang ({tag})" in everything(rendered_pdf(words, language=language))
    assert "Span" not in everything(rendered_pdf(words))  # the language of the words around is not known


@pytest.mark.poppler
def test_a_paragraph_over_two_pages_is_one_and_words_are_not_joined_where_a_line_ends() -> None:
    shown = outline(paragraph("first\nsecond " + "and then " * 1500))
    assert shown.count("  P") == 1  # over two pages
    assert any("first second" in line for line in shown)
    assert not [line for line in shown if "firstsecond" in line or "andthen" in line or "thenand" in line]


@pytest.mark.poppler
def test_an_input_is_a_form_field_that_says_what_it_is() -> None:
    pdf = rendered_pdf(text_field("Company"), checkbox("Agreed"))
    assert [line.split()[:2] for line in structure_of(pdf) if "Form" in line] == [
        ["Form", "<company>"],
        ["Form", "<agreed>"],
    ]
    assert "(Company: empty)" in everything(pdf)


@pytest.mark.poppler
def test_a_signature_has_a_form_field_for_each_entry_and_its_caption_is_read_by_itself() -> None:
    shown = [line.strip() for line in outline(signature("For the client"))]
    assert [line for line in shown if "Form" in line] == [
        "Form <signature:0:name>",
        "Form <signature:0:date>",
        "Form <signature:0:signature>",
    ]
    assert shown[shown.index('"For the client"') + 1 :][:3] == ["P", '"Name"', "Form <signature:0:name>"]


@pytest.mark.poppler
def test_a_list_is_read_item_by_item() -> None:
    shown = [line.strip() for line in outline({"type": "bulletList", "items": ["one", "two " * 1500]})]
    assert [line for line in shown if line.startswith("L")] == ["L", "LI", "Lbl", "LBody", "LI", "Lbl", "LBody"]
    assert shown[shown.index('"one"') - 2 :][:2] == ['"•"', "LBody"]


def test_every_piece_of_every_page_is_marked_and_leads_back_to_its_element() -> None:
    pdf = rendered_pdf(*[paragraph("word " * 300), signature()] * 3, text_field("Company"))
    with open_file(pdf) as file:
        root = int(file.xref_get_key(file.pdf_catalog(), "StructTreeRoot")[1].split()[0])
        nums = re.findall(r"(\d+) (\d+) 0 R", file.xref_get_key(root, "ParentTree/Nums")[1].strip("[]"))
        assert len(nums) == file.page_count > 1
        for key, number in nums:
            page = file.page_xref(int(key))
            assert file.xref_get_key(page, "StructParents") == ("int", key)
            parents = file.xref_object(int(number), compressed=True)
            stream = file.xref_stream(int(file.xref_get_key(page, "Contents")[1].split()[0]))
            marks = [int(number) for number in re.findall(rb"/MCID (\d+)", stream)]
            assert marks == list(range(parents.count(" 0 R")))
            outside = re.sub(rb"(?s)/\w+ (<<.*?>> BDC|BMC)\n.*?\nEMC", b"", stream)
            assert outside.strip() == b""
    check(pdf)


def test_the_file_says_that_it_is_tagged_and_what_it_follows() -> None:
    with open_file(rendered_pdf(paragraph("Text"), title="Fees & “terms” <1>")) as file:
        catalog = file.pdf_catalog()
        assert file.xref_get_key(catalog, "MarkInfo/Marked") == ("bool", "true")
        assert file.xref_get_key(catalog, "ViewerPreferences/DisplayDocTitle") == ("bool", "true")
        packet = file.get_xml_metadata()
    assert "<pdfuaid:part>1</pdfuaid:part>" in packet
    assert "<pdfaid:part>2</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance>" in packet
    assert "Fees &amp; “terms” &lt;1&gt;" in packet


def everything(pdf: bytes) -> str:
    """All objects as text."""
    with open_file(pdf) as file:
        return "\n".join(file.xref_object(number) for number in range(1, file.xref_length()))


def filled(*blocks: dict[str, object], **values: dict[str, Any]) -> bytes:
    """A document of these blocks with marks in the zones of these names."""
    rendered = render(document(*blocks), KEYS)
    assert rendered.pdf is not None
    return stamp(rendered.pdf, [ZoneValue(zone, **values[zone.name]) for zone in rendered.zones if zone.name in values])


@pytest.mark.poppler
def test_a_value_is_read_in_the_place_of_its_input() -> None:
    pdf = filled(text_field("Company"), paragraph("after"), company={"text": "Zażółć Ltd"})
    lines = [line.strip() for line in structure_of(pdf)]
    assert lines.index('"Zażółć Ltd"') < lines.index('"after"')
    assert lines[lines.index('"Zażółć Ltd"') - 1].startswith(("Form", '""'))
    check(pdf)


def test_an_input_with_a_value_is_no_longer_called_empty() -> None:
    pdf = filled(text_field("Company"), text_field("Place"), company={"text": "Ltd"})
    assert "(Company: empty)" not in everything(pdf)
    assert "(Place: empty)" in everything(pdf)


def test_a_tick_and_a_drawing_are_said_in_words() -> None:
    pdf = filled(
        checkbox("Agreed"),
        signature("For the client"),
        **{"agreed": {"ticked": True}, "signature:1:signature": {"image": scrawl(), "small_print": "Ada, 2026"}},
    )
    assert "(Agreed: ticked)" in everything(pdf)
    assert re.search(r"/checked\s*/on", everything(pdf))
    assert "(For the client, signature: drawn by hand. Ada, 2026)" in everything(pdf)


@pytest.mark.poppler
def test_stamping_twice_reads_both_values() -> None:
    rendered = render(document(text_field("Company"), text_field("Straße")), KEYS)
    assert rendered.pdf is not None
    company, street = rendered.zones
    pdf = stamp(stamp(rendered.pdf, [ZoneValue(company, text="Finch")]), [ZoneValue(street, text="Hauptstraße")])
    lines = [line.strip() for line in structure_of(pdf)]
    assert lines.index('"Finch"') < lines.index('"Hauptstraße"')
