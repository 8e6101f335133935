"""Addresses in paragraphs can be clicked, and are links to somebody who has the page read aloud."""

from typing import Any

import pytest

from layout.blocks.find_links import find_links
from layout.frames import Rule, Text
from layout.pdf.pymupdf_file import open_file
from layout.text.fonts import ShippedFonts
from layout.text.wrap_text import wrap
from layout.theme_styles import Theme
from tests.layout.documents import document, laid_out, paragraph, rendered_pdf
from tests.layout.reading import check, structure_of, text_of


def pdf_of(text: str) -> bytes:
    return rendered_pdf(paragraph(text))


def clickable(pdf: bytes) -> list[tuple[int, str, Any]]:
    with open_file(pdf) as file:
        return [(page.number + 1, link["uri"], link["from"]) for page in file for link in page.get_links()]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("see https://example.com/terms.", ["https://example.com/terms"]),
        ("(http://example.com/a_(b)), and", ["http://example.com/a_(b)"]),
        ("write to mailto:office@example.com!", ["mailto:office@example.com"]),
        ("“https://example.com/x”", ["https://example.com/x"]),
        ("https://example.com/straße", ["https://example.com/stra%C3%9Fe"]),
        ("https://a.example https://b.example", ["https://a.example", "https://b.example"]),
        ("HTTPS://EXAMPLE.COM", ["HTTPS://EXAMPLE.COM"]),
        ("see [https://example.com/a].", ["https://example.com/a"]),
        ("(https://example.com/a.).", ["https://example.com/a"]),
        ("https://example.com/a — or https://b.example/?q=1—", ["https://example.com/a", "https://b.example/?q=1"]),
        ("詳細（https://example.com/a）を、https://b.example。", ["https://example.com/a", "https://b.example"]),
        (
            "انظر \u2068https://example.com/a\u2069، أو https://b.example؟",
            ["https://example.com/a", "https://b.example"],
        ),
        ("‹https://example.com/a›", ["https://example.com/a"]),
        ("ftp://example.com, javascript:alert(1), example.com", []),
        ("https:// and mailto: and http:///", []),
    ],
)
def test_addresses_are_found_without_the_sentence_around_them(text: str, found: list[str]) -> None:
    assert [link.target for link in find_links(text)] == found


def test_a_link_can_be_clicked_where_its_text_stands() -> None:
    pdf = pdf_of("Our terms are at https://example.com/terms and hold.")
    ((page, target, area),) = clickable(pdf)
    (frame,) = (placed for placed in laid_out(document(paragraph("Our terms are at "))).bodies[0].placed)
    (before,) = (item for item in frame.frame.items if isinstance(item, Text))
    assert (page, target) == (1, "https://example.com/terms")
    assert frame.x + before.width < area.x0 < area.x1 < 350
    assert area.y0 < frame.y + before.y < area.y1
    check(pdf)


@pytest.mark.poppler
def test_the_text_of_a_linked_paragraph_is_the_same() -> None:
    text = "Our terms are at https://example.com/terms and hold.\nSo are https://example.com/prices."
    assert [line.strip() for line in text_of(pdf_of(text)).splitlines()][1:3] == text.split("\n")


@pytest.mark.poppler
def test_a_link_over_two_lines_is_one_link_with_two_areas() -> None:
    long = "https://example.com/" + "path/" * 40
    pdf = pdf_of(f"See {long} for all.")
    assert [target for _, target, _ in clickable(pdf)] == [long] * 3
    lines = [line.strip() for line in structure_of(pdf)]
    assert sum(line.startswith("Link") for line in lines) == 1


@pytest.mark.poppler
def test_a_link_is_read_as_a_link_in_its_sentence() -> None:
    lines = [line.strip() for line in structure_of(pdf_of("See https://example.com for all."))]
    at = next(at for at, line in enumerate(lines) if line.startswith("Link"))
    assert lines[at - 1] == '"See "'
    assert '"https://example.com"' in lines[at + 1 : at + 3]
    assert '" for all."' in lines


def test_links_go_on_after_a_page_break() -> None:
    pdf = pdf_of("word " * 900 + "https://example.com/end " + "word " * 20)
    assert [(page, target) for page, target, _ in clickable(pdf)] == [(2, "https://example.com/end")]


def test_a_link_is_underlined() -> None:
    (placed,) = laid_out(document(paragraph("See https://example.com for all."))).bodies[0].placed
    (split_at_links,) = (item for item in placed.frame.items if isinstance(item, Text) and item.link)
    (line,) = (item for item in placed.frame.items if isinstance(item, Rule))
    assert (line.x, line.w) == (split_at_links.x, split_at_links.width)
    assert split_at_links.y < line.y < split_at_links.y + 2


@pytest.mark.poppler
def test_a_link_in_a_text_from_right_to_left_is_as_wide_as_its_address() -> None:
    pdf = pdf_of("התנאים בכתובת https://example.com/terms תקפים.")
    ((_, target, area),) = clickable(pdf)
    (address,) = wrap("https://example.com/terms", Theme().body(None, bold=False, muted=False), 400, ShippedFonts())
    assert target == "https://example.com/terms"
    assert area.x1 - area.x0 == pytest.approx(address.width, abs=2)  # shaped letters are kerned
    assert "https://example.com/terms" in text_of(pdf)


@pytest.mark.poppler
def test_a_shaped_text_with_links_is_drawn_once() -> None:
    text = "条款见（https://example.com/terms），价格见（https://example.com/prices）。"
    assert "".join(text_of(pdf_of(text)).split()).count(text) == 1
