"""Lines in letters of equal width: ten characters fit."""

import pytest

from layout.text.wrap_text import wrap
from tests.layout.even_fonts import EVEN, TEN

WIDTH = 100.0


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("one two three four", ["one two ", "three four"]),  # at the last space that fits
        ("one\n\ntwo", ["one", "", "two"]),
        ("", [""]),
        ("abcdefghijklmnopqrstuvwxyz", ["abcdefghij", "klmnopqrst", "uvwxyz"]),
        ("https://a.example/path", ["https://a.", "example/", "path"]),  # a long word rather after punctuation
        ("one two   three", ["one two   ", "three"]),  # spaces in a row indent no line
        ("  one", ["  one"]),
    ],
)
def test_text_is_broken_at_spaces_newlines_and_punctuation(text: str, lines: list[str]) -> None:
    assert [line.text for line in wrap(text, TEN, WIDTH, EVEN)] == lines


def test_a_character_wider_than_the_line_still_gets_a_line_and_spaces_are_kept() -> None:
    assert [line.text for line in wrap("ab", TEN, 5, EVEN)] == ["a", "b"]
    assert "".join(line.text for line in wrap(" " * 25, TEN, WIDTH, EVEN)) == " " * 25


def test_a_line_has_its_width_without_the_space_of_the_break() -> None:
    (line,) = wrap("ten lettrs", TEN, WIDTH, EVEN)
    assert (line.text, line.width, line.ends_paragraph) == ("ten lettrs", 100, True)
    first, second = wrap("eight in ten", TEN, WIDTH, EVEN)
    assert (first.text, first.width) == ("eight in ", 80)  # 8 characters, the ninth hangs
    assert (second.text, second.width) == ("ten", 30)


def test_the_last_line_of_a_paragraph_ends_it() -> None:
    assert [line.ends_paragraph for line in wrap("one two three\nfour", TEN, WIDTH, EVEN)] == [False, True, True]
