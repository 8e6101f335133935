"""Appearances of annotations that have none, as PDF readers commonly draw them (ISO 32000-2, 12.5.6).

Lines, outlines and marks are drawn from their points in their colour. The words of a text box are set in Courier: its
glyphs are equally wide, so that lines break alike without the metrics of a font.
"""

from collections.abc import Iterator
from decimal import Decimal
from itertools import pairwise

from pikepdf import Array, Dictionary, Name, Object, Pdf, String

Box = tuple[float, float, float, float]

_CURVE = 0.5523
"""Distance of the control points of a Bezier curve that draws a quarter of a circle of radius 1."""

_COLOURS = {1: "g", 3: "rg", 4: "k"}
_MARKS = {"/Highlight", "/Underline", "/StrikeOut", "/Squiggly"}
_SHAPES = {"/Square", "/Circle"}
_PATHS = {"/Line": "/L", "/Polygon": "/Vertices", "/PolyLine": "/Vertices"}
_WIDEST = 100.0
_MAX_NUMBERS = 200_000
_ADVANCE, _LEADING, _PADDING = 0.6, 1.2, 2.0
_SIZES = (12, 11, 10, 9, 8, 7, 6, 5)


def draw_look(pdf: Pdf, annotation: Object) -> bool:
    """Gives an annotation the appearance that readers would draw. Returns False if there is none, or it is unknown."""
    kind, box = str(annotation.get(Name.Subtype)), _box(annotation)
    resources = Dictionary(ExtGState=Dictionary(S=_state(annotation, kind)))
    if kind in _SHAPES:
        drawn = _shape(annotation, kind, box)
    elif kind in _MARKS:
        drawn, box = _marks(annotation, kind, box)
    elif kind == "/FreeText":
        resources.Font = Dictionary(F=_courier())
        drawn = _words(annotation, box)
    else:
        drawn, box = _paths(annotation, kind, box)
    if not drawn:
        return False
    content = f"q /S gs {drawn} Q".encode("latin-1")
    annotation.Rect = Array([round(side, 3) for side in box])
    annotation.AP = Dictionary(
        N=pdf.make_stream(content, Type=Name.XObject, Subtype=Name.Form, BBox=annotation.Rect, Resources=resources)
    )
    return True


def _courier() -> Dictionary:
    return Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Courier, Encoding=Name.WinAnsiEncoding)


def _shape(annotation: Object, kind: str, box: Box) -> str:
    width, inside = _width(annotation), _colour(annotation.get(Name.IC))
    left, bottom, right, top = box
    inset = _numbers(annotation.get(Name.RD))
    if len(inset) == 4:
        left, bottom, right, top = left + inset[0], bottom + inset[1], right - inset[2], top - inset[3]
    left, bottom, right, top = left + width / 2, bottom + width / 2, right - width / 2, top - width / 2
    if left >= right or bottom >= top:
        return ""
    path = _ellipse(left, bottom, right, top) if kind == "/Circle" else _rectangle(left, bottom, right, top)
    return _painted(annotation, path, inside)


def _paths(annotation: Object, kind: str, box: Box) -> tuple[str, Box]:
    listed = annotation.get(Name.InkList) if kind == "/Ink" else None
    strokes = [_numbers(one) for one in listed] if isinstance(listed, Array) else []
    if kind in _PATHS:
        strokes = [_numbers(annotation.get(_PATHS[kind]))]
    strokes = [stroke for stroke in strokes if len(stroke) > 3 and not len(stroke) % 2]
    if not strokes:
        return "", box
    path = " ".join(_polyline(stroke) for stroke in strokes) + (" h" if kind == "/Polygon" else "")
    inside = _colour(annotation.get(Name.IC)) if kind == "/Polygon" else ""
    return _painted(annotation, path, inside), _around([at for one in strokes for at in one], _width(annotation))


def _painted(annotation: Object, path: str, inside: str) -> str:
    width, colour = _width(annotation), _colour(annotation.get(Name.C), "0 g").upper()
    stroke = bool(width and colour)
    if not stroke and not inside:
        return ""
    painter = "B" if stroke and inside else "S" if stroke else "f"
    return f"{inside} {colour} {_number(width)} w {_dashes(annotation)} {path} {painter}"


def _marks(annotation: Object, kind: str, box: Box) -> tuple[str, Box]:
    """Returns the marks of lines of text: each within the box of its four points, which programs list in any order."""
    points = _numbers(annotation.get(Name.QuadPoints))
    quads = [_around(points[at : at + 8]) for at in range(0, len(points) - 7, 8)] or [box]
    drawn = []
    for left, bottom, right, top in quads:
        thick = min(max((top - bottom) / 14, 0.5), 3)
        at = bottom + thick if kind != "/StrikeOut" else (bottom + top) / 2
        if kind == "/Highlight":
            drawn.append(_rectangle(left, bottom, right, top))
        else:
            drawn.append(_rectangle(left, at - thick / 2, right, at + thick / 2))
    colour = _colour(annotation.get(Name.C), "1 1 0 rg" if kind == "/Highlight" else "0 g")
    return f"{colour} {' '.join(drawn)} f" if colour else "", _around([side for quad in quads for side in quad])


def _words(annotation: Object, box: Box) -> str:
    contents = annotation.get(Name.Contents)
    text = str(contents).replace("\r\n", "\n").replace("\r", "\n").strip() if isinstance(contents, String) else ""
    background = _colour(annotation.get(Name.C), "")
    try:
        text.encode("cp1252")
    except UnicodeEncodeError:
        return ""
    width, height = box[2] - box[0] - 2 * _PADDING, box[3] - box[1]
    for size in _SIZES:
        lines = [line for part in text.split("\n") for line in _broken(part, int(width / (size * _ADVANCE)))]
        if (
            text
            and len(lines) * size * _LEADING <= height
            and all(len(line) * size * _ADVANCE <= width for line in lines)
        ):
            filled = f"{background} {_rectangle(*box)} f " if background else ""
            shown = " ".join(f"<{line.encode('cp1252').hex()}> Tj T*" for line in lines)
            start = f"{_number(box[0] + _PADDING)} {_number(box[3] - size)} Td"
            return f"{filled}0 g BT /F {size} Tf {_number(size * _LEADING)} TL {start} {shown} ET"
    return ""


def _broken(text: str, most: int) -> Iterator[str]:
    """Yields lines of at most `most` characters, longer ones for longer words."""
    line = ""
    for word in text.split(" "):
        if line and len(line) + 1 + len(word) > most:
            yield line
            line = word
        else:
            line = f"{line} {word}" if line else word
    yield line


def _state(annotation: Object, kind: str) -> Dictionary:
    opacity = annotation.get(Name.CA)
    share = min(max(float(opacity), 0.0), 1.0) if isinstance(opacity, int | float | Decimal) else 1.0
    return Dictionary(CA=share, ca=share, BM=Name.Multiply if kind == "/Highlight" else Name.Normal)


def _width(annotation: Object) -> float:
    style, border = annotation.get(Name.BS), annotation.get(Name.Border)
    width = style.get(Name.W) if isinstance(style, Dictionary) else None
    if width is None and isinstance(border, Array) and len(border) > 2:
        width = border[2]
    return min(max(float(width), 0.0), _WIDEST) if isinstance(width, int | float | Decimal) else 1.0


def _dashes(annotation: Object) -> str:
    style = annotation.get(Name.BS)
    if not isinstance(style, Dictionary) or style.get(Name.S) != Name.D:
        return ""
    lengths = [length for length in _numbers(style.get(Name.D))[:4] if length > 0] or [3.0]
    return f"[{' '.join(map(_number, lengths))}] 0 d"


def _colour(value: Object | None, default: str = "") -> str:
    """Returns the operator of a colour for areas; `default` if there is none, and nothing if it is transparent."""
    if not isinstance(value, Array):
        return default
    levels = [min(max(level, 0.0), 1.0) for level in _numbers(value)]
    return f"{' '.join(map(_number, levels))} {_COLOURS[len(levels)]}" if len(levels) in _COLOURS else ""


def _numbers(value: Object | None) -> list[float]:
    """Returns the numbers of an array; none if it holds something else."""
    if not isinstance(value, Array) or len(value) > _MAX_NUMBERS:
        return []
    numbers = [float(one) for one in value if isinstance(one, int | float | Decimal)]
    return numbers if len(numbers) == len(value) and all(abs(one) < 1e6 for one in numbers) else []


def _box(annotation: Object) -> Box:
    return _around(_numbers(annotation.get(Name.Rect)))


def _around(points: list[float], margin: float = 0) -> Box:
    """Returns the box around points, which are listed as x and y in turns."""
    across, up = points[::2] or [0.0], points[1::2] or [0.0]
    return min(across) - margin, min(up) - margin, max(across) + margin, max(up) + margin


def _polyline(points: list[float]) -> str:
    pairs = [f"{_number(x)} {_number(y)}" for x, y in zip(points[::2], points[1::2], strict=True)]
    return f"{pairs[0]} m " + " ".join(f"{pair} l" for pair in pairs[1:])


def _rectangle(left: float, bottom: float, right: float, top: float) -> str:
    return f"{_number(left)} {_number(bottom)} {_number(right - left)} {_number(top - bottom)} re"


def _ellipse(left: float, bottom: float, right: float, top: float) -> str:
    x, y, across, up = (left + right) / 2, (bottom + top) / 2, (right - left) / 2, (top - bottom) / 2
    corners = [(1, 0), (0, 1), (-1, 0), (0, -1), (1, 0)]
    curves = []
    for (a, b), (c, d) in pairwise(corners):
        points = ((a + c * _CURVE, b + d * _CURVE), (c + a * _CURVE, d + b * _CURVE), (c, d))
        curves.append(" ".join(f"{_number(x + across * px)} {_number(y + up * py)}" for px, py in points) + " c")
    return f"{_number(right)} {_number(y)} m {' '.join(curves)} h"


def _number(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".")
