"""Which characters the engine can draw, and how texts are made ready for drawing.

Drawn is what any of the fonts has a glyph for (see `layout.text.font_fallback`), in any script. Refused before anything
is laid out are characters without a glyph, control characters, and those that make letters run against their own
direction: a text must not read otherwise than what is stored.
"""

import re
import unicodedata
from functools import cache, lru_cache

from layout.schema.block_document import BlockDocument
from layout.text.font_fallback import fallback_fonts, han_of
from layout.text.fonts import Face, Han, ShippedFonts
from layout.text.plain import is_plain, plain_characters, plain_texts

UNKNOWN = "?"

_IN_ANY_TEXT = {
    ord("\t"): " ",
    **dict.fromkeys((0x00AD, 0x2060, 0xFEFF)),  # hints that stand for no mark on paper
    **dict.fromkeys((0x2028, 0x2029, 0x0085, 0x000B, 0x000C), "\n"),
}
_IN_PLAIN_TEXT = {
    **_IN_ANY_TEXT,
    **dict.fromkeys((*range(0x2000, 0x200B), 0x205F, 0x3000), " "),  # spaces of all widths
    0x202F: "\u00a0",  # the narrow space that does not break
    0x200B: None,
    0x2010: "-",
    0x2011: "-",
}
_REPLACED = re.compile(f"[\r{''.join(re.escape(chr(code)) for code in _IN_PLAIN_TEXT)}]")
_NO_TEXT = frozenset({"Cc", "Cs", "Co", "Cn"})
_TURNING = "\u202d\u202e"
_ASCII = re.compile(r"[ -~\n]*")


def prepare_text(text: str) -> str:
    """`text` as it is drawn: composed (NFC), with plain line ends, without invisible hints; a text that is plain then
    also with plain spaces. What cannot be drawn is `UNKNOWN` to whoever did not ask `undrawable` first.
    """
    if _ASCII.fullmatch(text) or _is_prepared(text):
        return text
    plain = _composed(text, _IN_PLAIN_TEXT)
    if plain_texts().fullmatch(plain):
        return plain
    composed = _composed(text, _IN_ANY_TEXT)
    for character in _refused(composed):
        composed = composed.replace(character, UNKNOWN)
    return composed


def prepare_line(text: str) -> str:
    """`text` ready to draw, its line breaks as spaces."""
    return prepare_text(text).replace("\n", " ")


def undrawable(text: str) -> str:
    """The characters of `text` that the engine cannot draw correctly, each once, in order; usually none."""
    if _ASCII.fullmatch(text) or _is_prepared(text):
        return ""
    composed = _composed(text, _IN_ANY_TEXT)
    return "" if plain_texts().fullmatch(composed) else _refused(composed)


def undrawable_texts(document: BlockDocument) -> tuple[tuple[str, str], ...]:
    """For each text of `document` with such characters its JSON pointer and the characters."""
    found = ((path, undrawable(text)) for path, text in document.texts())
    return tuple((path, characters) for path, characters in found if characters)


def fonts_for(document: BlockDocument, *, draws: bool = True) -> ShippedFonts:
    """The fonts that `document` is set in, or only measured by."""
    shaped = [text for _, text in document.texts() if not is_plain(text)]
    return ShippedFonts(han_of(shaped), draws, shapes=bool(shaped))


def _is_prepared(text: str) -> bool:
    """Whether `text` is plain as it is, with nothing to compose or to replace. Most texts are."""
    return _unchanged().fullmatch(text) is not None and unicodedata.is_normalized("NFC", text)


@cache
def _unchanged() -> re.Pattern[str]:
    """Matches texts of plain characters that stand for themselves."""
    characters = sorted(plain_characters() - _IN_PLAIN_TEXT.keys() - {ord("\r")})
    return re.compile(f"[{''.join(re.escape(chr(code)) for code in characters)}]*")


def _composed(text: str, same: dict[int, str | None]) -> str:
    if _REPLACED.search(text):
        text = text.replace("\r\n", "\n").replace("\r", "\n").translate(same)
    return unicodedata.normalize("NFC", text)


def _refused(text: str) -> str:
    return "".join(filter(_is_refused, dict.fromkeys(text)))


@lru_cache(maxsize=50_000)
def _is_refused(character: str) -> bool:
    if character == "\n":
        return False
    is_text = character not in _TURNING and unicodedata.category(character) not in _NO_TEXT
    return not (is_text and fallback_fonts(Face.REGULAR, Han.SIMPLIFIED).has(character))
