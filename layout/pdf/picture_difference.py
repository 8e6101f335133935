"""Compares two pictures of a page that different renderers drew. Tells different ink from different antialiasing.

A pixel is in excess by as much as it is brighter or darker than every pixel of the other picture that is at most one
pixel away. Renderers place and smooth the same outline within that distance. The mean excess of a window of the size of
a digit, divided by the contrast of its surroundings, is the difference: 0 for the same ink, 255 for ink of the full
contrast that fills the window. Pale text counts as much as black text. Pictures are shades of grey; a result has one
pixel for each cell of the pictures. Decision 0040 has the measurements.
"""

from collections.abc import Callable
from typing import Any

from PIL import Image, ImageChops, ImageDraw, ImageMath

CELL = 4
"""Pixels of the side of a cell. A window is two by two cells."""

_REACH = 8
"""Cells of the side of the surroundings of a cell."""

_MIN_CONTRAST = 12
"""Contrast, of 255, below which differences count less: it is not legible."""

_MIN_EDGE = 16
"""Steps of shade, of 255, between neighbours that are no edge but a shading."""

_TINT = 0.1
"""Share of the contrast by which the extremes of two pictures differ where their colours differ."""

_OTHER_EDGES = 40
"""Share, of 255, of pixels around a cell that may be an edge in one picture only."""

_MAX_GAIN = 4
"""Ratio of the contrasts of surroundings, up to which one is as legible as the other."""

_BESIDE = (-4, -2, 0, 2, 4)
"""Pixels by which a glyph may be moved in either direction: a point at 288 dots per inch."""

Box = tuple[int, int, int, int]
"""Left, top, right and bottom."""

Pair = tuple[Image.Image, Image.Image]
"""The darkest and the lightest shade around each pixel or cell."""

_Choice = Callable[[Image.Image, Image.Image], Image.Image]
_CHOICES: tuple[_Choice, _Choice] = (ImageChops.darker, ImageChops.lighter)

_SHIFTS = sorted(((x, y) for x in _BESIDE for y in _BESIDE if x or y), key=lambda shift: shift[0] ** 2 + shift[1] ** 2)


def differences(one: Image.Image, other: Image.Image) -> Image.Image:
    """Returns the difference of each cell of two pictures of the same size."""
    contrast = _contrast(_surroundings(one), _surroundings(other))
    return _share(one, other, (_spread(one), _spread(other)), contrast)


class PersistentDifferences:
    """Compares pictures, and disregards what shows the same in other colours or up to a point beside.

    `limit` is the greatest difference that does not matter. Tries the shifts first that applied before.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._shifts = list(_SHIFTS)

    def of(self, one: Image.Image, other: Image.Image) -> Image.Image:
        """Returns the difference of each cell. Stops when none is above the limit."""
        spread, around = (_spread(one), _spread(other)), (_surroundings(one), _surroundings(other))
        contrast = _contrast(*around)
        left = _share(one, other, spread, contrast)
        if self._is_little(left):
            return left
        left = ImageChops.darker(left, ImageChops.invert(_other_colours(spread, around, contrast)))
        for shift in tuple(self._shifts):
            if self._is_little(left):
                break
            moved, low, high = (ImageChops.offset(picture, *shift) for picture in (other, *spread[1]))
            share = _share(one, moved, (spread[0], (low, high)), contrast)
            left = ImageChops.darker(left, ImageChops.offset(_of_block(ImageChops.lighter, share, 8), 4, 4))
            if self._is_little(left):
                self._shifts.remove(shift)
                self._shifts.insert(0, shift)
        return left

    def _is_little(self, share: Image.Image) -> bool:
        return box_above(share, self._limit) is None


def box_above(share: Image.Image, limit: int) -> Box | None:
    """Returns the box of the cells above `limit`, or None."""
    return share.point(lambda value: 255 * (value > limit)).getbbox()


def side_by_side(one: Image.Image, other: Image.Image, box: Box) -> Image.Image:
    """Returns both pictures beside each other, each with a frame around `box`."""
    both = Image.new("RGB", (one.width * 2 + 8, one.height), "grey")
    left, top, right, bottom = box
    for picture, shift in ((one, 0), (other, one.width + 8)):
        both.paste(picture, (shift, 0))
        ImageDraw.Draw(both).rectangle((left + shift, top, right + shift, bottom), outline=(220, 0, 0), width=3)
    return both


def _share(one: Image.Image, other: Image.Image, spread: tuple[Pair, Pair], contrast: Image.Image) -> Image.Image:
    """Returns the mean excess around each cell as a share of the contrast."""
    cells = _excess(one, other, spread).convert("F").reduce(CELL)
    return _grey(
        lambda a: a["min"](a["sums"] * (255 / 4) / a["max"](a["contrast"], _MIN_CONTRAST), 255),
        sums=_of_block(_plus, cells, 2),
        contrast=contrast,
    )


def _excess(one: Image.Image, other: Image.Image, spread: tuple[Pair, Pair]) -> Image.Image:
    (low, high), (other_low, other_high) = spread
    bright = ImageChops.lighter(_above(one, other_high), _above(other, high))
    dark = ImageChops.lighter(_above(other_low, one), _above(low, other))
    return ImageChops.lighter(bright, dark)


def _above(picture: Image.Image, limit: Image.Image) -> Image.Image:
    return ImageChops.subtract_modulo(ImageChops.lighter(picture, limit), limit)


def _spread(picture: Image.Image) -> Pair:
    """Returns the darkest and the lightest of each pixel and its eight neighbours."""
    spread = []
    for choose in _CHOICES:
        row = choose(choose(picture, ImageChops.offset(picture, 1, 0)), ImageChops.offset(picture, -1, 0))
        spread.append(choose(choose(row, ImageChops.offset(row, 0, 1)), ImageChops.offset(row, 0, -1)))
    return spread[0], spread[1]


def _surroundings(picture: Image.Image) -> Pair:
    low, high = (_of_block(choose, _cells(choose, picture), _REACH) for choose in _CHOICES)
    return ImageChops.offset(low, _REACH // 2, _REACH // 2), ImageChops.offset(high, _REACH // 2, _REACH // 2)


def _contrast(one: Pair, other: Pair) -> Image.Image:
    return ImageChops.subtract(ImageChops.lighter(one[1], other[1]), ImageChops.darker(one[0], other[0]))


def _cells(choose: _Choice, picture: Image.Image) -> Image.Image:
    """Returns the darkest or lightest shade of each cell."""
    size = (-(-picture.width // CELL), -(-picture.height // CELL))
    return _of_block(choose, picture.reduce(2), CELL // 2).resize(size, Image.Resampling.NEAREST)


def _other_colours(spread: tuple[Pair, Pair], around: tuple[Pair, Pair], contrast: Image.Image) -> Image.Image:
    """Returns 255 for each cell around which the pictures show the same in other colours, or no edge at all.

    The same is shown where both have edges at the same places, and contrasts of the same order.
    """
    (low, high), (other_low, other_high) = around
    one, other = ImageChops.subtract(high, low), ImageChops.subtract(other_high, other_low)
    return _grey(
        lambda a: (
            255
            * (
                (
                    a["smooth"] * a["other_smooth"]
                    + (a["float"](a["shift"]) > _TINT * a["float"](a["contrast"]))
                    * (a["edges"] <= _OTHER_EDGES)
                    * (a["one"] + _MIN_EDGE < _MAX_GAIN * (a["other"] + _MIN_EDGE))
                    * (a["other"] + _MIN_EDGE < _MAX_GAIN * (a["one"] + _MIN_EDGE))
                )
                > 0
            )
        ),
        smooth=_smooth(spread[0]),
        other_smooth=_smooth(spread[1]),
        shift=ImageChops.lighter(ImageChops.difference(low, other_low), ImageChops.difference(high, other_high)),
        contrast=contrast,
        edges=_other_edges(*spread),
        one=one.convert("I"),
        other=other.convert("I"),
    )


def _other_edges(one: Pair, other: Pair) -> Image.Image:
    """Returns the share, of 255, of the pixels of a cell or one beside it that are an edge in one picture only."""
    steps = [ImageChops.subtract(high, low) for low, high in (one, other)]
    clear = [picture.point(lambda step: 255 * (step >= _MIN_EDGE)) for picture in steps]
    faint = [_spread(picture.point(lambda step: 255 * (step >= _MIN_EDGE // 2)))[1] for picture in steps]
    missing = ImageChops.lighter(_above(clear[0], faint[1]), _above(clear[1], faint[0]))
    return ImageChops.offset(_of_block(ImageChops.lighter, missing.reduce(CELL), 4), 2, 2)


def _smooth(spread: Pair) -> Image.Image:
    """Returns 1 for each cell in and beside which the picture has no edge."""
    steps = ImageChops.subtract(spread[1], spread[0])
    size = (-(-steps.width // CELL), -(-steps.height // CELL))
    cells = _of_block(ImageChops.lighter, steps, CELL).resize(size, Image.Resampling.NEAREST)
    return _of_block(ImageChops.lighter, cells, 2).point(lambda step: int(step < _MIN_EDGE))


def _of_block(choose: _Choice, picture: Image.Image, side: int) -> Image.Image:
    """Returns the choice of the `side` by `side` pixels from each pixel on; `side` is a power of two."""
    step = 1
    while step < side:
        picture = choose(picture, ImageChops.offset(picture, -step, 0))
        picture = choose(picture, ImageChops.offset(picture, 0, -step))
        step *= 2
    return picture


def _formula(formula: Callable[[Any], Any], **pictures: Image.Image) -> Image.Image:
    result: Image.Image = ImageMath.lambda_eval(formula, **pictures)
    return result


def _grey(formula: Callable[[Any], Any], **pictures: Image.Image) -> Image.Image:
    return _formula(lambda args: args["convert"](formula(args), "L"), **pictures)


def _plus(one: Image.Image, other: Image.Image) -> Image.Image:
    return _formula(lambda args: args["a"] + args["b"], a=one, b=other)
