"""White space that may break a line. No-break spaces are part of a text, and stay."""

import re

_BREAKABLE = re.compile(r"[ \t\n\v\f\r\x1c-\x1f\x85\u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000]+")


def collapse_spaces(text: str) -> str:
    """Returns `text` without white space at its ends, and with one space for each run of it between words."""
    return _BREAKABLE.sub(" ", text).strip(" ")
