"""Reads whole numbers that people and programs write. The time of `int` is quadratic in the digits of a text."""

_MAX_DIGITS = 15


def read_whole_number(text: str) -> int | None:
    """Returns the number that `text` writes with at most fifteen digits from 0 to 9; None for any other text."""
    return int(text) if len(text) <= _MAX_DIGITS and text.isascii() and text.isdigit() else None
