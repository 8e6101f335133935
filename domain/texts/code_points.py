"""Characters by code point and name, for messages: an invisible character can be read there too."""

import unicodedata
from collections.abc import Iterable
from itertools import islice

_MAX_NAMED = 10
_NAMES = {"Cc": "CONTROL CHARACTER", "Cs": "SURROGATE", "Co": "PRIVATE USE", "Cn": "UNASSIGNED"}

DIRECTION_CONTROLS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that set the direction of the text after them, in which a name could be read differently."""


def code_point(character: str) -> str:
    return f"U+{ord(character):04X}"


def named(characters: Iterable[str]) -> str:
    """Returns the code points and names of `characters`, at most ten: `U+202E RIGHT-TO-LEFT OVERRIDE, …`."""
    distinct = list(dict.fromkeys(characters))
    shown = ", ".join(f"{code_point(one)} {_name(one)}" for one in islice(distinct, _MAX_NAMED))
    return shown if len(distinct) <= _MAX_NAMED else f"{shown}, …"


def _name(character: str) -> str:
    return unicodedata.name(character, "") or _NAMES.get(unicodedata.category(character), "UNNAMED")
