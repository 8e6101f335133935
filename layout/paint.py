"""The painter: items as operators of PDF content streams. It decides nothing; where things stand is settled in the
frames.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import sha256

from layout.codes import CLOSE, OPEN, CodePages
from layout.fonts import Face, TextStyle
from layout.frames import Fill, Image, Item, Outline, Placed, Rule, Text, glyphs_of
from layout.geometry import PAGE_HEIGHT, Rect
from layout.images import ImageFile
from layout.pages import Page
from layout.shaped_lines import Glyphs
from layout.theme import Colour


def number(value: float) -> str:
    """A number as PDF writes it, to a hundredth of a point."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if value % 1 else str(int(value))


def texts_by_face(items: Iterable[Item]) -> dict[Face, set[str]]:
    """The characters of plain text that are shown in each face."""
    found: dict[Face, set[str]] = {}
    for item in items:
        if isinstance(item, Text) and glyphs_of(item) is None:
            found.setdefault(item.style.face, set()).update(item.text)
    return found


def shaped_in(items: Iterable[Item]) -> Iterator[Glyphs]:
    """The glyphs of the texts that are shaped."""
    return (glyphs for item in items if isinstance(item, Text) and (glyphs := glyphs_of(item)))


def items_of(pages: Sequence[Page]) -> Iterator[Item]:
    return (item for page in pages for at in page.frames() for item in at.frame.items)


def paint_shape(item: Rule | Outline | Fill | Image, at: Placed) -> str:
    """The operators that draw one item of `at` that is no text."""
    match item:
        case Rule():
            left, y = at.x + item.x, PAGE_HEIGHT - at.y - item.y
            return (
                f"{colour_operands(item.colour)} RG {number(item.thickness)} w "
                f"{number(left)} {number(y)} m {number(left + item.w)} {number(y)} l S"
            )
        case Outline():
            return f"{colour_operands(item.colour)} RG {number(item.thickness)} w {_rectangle(item.rect, at)} S"
        case Fill():
            return f"{colour_operands(item.colour)} rg {_rectangle(item.rect, at)} f"
        case Image():
            rect = item.rect.moved(at.x, at.y)
            corner = f"{number(rect.x)} {number(PAGE_HEIGHT - rect.bottom)}"
            return f"q {number(rect.w)} 0 0 {number(rect.h)} {corner} cm /{name_of(item.file)} Do Q"


@lru_cache(64)
def name_of(image: ImageFile) -> str:
    """The resource name of a picture: the same for the same bytes."""
    return f"I{sha256(image.content).hexdigest()[:16]}"


def images_of(items: Iterable[Item]) -> dict[str, ImageFile]:
    """The pictures by resource name, each once, in the order in which they are first shown."""
    return {name_of(item.file): item.file for item in items if isinstance(item, Image)}


def _rectangle(rect: Rect, at: Placed) -> str:
    corner = f"{number(at.x + rect.x)} {number(PAGE_HEIGHT - at.y - rect.bottom)}"
    return f"{corner} {number(rect.w)} {number(rect.h)} re"


def paint_texts(texts: Sequence[Text], origin: tuple[float, float], codes: CodePages) -> Iterator[str]:
    """One text object for all of `texts`, which are placed from `origin`, a point as PDF counts (upwards)."""
    left, top = origin
    yield "BT"
    style: TextStyle | None = None
    font = ""
    x = y = 0.0
    for text in texts:
        if style is None or text.style.colour != style.colour:
            yield f"{colour_operands(text.style.colour)} rg"
        style = text.style
        # rounded before the difference is taken, so that errors do not add up down the page
        at_x, at_y = round(left + text.x, 2), round(top - text.y, 2)
        move = f"{number(at_x - x)} {number(at_y - y)} Td"
        x, y = at_x, at_y
        glyphs = glyphs_of(text)
        if glyphs is not None:
            font = ""
            yield f"{move} {codes.glyphs.operators(glyphs, style.size)}"
            continue
        for code_page, run in codes.runs(text.text):
            wanted = f"/{codes.font(style.face, code_page)} {style.size:g} Tf"
            change = "" if wanted == font else f"{wanted} "
            font = wanted
            yield f"{change}{move} {OPEN}{run}{CLOSE} Tj"
            move = ""
    yield "ET"


def colour_operands(colour: Colour) -> str:
    """The three numbers before a colour operator."""
    return " ".join(f"{part:.3f}" for part in colour)
