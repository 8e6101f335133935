"""Tokens in the texts of a template: names of variables in triple braces. Specification 2.11."""

import re
from collections.abc import Mapping
from typing import NamedTuple

OPENING = "{{{"
_TOKEN = re.compile(r"\{\{\{([^{}]*)\}\}\}")


class Token(NamedTuple):
    """A token: as written, the name of its variable, and its position in the text."""

    written: str
    name: str
    start: int
    end: int


def tokens_in(text: str) -> tuple[Token, ...]:
    """Returns the tokens of `text` in order."""
    if OPENING not in text:
        return ()
    return tuple(Token(token[0], token[1].strip(), token.start(), token.end()) for token in _TOKEN.finditer(text))


def fill(text: str, values: Mapping[str, str]) -> str:
    """Returns `text` with its tokens replaced by `values`. Tokens in values stay. Raises `KeyError` without a value."""
    return _TOKEN.sub(lambda token: values[token[1].strip()], text)
