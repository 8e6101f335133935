"""Placeholders for variables in the texts of a template, called tokens. Specification 2.11.

A token is the name of a variable in triple braces; white space around the name is ignored. Text with braces inside is
no token.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

_TOKEN = re.compile(r"\{\{\{([^{}]*)\}\}\}")


class Token(NamedTuple):
    """A token: as written, the name of its variable, and its position in the text."""

    written: str
    name: str
    start: int
    end: int


def tokens_in(text: str) -> tuple[Token, ...]:
    """Returns the tokens of `text` in order."""
    if "{{{" not in text:
        return ()
    return tuple(Token(token[0], token[1].strip(), token.start(), token.end()) for token in _TOKEN.finditer(text))


def fill(text: str, values: Mapping[str, str]) -> str:
    """Returns `text` with each token replaced by its value. Tokens inside values are not replaced.

    Raises `KeyError` if a token has no value.
    """
    return _TOKEN.sub(lambda token: values[token[1].strip()], text)
