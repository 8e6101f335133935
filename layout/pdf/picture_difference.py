"""Compares two pictures of a page that different renderers drew. Tells different ink from different antialiasing.

A pixel is in excess by as much as it is brighter or darker than every pixel of the other picture that is at most one
pixel away. Renderers place and smooth the same outline within that distance. The mean excess of a window of the size of
a digit, divided by the contrast of its surroundings, is the difference: 0 for the same ink, 1 for ink of the full
contrast that fills the window. Pale text counts as much as black text.
"""

from collections.abc import Callable

from PIL import Image, ImageChops, ImageDraw, ImageMath

DPI = 144
"""The resolution, in dots per inch, that thresholds are measured at."""

_THRESHOLD = 0.2
_LEAST_CONTRAST = 12
"""Contrast, of 255, below which differences count less: it is not legible."""

_CELL = 4
"""Pixels of the side of a cell; a window is two by two cells."""

_REACH = 8
"""Cells of which the surroundings of a cell consist, in each direction: 32 pixels in all."""

Choice = Callable[[Image.Image, Image.Image], Image.Image]
"""`ImageChops.darker` or `ImageChops.lighter`."""

Box = tuple[int, int, int, int]
"""Left, top, right and bottom in pixels."""


def picture_difference(one: Image.Image, other: Image.Image) -> Box | None:
    """Returns the box around everything that differs visibly in two pictures of the same size; None if nothing does."""
    share = difference_grid(one.convert("L"), other.convert("L"))
    box = share.point(lambda value: 255 if value > _THRESHOLD * 255 else 0).getbbox()
    if box is None:
        return None
    left, top, right, bottom = (edge * _CELL for edge in box)
    return left, top, min(right + _CELL, one.width), min(bottom + _CELL, one.height)


def difference_grid(one: Image.Image, other: Image.Image) -> Image.Image:
    """Returns the difference of each cell of two pictures in shades of grey, as shades of grey: 255 for 1."""
    excess = _window_mean(_excess(one, other))
    contrast = _contrast(one, other, excess.size)
    grid: Image.Image = ImageMath.lambda_eval(
        lambda args: args["convert"](args["min"](args["e"] * 255 / args["max"](args["c"], _LEAST_CONTRAST), 255), "L"),
        e=excess,
        c=contrast,
    )
    return grid


def side_by_side(one: Image.Image, other: Image.Image, box: Box) -> Image.Image:
    """Returns both pictures beside each other, each with a frame around `box`."""
    both = Image.new("RGB", (one.width * 2 + 8, one.height), "grey")
    left, top, right, bottom = box
    for picture, shift in ((one, 0), (other, one.width + 8)):
        both.paste(picture, (shift, 0))
        frame = (left - 6 + shift, top - 6, right + 6 + shift, bottom + 6)
        ImageDraw.Draw(both).rectangle(frame, outline=(220, 0, 0), width=3)
    return both


def _excess(one: Image.Image, other: Image.Image) -> Image.Image:
    lows = [_spread(ImageChops.darker, picture) for picture in (one, other)]
    highs = [_spread(ImageChops.lighter, picture) for picture in (one, other)]
    excesses = (
        _above(one, highs[1]), _above(lows[1], one), _above(other, highs[0]), _above(lows[0], other),
    )  # fmt: skip
    return ImageChops.lighter(ImageChops.lighter(*excesses[:2]), ImageChops.lighter(*excesses[2:]))


def _above(picture: Image.Image, limit: Image.Image) -> Image.Image:
    return ImageChops.subtract_modulo(ImageChops.lighter(picture, limit), limit)


def _spread(choose: Choice, picture: Image.Image) -> Image.Image:
    """Returns the darkest or lightest of each pixel and its eight neighbours."""
    row = choose(choose(picture, ImageChops.offset(picture, 1, 0)), ImageChops.offset(picture, -1, 0))
    spread: Image.Image = choose(choose(row, ImageChops.offset(row, 0, 1)), ImageChops.offset(row, 0, -1))
    return spread


def _window_mean(picture: Image.Image) -> Image.Image:
    """Returns the means of windows of two by two cells, one for each cell, as floating-point numbers."""
    cells = picture.convert("F").reduce(_CELL)
    mean: Image.Image = ImageMath.lambda_eval(
        lambda args: (args["a"] + args["b"] + args["c"] + args["d"]) / 4,
        a=cells,
        b=ImageChops.offset(cells, -1, 0),
        c=ImageChops.offset(cells, 0, -1),
        d=ImageChops.offset(cells, -1, -1),
    )
    return mean


def _contrast(one: Image.Image, other: Image.Image, size: tuple[int, int]) -> Image.Image:
    """Returns for each cell the difference of the lightest and the darkest shade around it."""
    extremes = []
    for choose in (ImageChops.darker, ImageChops.lighter):
        extreme = choose(one.reduce(2), other.reduce(2))
        extreme = _of_block(choose, extreme, 2).resize(size, Image.Resampling.NEAREST)
        extreme = _of_block(choose, extreme, _REACH)
        extremes.append(ImageChops.offset(extreme, _REACH // 2, _REACH // 2))
    return ImageChops.subtract(extremes[1], extremes[0])


def _of_block(choose: Choice, picture: Image.Image, side: int) -> Image.Image:
    """Returns the darkest or lightest of the `side` by `side` pixels from each pixel on; `side` is a power of two."""
    step = 1
    while step < side:
        picture = choose(picture, ImageChops.offset(picture, -step, 0))
        picture = choose(picture, ImageChops.offset(picture, 0, -step))
        step *= 2
    return picture
