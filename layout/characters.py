"""Which characters the engine can draw, and how texts are made ready for drawing.

Drawn are the scripts in which one character is one letter beside the last: Latin, Greek, Cyrillic, Georgian, with
punctuation, currencies and symbols, as far as the shipped family has them. Scripts whose letters join, stack or run
from right to left would come out wrong, so they are named here and refused before anything is laid out.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache

from layout.document import BlockDocument, InputField, PageBreak, SignatureBlock
from layout.document import Heading as HeadingPart
from layout.document import Paragraph as ParagraphPart
from layout.fonts import Face, characters_of

UNKNOWN = "?"

_SAME = {
    **dict.fromkeys((*range(0x2000, 0x200B), 0x205F, 0x3000, ord("\t")), " "),  # spaces of all widths
    0x202F: "\u00a0",  # the narrow space that does not break
    **dict.fromkeys((0x00AD, 0x200B, 0x2060, 0xFEFF)),  # hints that stand for no mark on paper
    0x2010: "-",
    0x2011: "-",
    **dict.fromkeys((0x2028, 0x2029, 0x0085, 0x000B, 0x000C), "\n"),
}
_RIGHT_TO_LEFT = frozenset({"R", "AL", "AN", "RLE", "RLO", "LRE", "LRO", "PDF", "RLI", "LRI", "FSI", "PDI"})
_NO_MARK_OF_THEIR_OWN = frozenset({"Mn", "Mc", "Me", "Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_JOINING = (range(0x0900, 0x0980), range(0x0E00, 0x0E80), range(0x1CD0, 0x1D00), range(0xA8E0, 0xA900))
_PLAIN = re.compile(r"[ -~\n]*")


def ready(text: str) -> str:
    """`text` as it is drawn: composed (NFC), with plain spaces and line ends, without invisible hints.

    Whoever did not ask `undrawable` first finds `UNKNOWN` in place of what cannot be drawn.
    """
    if _PLAIN.fullmatch(text):
        return text
    composed = _composed(text)
    good = drawable()
    if good.issuperset(map(ord, composed)):
        return composed
    return "".join(character if ord(character) in good else UNKNOWN for character in composed)


def on_one_line(text: str) -> str:
    """`text` ready to draw, its line breaks as spaces."""
    return ready(text).replace("\n", " ")


def undrawable(text: str) -> str:
    """The characters of `text` that the engine cannot draw correctly, each once, in order; usually none."""
    if _PLAIN.fullmatch(text):
        return ""
    good = drawable()
    return "".join(dict.fromkeys(character for character in _composed(text) if ord(character) not in good))


def undrawable_texts(document: BlockDocument) -> tuple[tuple[str, str], ...]:
    """For each text of `document` with such characters its JSON pointer and the characters."""
    found = ((path, undrawable(text)) for path, text in texts_of(document))
    return tuple((path, characters) for path, characters in found if characters)


def texts_of(document: BlockDocument) -> Iterator[tuple[str, str]]:
    """Every text of `document` that is shown to somebody, with its JSON pointer, in reading order."""
    yield "/title", document.title
    if document.subtitle is not None:
        yield "/subtitle", document.subtitle
    if document.footer_label is not None:
        yield "/footerLabel", document.footer_label
    for index, block in enumerate(document.blocks):
        path = f"/blocks/{index}"
        if isinstance(block, HeadingPart | ParagraphPart):
            yield f"{path}/text", block.text
        elif isinstance(block, InputField | SignatureBlock):
            yield f"{path}/label", block.label
            if isinstance(block, InputField) and block.placeholder is not None:
                yield f"{path}/placeholder", block.placeholder
        elif isinstance(block, PageBreak) and block.header is not None:
            yield f"{path}/header/title", block.header.title
            if block.header.subtitle is not None:
                yield f"{path}/header/subtitle", block.header.subtitle


@cache
def drawable() -> frozenset[int]:
    """The code points that come out right in every face, and the newline."""
    shared = frozenset.intersection(*(characters_of(face) for face in Face))
    return frozenset({ord("\n"), *(code for code in shared if _stands_alone(code))})


def _composed(text: str) -> str:
    return unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n").translate(_SAME))


def _stands_alone(code: int) -> bool:
    character = chr(code)
    return (
        unicodedata.category(character) not in _NO_MARK_OF_THEIR_OWN
        and unicodedata.bidirectional(character) not in _RIGHT_TO_LEFT
        and not any(code in block for block in _JOINING)
    )
