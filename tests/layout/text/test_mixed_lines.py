"""Texts in several faces break where a text of one face does."""

from hypothesis import given
from hypothesis import strategies as st

from layout.text.fonts import Face, ShippedFonts, TextStyle
from layout.text.spans import Span, faces_of, faces_within, with_links
from layout.text.wrap_text import width_of, wrap
from layout.theme_styles import INK
from tests.layout.strategies import texts

REGULAR = TextStyle(Face.REGULAR, 10, 14, INK)
BOLD = TextStyle(Face.BOLD, 10, 14, INK)
FONTS = ShippedFonts()
PLAIN = st.text(st.sampled_from("abcdefghi AV.,-–\n éß"), min_size=1, max_size=200)


@given(PLAIN, st.integers(60, 300))
def test_a_plain_text_in_spans_of_one_face_breaks_as_a_text_in_that_face(text: str, width: int) -> None:
    cuts = range(0, len(text), 7)
    spans = tuple(Span(at, min(at + 7, len(text)), face=Face.BOLD) for at in cuts)
    mixed, bold = wrap(text, REGULAR, width, FONTS, spans), wrap(text, BOLD, width, FONTS)
    assert [line.text for line in mixed] == [line.text for line in bold]
    assert all(abs(one.width - other.width) < 1e-6 for one, other in zip(mixed, bold, strict=True))


@given(texts(), st.lists(st.integers(0, 200), max_size=8), st.integers(60, 300))
def test_no_character_is_lost_whatever_the_faces(text: str, cuts: list[int], width: int) -> None:
    places = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
    faces = [*Face] * len(places)
    spans = tuple(
        Span(start, end, face=face) for start, end, face in zip(places, places[1:], faces, strict=False) if start < end
    )
    lines = wrap(text, REGULAR, width, FONTS, spans)
    assert "".join(line.text + "\n" * line.ends_paragraph for line in lines) == text + "\n"
    assert [line.ends_paragraph for line in lines].count(True) == text.count("\n") + 1


def test_spans_without_faces_leave_the_lines_as_they_are() -> None:
    text = "A text with an underlined word, שלום, that takes two lines of this width and a little more of it"
    assert wrap(text, REGULAR, 200, FONTS, (Span(5, 20, underlined=True),)) == wrap(text, REGULAR, 200, FONTS)


def test_a_word_in_two_faces_is_one_word() -> None:
    text = "aaaa bbbbbbbb"
    spans = (Span(9, 13, face=Face.BOLD),)
    room = width_of("aaaa bbbb", REGULAR, FONTS) + 1
    assert [line.text for line in wrap(text, REGULAR, room, FONTS, spans)] == ["aaaa ", "bbbbbbbb"]


def test_faces_fill_the_gaps_between_spans() -> None:
    spans = (Span(2, 4, face=Face.BOLD), Span(4, 5, underlined=True))
    faces = faces_of(9, spans, Face.REGULAR)
    assert faces == ((2, Face.REGULAR), (4, Face.BOLD), (9, Face.REGULAR))
    assert faces_within(faces, 3, 6) == ((1, Face.BOLD), (3, Face.REGULAR))
    assert faces_of(9, (Span(0, 5, underlined=True),), Face.REGULAR) == ()


def test_an_address_in_a_run_becomes_a_link_where_the_run_has_none() -> None:
    spans = (Span(0, 4, face=Face.BOLD), Span(6, 8, target="https://own.example", underlined=True))
    links = (Span(2, 9, "https://found.example", underlined=True),)
    assert with_links(spans, links) == (
        Span(0, 2, face=Face.BOLD),
        Span(2, 4, "https://found.example", Face.BOLD, underlined=True),
        Span(4, 6, "https://found.example", underlined=True),
        Span(6, 8, "https://own.example", underlined=True),
        Span(8, 9, "https://found.example", underlined=True),
    )
