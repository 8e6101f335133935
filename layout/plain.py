"""Plain text: characters that stand beside one another, one glyph each, from left to right.

Such text needs no shaping: its width is a sum and its bytes are its characters. Everything else is shaped.
"""

import re
import unicodedata
from functools import cache

from layout.fonts import Face, characters_of

_RIGHT_TO_LEFT = frozenset({"R", "AL", "AN", "RLE", "RLO", "LRE", "LRO", "PDF", "RLI", "LRI", "FSI", "PDI"})
_NO_MARK_OF_THEIR_OWN = frozenset({"Mn", "Mc", "Me", "Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_JOINING = (range(0x0900, 0x0980), range(0x0E00, 0x0E80), range(0x1CD0, 0x1D00), range(0xA8E0, 0xA900))


def is_plain(text: str) -> bool:
    """Whether every character of `text`, which is ready to draw, is plain; a newline is."""
    return text.isascii() or plain_texts().fullmatch(text) is not None


@cache
def plain_characters() -> frozenset[int]:
    """The code points that are set one beside the other, in every face of the family, and the newline."""
    shared = frozenset.intersection(*(characters_of(face) for face in Face))
    return frozenset({ord("\n"), *(code for code in shared if _stands_alone(code))})


@cache
def plain_texts() -> re.Pattern[str]:
    """Matches texts of plain characters."""
    return re.compile(f"[{''.join(re.escape(chr(code)) for code in sorted(plain_characters()))}]*")


def _stands_alone(code: int) -> bool:
    character = chr(code)
    return (
        unicodedata.category(character) not in _NO_MARK_OF_THEIR_OWN
        and unicodedata.bidirectional(character) not in _RIGHT_TO_LEFT
        and not any(code in block for block in _JOINING)
    )
