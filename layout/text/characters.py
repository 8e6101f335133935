"""Characters that the engine can draw, preparation of texts for drawing, and plain text.

A character can be drawn if one of the fonts has a glyph for it (see `layout.text.font_fallback`). Characters without a
glyph, control characters and directional overrides are rejected before layout: a printed text must match the stored
one.

Plain text consists of characters that stand side by side from left to right, one glyph each. It needs no shaping: its
width is a sum. All other text is shaped.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import groupby

from domain.texts.code_points import code_point
from domain.texts.combining_marks import normalized
from layout.captions import captions_of
from layout.schema.block_document import BlockDocument
from layout.text.font_fallback import fallback_fonts, han_of
from layout.text.fonts import Face, Han, ShippedFonts

_RANGES = """
20-7E A0-AC AE-2B2 2B4 2B7-2BC 2BF-2C0 2C6-2C8 2CA-2CC 2CE-2D1 2D4 2D6-2DE 2E0-2E9 2EE 370-377 37A-37F
384-38A 38C 38E-3A1 3A3-3E1 3F0-479 48A-52F 609-60A 60C 66A 6F0-6F9 10D0-10FF 1D4A 1D6C-1D76 1D7B 1D91 1DBF
1E02-1E05 1E0A-1E0F 1E12-1E13 1E1E-1E1F 1E24-1E25 1E2E-1E2F 1E36-1E37 1E3C-1E41 1E44-1E47 1E4A-1E4D
1E50-1E57 1E5A-1E5B 1E60-1E63 1E6A-1E71 1E78-1E79 1E80-1E85 1E92-1E93 1E9E 1EA0-1EF9 1F00-1F15 1F18-1F1D
1F20-1F45 1F48-1F4D 1F50-1F57 1F59 1F5B 1F5D 1F5F-1F7D 1F80-1FB4 1FB6-1FC4 1FC6-1FD3 1FD6-1FDB 1FDD-1FEF
1FF2-1FF4 1FF6-1FFE 2007-2008 2010-2016 2018-201A 201C-201E 2020-2022 2026 2030 2039-203A 203F 2044 204A
2070 2074-208E 20A1 20A6 20A9-20AC 20AF 20B4 20B9-20BA 20BD-20BE 210A 2113 2116 2122 2126 212E 2153-215F
2190-2199 21E6-21EA 2202 2205-2206 220F 2211-2212 2215 2219-221A 221E 222B 2248 2260 2264-2265 22C5
2326-2328 232B 23CE 23FB-23FE 25AF 25B2 25B4 25B6 25B8 25BA 25BC 25BE 25C0 25C2 25C4 25CA 25CC 25CF 27A1
2981 2B05-2B07 2B58 2C64-2C66 2C6D 2C71-2C73 A789-A78D A7AA A7AD-A7AE A7B2-A7B7 AB53 FB01-FB02 FB29
FD3E-FD3F
"""
"""Hexadecimal code points with a glyph in each face that joins with no other and reads from left to right.

They are listed because computing them would read three fonts. Tests compare the list with the fonts.
"""


def is_plain(text: str) -> bool:
    """Whether `text`, which is prepared for drawing, has only plain characters and newlines."""
    return text.isascii() or plain_texts().fullmatch(text) is not None


@cache
def plain_characters() -> frozenset[int]:
    """Returns the plain code points, with the newline."""
    ends = ([int(end, 16) for end in part.split("-")] for part in _RANGES.split())
    return frozenset({ord("\n"), *(code for first, *last in ends for code in range(first, (last or [first])[0] + 1))})


@cache
def plain_texts() -> re.Pattern[str]:
    return _texts_of(plain_characters())


def _texts_of(codes: frozenset[int]) -> re.Pattern[str]:
    """Returns a pattern that matches texts of these characters."""
    return re.compile(f"[{''.join(re.escape(chr(code)) for code in sorted(codes))}]*")


UNKNOWN = "?"

_IN_ANY_TEXT = {
    ord("\t"): " ",
    **dict.fromkeys((0x00AD, 0x2060, 0xFEFF)),  # invisible hints
    **dict.fromkeys((0x2028, 0x2029, 0x0085, 0x000B, 0x000C), "\n"),
}
_IN_PLAIN_TEXT = {
    **_IN_ANY_TEXT,
    **dict.fromkeys((*range(0x2000, 0x200B), 0x205F, 0x3000), " "),  # spaces of all widths
    0x202F: "\u00a0",  # narrow no-break space
    0x200B: None,
    0x2010: "-",
    0x2011: "-",
}
_REPLACED = re.compile(f"[\r{''.join(re.escape(chr(code)) for code in _IN_PLAIN_TEXT)}]")
_NO_TEXT = frozenset({"Cc", "Cs", "Co", "Cn"})
_TURNING = "\u202d\u202e"
_ASCII = re.compile(r"[ -~\n]*")


def prepare_text(text: str) -> str:
    """Returns `text` as it is drawn: composed (NFC), with normalised line ends and without invisible hints.

    Plain text also gets plain spaces. Characters that cannot be drawn become `UNKNOWN`; `undrawable` finds them.
    """
    if _ASCII.fullmatch(text) or _is_prepared(text):
        return text
    plain = _composed(text, _IN_PLAIN_TEXT)
    return plain if plain_texts().fullmatch(plain) else _drawable(text)


def prepare_texts(parts: Sequence[str]) -> list[str]:
    """Returns the parts of a text as they are drawn. A mark belongs to the part of the letter before it."""
    parts = _with_marks_at_letters(parts)
    prepared = [_composed(part, _IN_PLAIN_TEXT) for part in parts]
    return prepared if plain_texts().fullmatch("".join(prepared)) else list(map(_drawable, parts))


def _with_marks_at_letters(parts: Sequence[str]) -> list[str]:
    moved: list[str] = []
    before = ""  # the last character before a part
    for part in parts:
        first = 0
        while before and first < len(part) and (_is_mark(part[first]) or before + part[first] == "\r\n"):
            before = part[first]
            first += 1
        if first:
            owner = next(at for at in range(len(moved) - 1, -1, -1) if moved[at])
            moved[owner] += part[:first]
        moved.append(part[first:])
        before = part[-1:] or before
    return moved


def _is_mark(character: str) -> bool:
    return not character.isascii() and unicodedata.category(character) in {"Mn", "Mc", "Me"}


def _drawable(text: str) -> str:
    composed = _composed(text, _IN_ANY_TEXT)
    return composed.translate({ord(character): UNKNOWN for character in set(composed) if _is_refused(character)})


def prepare_line(text: str) -> str:
    return prepare_text(text).replace("\n", " ")


def spelled_out(text: str) -> str:
    """Returns `text` with the code points of the characters that cannot be drawn: `a [U+202E] b`.

    Reports use it, whose texts must be found again in the records of the service.
    """
    if not undrawable(text):
        return text
    runs = groupby(_composed(text, _IN_ANY_TEXT), key=_is_refused)
    return "".join(f"[{' '.join(map(code_point, run))}]" if refused else "".join(run) for refused, run in runs)


def undrawable(text: str) -> str:
    """Returns the distinct characters of `text` that the engine cannot draw, in order."""
    if _ASCII.fullmatch(text) or _is_prepared(text):
        return ""
    composed = _composed(text, _IN_ANY_TEXT)
    return "" if plain_texts().fullmatch(composed) else "".join(filter(_is_refused, dict.fromkeys(composed)))


def undrawable_texts(document: BlockDocument) -> tuple[tuple[str, str], ...]:
    """Returns JSON pointer and undrawable characters of each text of `document` that has any."""
    texts = ((path, undrawable(text)) for path, text in document.texts())
    return tuple((path, characters) for path, characters in texts if characters)


MAX_CHARACTERS = 5_000
"""Maximum different characters of a document: each glyph is shaped, and instanced from a variable font, once.

Everyday Chinese has about 3,500.
"""


def fonts_for(document: BlockDocument, *, draws: bool = True) -> ShippedFonts:
    """Returns the fonts of `document`; without `draws`, for measuring only.

    They do not shape a document of too many different characters, which is laid out for its issues only.
    """
    captions = captions_of(document.language) if document.language else ()
    shaped = [text for text in (*(text for _, text in document.texts()), *captions) if not is_plain(text)]
    shapes = (bool(shaped) or document.has_runs) and exceeding_text(document) is None
    return ShippedFonts(han_of(shaped, document.language), draws, shapes, document.language)


def exceeding_text(document: BlockDocument) -> tuple[str, str] | None:
    """Returns JSON pointer and text where the document exceeds `MAX_CHARACTERS`; None if it does not."""
    seen: set[str] = set()
    for path, text in document.texts():
        if not is_plain(text):  # there are fewer plain characters than that
            seen.update(text)
            if len(seen) > MAX_CHARACTERS:
                return path, text
    return None


def _is_prepared(text: str) -> bool:
    """Whether `text` is plain and needs no composition or replacement, as is the case for most texts."""
    return _unchanged().fullmatch(text) is not None and unicodedata.is_normalized("NFC", text)


@cache
def _unchanged() -> re.Pattern[str]:
    return _texts_of(plain_characters() - _IN_PLAIN_TEXT.keys() - {ord("\r")})


def _composed(text: str, same: dict[int, str | None]) -> str:
    if _REPLACED.search(text):
        text = text.replace("\r\n", "\n").replace("\r", "\n").translate(same)
    return normalized("NFC", text)


@lru_cache(maxsize=50_000)
def _is_refused(character: str) -> bool:
    if character == "\n":
        return False
    is_text = character not in _TURNING and unicodedata.category(character) not in _NO_TEXT
    return not (is_text and fallback_fonts(Face.REGULAR, Han.SIMPLIFIED).has(character))
