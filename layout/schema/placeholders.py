"""Tokens: places in a template's texts where the values of variables go. Specification 2.11.

A token is three braces, the name of a variable, and three braces. White space around the name does not count. Whatever
else stands between the braces is a name that no variable can have; braces between them make it no token but plain text.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

_TOKEN = re.compile(r"\{\{\{([^{}]*)\}\}\}")


class Token(NamedTuple):
    """One token: as it is written, the name in it, and where in its text it stands."""

    written: str
    name: str
    start: int
    end: int


def tokens_in(text: str) -> tuple[Token, ...]:
    """Every token of `text`, in order."""
    if "{{{" not in text:
        return ()
    return tuple(Token(token[0], token[1].strip(), token.start(), token.end()) for token in _TOKEN.finditer(text))


def fill(text: str, values: Mapping[str, str]) -> str:
    """`text` with the value of each token in its place. One pass: what looks like a token in a value stays text.

    Raises:
        KeyError: a token names none of `values`.
    """
    return _TOKEN.sub(lambda token: values[token[1].strip()], text)
