"""Texts with runs: faces, links and underlines, as they lie on pages. Specification 2.7."""

from itertools import pairwise

import pytest
from pydantic import ValidationError

from layout.blocks.rich_text import rich_text
from layout.engine import check, render
from layout.frames import Frame, Rule, Text
from layout.schema.block_document import BlockDocument
from layout.schema.issues import WarningKind
from layout.schema.part import FILLED
from layout.schema.runs import MAX_RUNS, Run
from layout.text.fonts import Face, TextStyle
from layout.text.spans import Span
from layout.theme_styles import INK
from tests.layout.documents import document, laid_out
from tests.layout.even_fonts import items_of

BODY = TextStyle(Face.REGULAR, 10, 14, INK)
BOLD, ITALIC = {"bold": True}, {"italic": True}
SENTENCE = "The tenant keeps the boathouse dry, aired and in good repair, and returns it as it was found. "


def runs(*parts: object) -> list[dict[str, object]]:
    """A text for each string, with the members of the dictionary after it."""
    written: list[dict[str, object]] = []
    for part in parts:
        if isinstance(part, dict):
            written[-1] |= part
        else:
            written.append({"text": part})
    return written


def frame_of(text: object, kind: str = "paragraph") -> Frame:
    (placed,) = laid_out(document({"type": kind, "text": text})).bodies[0].placed
    return placed.frame


def texts(frame: Frame) -> list[tuple[str, Face]]:
    return [(text.text, text.style.face) for text in items_of(frame, Text)]


def test_runs_have_their_faces_and_their_places_follow_one_another() -> None:
    frame = frame_of(runs("See ", "bold", BOLD, ", ", "italic", ITALIC, " and ", "both", BOLD | ITALIC, "."))
    assert texts(frame) == [
        ("See ", Face.REGULAR),
        ("bold", Face.BOLD),
        (", ", Face.REGULAR),
        ("italic", Face.ITALIC),
        (" and ", Face.REGULAR),
        ("both", Face.BOLD_ITALIC),
        (".", Face.REGULAR),
    ]
    places = [(text.x, text.width) for text in items_of(frame, Text)]
    for (x, width), (after, _) in pairwise(places):
        assert x + width == pytest.approx(after, abs=0.01)


def test_runs_in_a_bold_text_are_bold_too() -> None:
    frame = frame_of(runs("A ", "word", ITALIC), "heading")
    assert texts(frame) == [("A ", Face.BOLD), ("word", Face.BOLD_ITALIC)]


@pytest.mark.parametrize("text", [SENTENCE * 3, "העברית " * 60, "日本語の文章です。" * 20, "लिखित क्षत्रिय " * 30])
def test_runs_of_one_face_are_laid_out_as_a_string(text: str) -> None:
    parts = runs(*(text[at : at + 9] for at in range(0, len(text), 9)))
    assert (
        render(document({"type": "paragraph", "text": parts}), ()).pdf
        == render(document({"type": "paragraph", "text": text}), ()).pdf
    )
    bold = [run | BOLD for run in parts]
    assert (
        render(document({"type": "paragraph", "text": bold}), ()).pdf
        == render(document({"type": "paragraph", "text": text, "bold": True}), ()).pdf
    )


def test_a_link_is_underlined_up_to_the_end_of_each_line() -> None:
    link = {"link": "https://example.com/ä?a=1"}
    frame = frame_of(runs("Before ", SENTENCE * 2, link, "after"))
    linked = [text for text in items_of(frame, Text) if text.link]
    assert {text.link for text in linked} == {"https://example.com/%C3%A4?a=1"}
    assert "".join(text.text for text in linked) == SENTENCE * 2
    assert len(items_of(frame, Rule)) == len(linked) == 2
    assert all(rule.x + rule.w <= 483.1 for rule in items_of(frame, Rule))


def test_a_document_with_runs_has_the_same_pages_when_it_is_only_checked() -> None:
    written = document(*({"type": "paragraph", "text": runs(SENTENCE * 5, SENTENCE * 5, BOLD)} for _ in range(9)))
    assert check(written, ()).page_count == render(written, ()).page_count == 3


def test_a_mark_belongs_to_the_letter_before_it_and_a_line_break_is_one() -> None:
    found = rich_text((Run(text="cafe", bold=True), Run(text="\u0301 au\r"), Run(text="\nlait")), BODY)
    assert found.text == "café au\nlait"
    assert found.spans == (Span(0, 4, face=Face.BOLD),)


def test_letters_without_a_face_are_warned_of_once_a_text() -> None:
    written = document(
        {"type": "paragraph", "text": runs("Ελληνικά и кириллица", ITALIC, " العقد", ITALIC, "العقد", ITALIC)},
        {"type": "bulletList", "items": ["x", runs("太字", BOLD, "斜体", ITALIC)]},
    )
    found = [(warning.kind, warning.path) for warning in render(written, ()).warnings]
    assert found == [
        (WarningKind.MISSING_FACE, "/blocks/0/text/1/italic"),
        (WarningKind.MISSING_FACE, "/blocks/1/items/1/1/italic"),
    ]


def test_marks_after_one_letter_are_counted_over_runs() -> None:
    written = document({"type": "paragraph", "text": runs("a", *(["\u0302"] * 9))})
    assert [issue.kind.value for issue in render(written, ()).issues] == ["too-many-marks"]


@pytest.mark.parametrize(
    "link",
    [
        *("http://example.com", "javascript:alert(1)", "https://", "https://a b", "ftp://example.com", "//example.com"),
        *("https://bank.example@evil.example", 'https://example.com/"', "mailto:", "mailto:ada", "data:text/html,x"),
        *("https://example.com/\u202e", "https://example.com/{{{x}}}", "https:\\\\example.com", " https://example.com"),
    ],
)
def test_other_addresses_are_refused(link: str) -> None:
    with pytest.raises(ValidationError, match="https:// or mailto:"):
        Run(text="x", link=link)


@pytest.mark.parametrize(
    "link", ["https://example.com", "HTTPS://example.com/a?b#c", "mailto:ada@example.com?subject=x"]
)
def test_addresses_of_pages_and_mailboxes_are_taken(link: str) -> None:
    assert Run(text="x", link=link).link == link


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ([], "at least 1"),
        (runs(*["x"] * (MAX_RUNS + 1)), "at most 200"),
        (runs(" ", "\n"), "must not be blank"),
        (runs("x" * 300, "x" * 300), "at most 500 characters"),
        (runs(""), "at least 1 character"),
        ([{"text": "x", "size": 3}], "Extra inputs"),
    ],
)
def test_texts_with_runs_have_the_limits_of_strings(text: object, message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        document({"type": "heading", "text": text})


def test_runs_of_a_filled_template_may_be_empty() -> None:
    written = {"format": "blocks", "title": "T", "blocks": [{"type": "paragraph", "text": runs("", "")}]}
    assert BlockDocument.model_validate(written, context=FILLED).blocks
