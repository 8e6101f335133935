"""Draws the strokes of a signature or of initials. The browser sends them as JSON; no pixel of its canvas is read.

A stroke is smoothed as a cubic curve from point to point, and is thinner the faster the pen moved. The pad shows the
same curves (signature_pad has the same rules). The same strokes give the same bytes on every machine.
"""

from collections.abc import Iterator, Sequence
from io import BytesIO
from itertools import pairwise
from math import ceil, pi
from typing import Annotated, NamedTuple

from PIL import Image, ImageDraw
from pydantic import BaseModel, ConfigDict, Field, ValidationError

MAX_POINTS = 3_000
"""Maximum points of a drawing: at least 50 seconds without a pause."""

INK = (0x14, 0x21, 0x3D)

_MAX_SIZE = (1200, 600)
"""Maximum width and height of the drawing in pixels: 300 dots per inch on 10 by 5 centimetres."""

_MAX_SCALE = 20.0
_SAMPLES = 3  # drawn pixels along a pixel of the result
_MAX_FILLED = 25_000_000
"""Drawn pixels to fill at most, counted once for each piece of a stroke. A dense drawing gets fewer pixels."""

_PIECE = 6.0  # drawn pixels between the circles that a curve consists of
_MAX_PIECES = 16
_MAX_CIRCLES = 12_000  # of a drawing, but two of each curve
_WEIGHT = 0.7  # of the speed between the last two points, against the speed before

_Place = Annotated[float, Field(ge=-6_000, le=6_000)]
_Time = Annotated[float, Field(ge=0, le=10_000_000)]
_Radius = Annotated[float, Field(gt=0, le=30)]


class Stroke(BaseModel):
    """A stroke. `pen` is the least and greatest radius; a point is x, y and time. 600 units are the width of the pad.

    Times are in milliseconds for a pad of 600 CSS pixels, and serve the width of the line alone.
    """

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    pen: tuple[_Radius, _Radius]
    points: list[tuple[_Place, _Place, _Time]] = Field(min_length=1, max_length=MAX_POINTS)


class Drawing(BaseModel):
    """The JSON of a drawing."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    strokes: list[Stroke] = Field(max_length=MAX_POINTS)


class _Curve(NamedTuple):
    """A cubic Bézier curve whose radius changes. Points are complex numbers."""

    start: complex
    leaves: complex
    arrives: complex
    end: complex
    radii: tuple[float, float]

    @property
    def length(self) -> float:
        """An upper bound of the length."""
        return abs(self.leaves - self.start) + abs(self.arrives - self.leaves) + abs(self.end - self.arrives)

    def circles(self, origin: complex, factor: float, most: int) -> Sequence[tuple[complex, float]]:
        """Returns centres and radii along the curve in drawn pixels, from `origin`, for at most `most` pieces."""
        pieces = min(max(ceil(self.length * factor / _PIECE), 1), most)
        circles = []
        for piece in range(pieces + 1):
            t = piece / pieces
            s = 1 - t
            point = s**3 * self.start + 3 * s * s * t * self.leaves + 3 * s * t * t * self.arrives + t**3 * self.end
            radius = self.radii[0] + t**3 * (self.radii[1] - self.radii[0])
            circles.append(((point - origin) * factor, radius * factor))
        return circles


def draw_strokes(drawing: str) -> bytes | None:
    """Returns the ink as a transparent PNG, cropped; None without a stroke. Raises `ValueError` for anything else."""
    try:
        strokes = Drawing.model_validate_json(drawing).strokes
    except ValidationError as error:
        raise ValueError("not a drawing") from error
    if sum(len(stroke.points) for stroke in strokes) > MAX_POINTS:
        raise ValueError("a drawing of too many points")
    curves = [curve for stroke in strokes for curve in _curves(stroke)]
    return _png(_painted(curves)) if curves else None


def _curves(stroke: Stroke) -> Iterator[_Curve]:
    least, most = stroke.pen
    points = [complex(x, y) for x, y, _ in stroke.points]
    radius, speed = (least + most) / 2, 0.0
    if len(points) < 3:
        yield _Curve(points[0], points[0], points[-1], points[-1], (radius, radius))
        return
    turns = [points[0], *points, points[-1]]
    for at, ((start, end), (before, now)) in enumerate(zip(pairwise(points), pairwise(stroke.points), strict=True)):
        passed = now[2] - before[2]
        speed = _WEIGHT * (abs(end - start) / passed if passed > 0 else 0) + (1 - _WEIGHT) * speed
        following = max(most / (speed + 1), least)
        leaves, arrives = _controls(*turns[at : at + 3])[1], _controls(*turns[at + 1 : at + 4])[0]
        yield _Curve(start, leaves, arrives, end, (radius, following))
        radius = following


def _controls(before: complex, point: complex, after: complex) -> tuple[complex, complex]:
    """Returns the control points on both sides of `point`, on a line that is parallel to the chord of the midpoints."""
    one, other = (before + point) / 2, (point + after) / 2
    lengths = abs(point - before) + abs(after - point)
    middle = other + (one - other) * (abs(after - point) / lengths if lengths else 0)
    return one + point - middle, other + point - middle


def _painted(curves: Sequence[_Curve]) -> Image.Image:
    """Returns the opacity of the ink, one byte a pixel."""
    ends = [(point, max(curve.radii)) for curve in curves for point in curve[:4]]
    left, top = min(at.real - radius for at, radius in ends), min(at.imag - radius for at, radius in ends)
    width = max(at.real + radius for at, radius in ends) - left
    height = max(at.imag + radius for at, radius in ends) - top
    filled = sum((curve.length + pi * max(curve.radii)) * 2 * max(curve.radii) for curve in curves)
    scale = min(
        _MAX_SIZE[0] / width, _MAX_SIZE[1] / height, _MAX_SCALE, (_MAX_FILLED / _SAMPLES**2 / filled) ** 0.5
    )  # fmt: skip
    factor = scale * _SAMPLES
    image = Image.new("L", (ceil(width * factor) + _SAMPLES, ceil(height * factor) + _SAMPLES))
    canvas = ImageDraw.Draw(image)
    most = min(max(_MAX_CIRCLES // len(curves), 2), _MAX_PIECES)
    for curve in curves:
        _paint(canvas, curve.circles(complex(left, top), factor, most))
    return image.reduce(_SAMPLES)


def _paint(canvas: ImageDraw.ImageDraw, circles: Sequence[tuple[complex, float]]) -> None:
    """Fills circles, and what is between two of them."""
    for at, radius in circles:
        canvas.ellipse((at.real - radius, at.imag - radius, at.real + radius, at.imag + radius), fill=255)
    for (start, first), (end, second) in pairwise(circles):
        if start != end:
            across = (end - start) / abs(end - start) * 1j
            corners = (start + across * first, end + across * second, end - across * second, start - across * first)
            canvas.polygon([(corner.real, corner.imag) for corner in corners], fill=255)


def _png(opacity: Image.Image) -> bytes:
    ink = Image.new("RGBA", opacity.size, INK)
    ink.putalpha(opacity)
    written = BytesIO()
    ink.crop(opacity.getbbox()).save(written, "PNG")
    return written.getvalue()
