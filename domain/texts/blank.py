"""Whether a text shows something."""

import unicodedata

_UNSEEN = frozenset({"Cf", "Zl", "Zp", "Zs"})
_UNSEEN_SIGNS = frozenset(
    {0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0}
    | {*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)}
)
"""Invisible characters that are letters, marks or symbols in Unicode, such as fillers and variation selectors."""


def is_blank(text: str) -> bool:
    """Returns whether `text` has no visible character."""
    return all(sign.isspace() or unicodedata.category(sign) in _UNSEEN or ord(sign) in _UNSEEN_SIGNS for sign in text)
