"""Operators of PDF content streams for the items of frames. The layout determines all positions."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby

from layout.frames import Fill, Image, Outline, Pattern, Placed, Ring, Rule, Shape, Stroke, Text, glyphs_of
from layout.geometry import PAGE_HEIGHT, Rect
from layout.ink import overhang
from layout.pdf.used_resources import resource_name
from layout.text.character_codes import CLOSE, OPEN, FontEncoding
from layout.text.fonts import TextStyle
from layout.theme_styles import Colour

_KAPPA = 0.5523  # length of the handles of a Bézier curve for a quarter circle, relative to the radius


@lru_cache(4096)
def number(value: float) -> str:
    """Formats a number for PDF, rounded to hundredths."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if value % 1 else str(int(value))


def paint_shape(item: Shape, at: Placed) -> str:  # noqa: PLR0911  # one for each kind
    """Returns the operators that draw a shape of the frame `at`."""
    match item:
        case Rule():
            left, y = at.x + item.x, PAGE_HEIGHT - at.y - item.y
            return (
                f"{colour_operands(item.colour)} RG {number(item.thickness)} w "
                f"{number(left)} {number(y)} m {number(left + item.w)} {number(y)} l S"
            )
        case Outline():
            return f"{colour_operands(item.colour)} RG {number(item.thickness)} w {_rectangle(item.rect, at)} S"
        case Ring():
            rect = item.rect.moved(at.x, at.y)
            return f"{colour_operands(item.colour)} RG {number(item.thickness)} w {circle(rect)} s"
        case Stroke():
            points = [f"{number(at.x + x)} {number(PAGE_HEIGHT - at.y - y)}" for x, y in item.points]
            path = " ".join((f"{points[0]} m", *(f"{point} l" for point in points[1:])))
            return f"{colour_operands(item.colour)} RG {number(item.thickness)} w 1 J 1 j {path} S 0 J 0 j"
        case Fill():
            return f"{colour_operands(item.colour)} rg {_rectangle(item.rect, at)} f"
        case Image():
            rect = item.rect.moved(at.x, at.y)
            corner = f"{number(rect.x)} {number(PAGE_HEIGHT - rect.bottom)}"
            return f"q {number(rect.w)} 0 0 {number(rect.h)} {corner} cm /{resource_name(item.file)} Do Q"
        case Pattern():
            # one path for all squares, because separately filled shapes would have visible seams between them
            return f"{colour_operands(item.colour)} rg {' '.join(_bars(item, at))} f"


def _bars(pattern: Pattern, at: Placed) -> Iterator[str]:
    """Yields the filled squares of a pattern, adjacent ones of a row as one rectangle."""
    rect = pattern.rect
    height = rect.h / len(pattern.rows)
    for down, row in enumerate(pattern.rows):
        width, across = rect.w / len(row), 0
        for filled, run in groupby(row):
            count = len(tuple(run))
            if filled:
                yield _rectangle(Rect(rect.x + across * width, rect.y + down * height, count * width, height), at)
            across += count


def circle(square: Rect) -> str:
    """Returns the path of the circle inside `square`, which has page coordinates, as four curves."""
    r = square.w / 2
    x, y, k = square.x + r, PAGE_HEIGHT - square.y - r, _KAPPA * r
    left, inner_left, middle, inner_right, right = map(number, (x - r, x - k, x, x + k, x + r))
    bottom, inner_bottom, centre, inner_top, top = map(number, (y - r, y - k, y, y + k, y + r))
    return (
        f"{right} {centre} m "
        f"{right} {inner_top} {inner_right} {top} {middle} {top} c "
        f"{inner_left} {top} {left} {inner_top} {left} {centre} c "
        f"{left} {inner_bottom} {inner_left} {bottom} {middle} {bottom} c "
        f"{inner_right} {bottom} {right} {inner_bottom} {right} {centre} c"
    )


def _rectangle(rect: Rect, at: Placed) -> str:
    corner = f"{number(at.x + rect.x)} {number(PAGE_HEIGHT - at.y - rect.bottom)}"
    return f"{corner} {number(rect.w)} {number(rect.h)} re"


def paint_texts(texts: Sequence[Text], origin: tuple[float, float], encoding: FontEncoding) -> list[str]:
    """Returns one text object for `texts`, whose coordinates are relative to `origin` (in PDF coordinates).

    A text whose ink would reach other lines is a text object of its own, clipped to its line.
    """
    if not encoding.glyphs.by_variant:
        return _text_object(texts, origin, encoding)
    pieces: list[str] = []
    for clip, run in groupby(texts, key=overhang):
        if clip is None:
            pieces += _text_object(tuple(run), origin, encoding)
        else:
            corner = f"{number(origin[0] + clip.x)} {number(origin[1] - clip.bottom)}"
            box = f"{corner} {number(clip.w)} {number(clip.h)} re W n"
            pieces += [f"q {box}", *_text_object(tuple(run), origin, encoding), "Q"]
    return pieces


def _text_object(texts: Sequence[Text], origin: tuple[float, float], encoding: FontEncoding) -> list[str]:
    left, top = origin
    pieces = ["BT"]
    style: TextStyle | None = None
    select = font = ""
    x = y = 0
    for text in texts:
        if text.style is not style:
            if style is None or text.style.colour != style.colour:
                pieces.append(f"{colour_operands(text.style.colour)} rg")
            style = text.style
            select = encoding.select(style, 0)
        # hundredths of a point, rounded before subtraction, so that rounding errors do not accumulate
        at_x, at_y = round(100 * (left + text.x)), round(100 * (top - text.y))
        move = _move(at_x - x, at_y - y)
        x, y = at_x, at_y
        shown = text.text
        if text.glyphs is None and (shown.isascii() or encoding.is_simple):  # fast path for nearly all texts
            pieces.append(
                f"{move}{OPEN}{shown}{CLOSE} Tj" if font == select else f"{select}{move}{OPEN}{shown}{CLOSE} Tj"
            )
            font = select
            continue
        glyphs = glyphs_of(text)
        if glyphs is not None:
            font = ""
            pieces.append(f"{move}{encoding.glyphs.operators(glyphs, style.size)}")
            continue
        for code_page, run in encoding.runs(shown):
            font_operator = encoding.select(style, code_page)
            pieces.append(f"{'' if font_operator == font else font_operator}{move}{OPEN}{run}{CLOSE} Tj")
            font, move = font_operator, ""
    pieces.append("ET")
    return pieces


@lru_cache(4096)
def _move(right: int, up: int) -> str:
    """Returns the operator for a move in hundredths of a point."""
    return f"{number(right / 100)} {number(up / 100)} Td "


@lru_cache(256)
def colour_operands(colour: Colour) -> str:
    """Returns the three operands of a colour operator."""
    return " ".join(f"{part:.3f}" for part in colour)
