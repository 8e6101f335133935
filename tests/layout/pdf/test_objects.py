"""The files that are written: sound, the same every time, and with text that comes out as it went in."""

import hashlib
import pickle
import re
import subprocess
import sys

import pytest

from layout.engine import page_count, render
from layout.pdf.existing_file import open_file
from layout.schema.block_document import FILLED, BlockDocument
from layout.text.characters import plain_characters, prepare_text
from tests.layout.documents import KEYS, checkbox, document, paragraph, signature, text_field
from tests.layout.reading import about, check, fonts_of, text_of

AGREEMENT = document(
    {"type": "heading", "text": "1. Services (all)"},
    paragraph(
        "The Consultant provides services – for €7,200 – to the Client.\nZażółć gęślą jaźń. Ελληνικά. Съешь ещё."
    ),
    text_field("Company"),
    checkbox("Agreed"),
    signature(),
    {"type": "pageBreak"},
    {"type": "heading", "text": "2. Fees"},
    paragraph("Bold and small", bold=True, fontSize=8, muted=True, align="right"),
    subtitle="Between two parties",
)


def pdf_of(written: BlockDocument) -> bytes:
    rendered = render(written, KEYS)
    assert rendered.pdf is not None, rendered.issues
    return rendered.pdf


def bookmarks(pdf: bytes) -> list[tuple[str, int]]:
    with open_file(pdf) as file:
        return [(title, page) for _, title, page in file.get_toc()]  # type: ignore[attr-defined]


def test_qpdf_finds_nothing_wrong() -> None:
    check(pdf_of(AGREEMENT))


@pytest.mark.poppler
def test_the_text_can_be_copied_in_reading_order() -> None:
    first, second, _ = text_of(pdf_of(AGREEMENT)).split("\f")

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

    assert " ".join(text.split()) in " ".join(text_of(pdf_of(document(paragraph(text)))).split())


@pytest.mark.poppler
def test_all_fonts_are_embedded_subset_and_readable() -> None:
    fonts = fonts_of(pdf_of(AGREEMENT))

    assert len(fonts) == 2
    for font in fonts:
        assert re.match(r"[A-Z]{6}\+FiraGO-(Regular|Bold) .*\byes yes yes\b", font), font


@pytest.mark.poppler
def test_the_file_has_the_title_and_no_times() -> None:
    facts = about(pdf_of(AGREEMENT))

    assert facts["Title"] == "Agreement"
    assert facts["Pages"] == "2"
    assert facts["Page size"] == "595 x 842 pts (A4)"
    assert "CreationDate" not in facts
    assert "ModDate" not in facts


def test_the_file_opens_with_a_bookmark_for_each_heading() -> None:
    assert bookmarks(pdf_of(AGREEMENT)) == [("1. Services (all)", 1), ("2. Fees", 2)]


def test_a_document_without_headings_has_no_bookmarks() -> None:
    assert bookmarks(pdf_of(document(paragraph("Text")))) == []


def test_the_file_names_its_language() -> None:
    with open_file(pdf_of(AGREEMENT)) as file:
        assert file.xref_get_key(file.pdf_catalog(), "Lang") == ("string", "en")


def test_pages_are_counted_by_opening_the_file() -> None:
    assert page_count(pdf_of(AGREEMENT)) == 2


def test_the_same_document_gives_the_same_bytes() -> None:
    assert pdf_of(AGREEMENT) == pdf_of(AGREEMENT)


def test_another_document_gets_another_identifier() -> None:
    one, other = (re.search(rb"/ID\[<(\w{32})>", pdf_of(document(paragraph(text)))) for text in "ab")

    assert one is not None
    assert other is not None
    assert one[1] != other[1]


def test_another_process_gives_the_same_bytes() -> None:
    program = (
        "import sys, hashlib; from layout.engine import render; "
        "from layout.schema.block_document import BlockDocument; "
        "written = BlockDocument.model_validate_json(sys.stdin.read()); "
        "print(hashlib.sha256(render(written, ['client']).pdf).hexdigest())"
    )
    answer = subprocess.run(  # our own program
        [sys.executable, "-c", program],
        input=AGREEMENT.model_dump_json(by_alias=True, exclude_unset=True),
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONHASHSEED": "7", "PYTHONPATH": "."},
    )

    assert answer.stdout.strip() == hashlib.sha256(pdf_of(AGREEMENT)).hexdigest()


def test_a_result_can_be_sent_to_another_process() -> None:
    rendered = render(AGREEMENT, KEYS)

    assert pickle.loads(pickle.dumps(rendered)) == rendered  # noqa: S301  # our own bytes


@pytest.mark.poppler
def test_every_character_that_can_be_drawn_comes_out_as_it_went_in() -> None:
    """Well over a thousand characters in one document: several fonts of one face."""
    letters = sorted({prepare_text(chr(code)) for code in plain_characters() if chr(code).isalnum()})
    lines = ["".join(letters[at : at + 40]) for at in range(0, len(letters), 40)]

    pdf = pdf_of(document(paragraph("\n".join(lines))))

    check(pdf)
    assert len(letters) > 1_000
    assert set(lines) <= set(text_of(pdf).splitlines())


@pytest.mark.parametrize("unseen", ["\u200c", "\u200d", "\u200f", "\ufe0f", "\u2066\u2069"])
def test_texts_of_nothing_but_unseen_characters_make_files_like_others(unseen: str) -> None:
    blocks = [
        paragraph(unseen),
        paragraph(f"{unseen}\nand a line"),
        {"type": "heading", "text": f"{unseen}\nAnd a line"},
    ]
    body = {"format": "blocks", "title": "Agreement", "subtitle": unseen, "footerLabel": unseen, "blocks": blocks}
    pdf = render(BlockDocument.model_validate(body, context=FILLED), KEYS).pdf
    assert pdf is not None
    check(pdf)
