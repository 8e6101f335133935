from layout.text.line_breaks import wrap
from tests.layout.even_fonts import EVEN, TEN

WIDTH = 100.0  # ten characters


def lines(text: str, width: float = WIDTH) -> list[str]:
    return [line.text for line in wrap(text, TEN, width, EVEN)]


def test_a_text_that_fits_is_one_line() -> None:
    (line,) = wrap("ten lettrs", TEN, WIDTH, EVEN)
    assert (line.text, line.width, line.ends_paragraph) == ("ten lettrs", 100, True)


def test_a_line_is_broken_at_the_last_space_that_fits() -> None:
    assert lines("one two three four") == ["one two ", "three four"]


def test_the_space_of_a_break_stays_in_the_text_but_takes_no_room() -> None:
    first, second = wrap("eight in ten", TEN, WIDTH, EVEN)
    assert (first.text, first.width) == ("eight in ", 80)  # 8 characters, the ninth hangs
    assert (second.text, second.width) == ("ten", 30)


def test_a_newline_is_a_line_break() -> None:
    first, second = wrap("one\ntwo", TEN, WIDTH, EVEN)
    assert (first.text, first.ends_paragraph) == ("one", True)
    assert (second.text, second.ends_paragraph) == ("two", True)


def test_an_empty_line_stays_a_line() -> None:
    assert lines("one\n\ntwo") == ["one", "", "two"]


def test_an_empty_text_is_one_empty_line() -> None:
    assert lines("") == [""]


def test_only_the_last_line_of_a_paragraph_ends_it() -> None:
    assert [line.ends_paragraph for line in wrap("one two three\nfour", TEN, WIDTH, EVEN)] == [False, True, True]


def test_a_word_longer_than_a_line_is_cut_without_loss() -> None:
    assert lines("abcdefghijklmnopqrstuvwxyz") == ["abcdefghij", "klmnopqrst", "uvwxyz"]


def test_a_long_word_is_rather_broken_after_punctuation() -> None:
    assert lines("https://a.example/path") == ["https://a.", "example/", "path"]


def test_a_character_wider_than_the_line_still_gets_a_line() -> None:
    assert lines("ab", width=5) == ["a", "b"]


def test_spaces_in_a_row_are_kept_and_indent_no_line() -> None:
    assert lines("one two   three") == ["one two   ", "three"]


def test_spaces_before_a_text_indent_it() -> None:
    assert lines("  one") == ["  one"]


def test_a_text_of_spaces_only_is_kept() -> None:
    assert "".join(lines(" " * 25)) == " " * 25
