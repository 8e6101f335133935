"""The files that are written: sound, the same every time, and with text that comes out as it went in."""

import pickle
import re

import pytest

from layout.engine import page_count, render
from layout.pdf.pymupdf_file import open_file
from layout.schema.block_document import BlockDocument
from layout.schema.part import FILLED
from layout.text.characters import plain_characters, prepare_text
from tests.layout.documents import KEYS, checkbox, document, heading, paragraph, rendered_pdf, signature, text_field
from tests.layout.reading import about, check, fonts_of, text_of

BLOCKS = (
    heading("1. Services (all)"),
    paragraph(
        "The Consultant provides services – for €7,200 – to the Client.\nZażółć gęślą jaźń. Ελληνικά. Съешь ещё."
    ),
    text_field("Company"),
    checkbox("Agreed"),
    signature(),
    {"type": "pageBreak"},
    heading("2. Fees"),
    paragraph("Bold and small", bold=True, fontSize=8, muted=True, align="right"),
)


@pytest.fixture(scope="module")
def agreement() -> bytes:
    return rendered_pdf(*BLOCKS, subtitle="Between two parties")


def bookmarks(pdf: bytes) -> list[tuple[str, int]]:
    with open_file(pdf) as file:
        return [(title, page) for _, title, page in file.get_toc()]


def test_the_file_is_sound_has_two_pages_a_language_and_a_bookmark_for_each_heading(agreement: bytes) -> None:
    check(agreement)
    assert page_count(agreement) == 2
    with open_file(agreement) as file:
        assert file.xref_get_key(file.pdf_catalog(), "Lang") == ("string", "en")
    assert bookmarks(agreement) == [("1. Services (all)", 1), ("2. Fees", 2)]
    assert bookmarks(rendered_pdf(paragraph("Text"))) == []


@pytest.mark.poppler
def test_the_text_can_be_copied_in_reading_order(agreement: bytes) -> None:
    first, second, _ = text_of(agreement).split("\f")

    assert first.splitlines() == [
        "Agreement",
        "Between two parties",
        "1. Services (all)",
        "The Consultant provides services – for €7,200 – to the Client.",
        "Zażółć gęślą jaźń. Ελληνικά. Съешь ещё.",
        "Company *",
        "Agreed",
        "Client",
        "Name",
        "Date signed",
        "Signature",
        "Agreement — page 1 of 2",
    ]
    assert second.splitlines()[2:] == ["2. Fees", "Bold and small", "Agreement — page 2 of 2"]


@pytest.mark.poppler
def test_lines_that_were_broken_keep_their_spaces() -> None:
    text = "word after word " * 40
    assert " ".join(text.split()) in " ".join(text_of(rendered_pdf(paragraph(text))).split())


@pytest.mark.poppler
def test_all_fonts_are_embedded_subset_and_readable(agreement: bytes) -> None:
    fonts = fonts_of(agreement)
    assert len(fonts) == 2
    for font in fonts:
        assert re.match(r"[A-Z]{6}\+FiraGO-(Regular|Bold) .*\byes yes yes\b", font), font


@pytest.mark.poppler
def test_the_file_has_the_title_and_no_times(agreement: bytes) -> None:
    facts = about(agreement)
    assert (facts["Title"], facts["Pages"], facts["Page size"]) == ("Agreement", "2", "595 x 842 pts (A4)")
    assert not {"CreationDate", "ModDate"} & facts.keys()


def test_the_same_document_gives_the_same_bytes_and_another_one_another_identifier(agreement: bytes) -> None:
    assert rendered_pdf(*BLOCKS, subtitle="Between two parties") == agreement
    one, other = (re.search(rb"/ID\[<(\w{32})>", rendered_pdf(paragraph(text))) for text in "ab")
    assert one
    assert other
    assert one[1] != other[1]


def test_a_result_can_be_sent_to_another_process() -> None:
    rendered = render(document(*BLOCKS), KEYS)
    assert pickle.loads(pickle.dumps(rendered)) == rendered  # noqa: S301  # our own bytes


@pytest.mark.poppler
def test_every_character_that_can_be_drawn_comes_out_as_it_went_in() -> None:
    """Well over a thousand characters in one document: several fonts of one face."""
    letters = sorted({prepare_text(chr(code)) for code in plain_characters() if chr(code).isalnum()})
    lines = ["".join(letters[at : at + 40]) for at in range(0, len(letters), 40)]
    pdf = rendered_pdf(paragraph("\n".join(lines)))
    check(pdf)
    assert len(letters) > 1_000
    assert set(lines) <= set(text_of(pdf).splitlines())


@pytest.mark.parametrize("unseen", ["\u200c", "\u200d", "\u200f", "\ufe0f", "\u2066\u2069"])
def test_texts_of_nothing_but_unseen_characters_make_files_like_others(unseen: str) -> None:
    blocks = [paragraph(unseen), paragraph(f"{unseen}\nand a line"), heading(f"{unseen}\nAnd a line")]
    body = {"format": "blocks", "title": "Agreement", "subtitle": unseen, "footerLabel": unseen, "blocks": blocks}
    pdf = render(BlockDocument.model_validate(body, context=FILLED), KEYS).pdf
    assert pdf is not None
    check(pdf)
