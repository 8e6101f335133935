"""Strings that content streams show as text, and the codes in them (ISO 32000-2, 7.3.4 and 9.4.3)."""

import re
from dataclasses import dataclass

SPACES = rb"\0\t\n\x0c\r "
_CHARACTER = rb"[^()\\]|\\(?:[4-7][0-7]{0,1}+(?![0-7])|[^4-7])"
"""A character of a string, or its code in octal, below 256."""

INNER = _CHARACTER + rb"|\((?:" + _CHARACTER + rb"|\((?:" + _CHARACTER + rb")*+\))*+\)"
_STRINGS = re.compile(rb"(\((?:" + INNER + rb")*+\))|<([0-9A-Fa-f" + SPACES + rb"]*+)>", re.DOTALL)
_BLANKS = re.compile(rb"[" + SPACES + rb"]++")
_ESCAPE = re.compile(rb"\\(?:([0-7]{1,3})|\r\n|\r|\n|(.))", re.DOTALL)
_CODES = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f"}
"""The bytes that escapes in strings stand for (7.3.4.2), but for those that stand for themselves."""

_PAIR = 2


@dataclass(frozen=True, slots=True)
class Font:
    """A font: the bytes that its strings may have, None if that is any, and the bytes of a code, 0 if they vary."""

    codes: bytes | None = None
    size: int = 1
    is_type3: bool = False

    def has_codes(self, operands: bytes) -> bool:
        """Returns whether all strings among the operands of a text operator consist of codes of the font."""
        if self.size != _PAIR and self.codes is None:
            return True
        for literal, digits in _STRINGS.findall(operands):
            shown = bytes.fromhex(_BLANKS.sub(b"", digits).decode()) if digits else literal[1:-1]
            if b"\\" in literal:
                shown = _ESCAPE.sub(_code, shown)
            unknown = b"" if self.codes is None else shown.translate(None, self.codes)
            if unknown or (self.size == _PAIR and len(shown) % _PAIR):
                return False
        return True


def _code(escape: re.Match[bytes]) -> bytes:
    if escape[1]:
        return bytes([int(escape[1], 8) & 255])
    return _CODES.get(escape[2], escape[2]) if escape[2] else b""
