import json
from io import BytesIO
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some
from PIL import Image

from tests import ROOT
from web.signing.draw_strokes import INK, MAX_POINTS, draw_strokes
from web.signing.sanitize_signature_image import SignatureImage, sanitize_signature_images

PEN = (0.8, 2.6)


def drawing(*strokes: Any, pen: tuple[float, float] = PEN) -> str:
    return json.dumps({"strokes": [{"pen": pen, "points": points} for points in strokes]})


def drawn(*strokes: Any, pen: tuple[float, float] = PEN) -> Image.Image:
    png = draw_strokes(drawing(*strokes, pen=pen))
    assert png is not None
    with Image.open(BytesIO(png)) as image:
        image.load()
        return image


def thickness(image: Image.Image, x: int) -> int:
    """The pixels of ink in a column."""
    opacity = image.getchannel("A")
    return sum(opacity.getpixel((x, y)) > 128 for y in range(image.height))  # type: ignore[operator]  # one band


def test_a_drawing_has_the_shape_and_the_colour_of_its_ink() -> None:
    image = drawn([(100, 100, 0), (300, 50, 200), (500, 150, 400)])
    assert image.mode == "RGBA"
    assert image.width == 1200
    assert image.height == pytest.approx(1200 * 100 / 400, rel=0.06)
    assert image.getpixel((4, image.height // 2)) == (*INK, 255)


def test_a_drawing_is_the_same_at_every_place_and_in_every_size_of_the_pad() -> None:
    points = [(100, 100, 0), (180, 60, 90), (300, 50, 200), (500, 150, 400)]
    smaller = drawn([(x / 2, y / 2, t / 2) for x, y, t in points], pen=(0.4, 1.3))
    assert drawn(points).tobytes() == drawn([(x + 40, y - 30, t) for x, y, t in points]).tobytes() == smaller.tobytes()


def test_a_fast_line_is_thinner_than_a_slow_one() -> None:
    slow, fast = (drawn([(50 * at, 100, at * time) for at in range(10)]) for time in (200, 5))
    assert thickness(slow, 800) > 2 * thickness(fast, 800) > 0


def test_a_point_is_a_dot_and_two_are_a_line() -> None:
    dot, line = drawn([(10, 10, 0)]), drawn([(10, 10, 0), (110, 10, 50)])
    assert dot.width == pytest.approx(dot.height, abs=1)
    assert line.width > 20 * line.height


def test_what_is_beyond_the_pad_is_drawn_too() -> None:
    assert drawn([(300, 200, 0), (300, 900, 200)]).height == pytest.approx(600, abs=3)


def test_the_pad_has_the_ink_and_the_limit_of_the_service() -> None:
    pad = (ROOT / "web/static/signature-canvas.js").read_text(encoding="utf-8")
    assert f'penColor: "#{bytes(INK).hex()}"' in pad
    assert f"MAX_POINTS = {MAX_POINTS};" in pad


def test_no_stroke_is_no_ink() -> None:
    assert draw_strokes(drawing()) is None


@pytest.mark.parametrize(
    "drawing",
    [
        "{}",
        "{",
        '{"strokes":[{"pen":[1,2],"points":[]}]}',
        '{"strokes":[{"pen":[0,2],"points":[[1,1,1]]}]}',
        '{"strokes":[{"pen":[1,2],"points":[[1,1e9,1]]}]}',
        '{"strokes":[{"pen":[1,2],"points":[[NaN,1,1]]}]}',
        '{"strokes":[{"pen":[1,2],"points":[[1,1]]}]}',
        '{"strokes":[{"pen":[1,2],"points":[[1,1,1]]}],"more":1}',
        drawing(*[[(1, 1, 1)] * 1001] * 3),
        drawing(*[[(1, 1, 1)]] * (MAX_POINTS + 1)),
    ],
)
def test_what_is_no_drawing_is_not_readable(drawing: str) -> None:
    assert sanitize_signature_images([drawing]) == (SignatureImage(None, is_readable=False),)


_places = some.floats(-6_000, 6_000)


@given(
    some.lists(
        some.lists(some.tuples(_places, _places, some.floats(0, 1e6)), min_size=1, max_size=12), min_size=1, max_size=6
    )
)
def test_every_drawing_within_the_limits_has_ink_of_the_size_of_a_signature(strokes: Any) -> None:
    image = drawn(*strokes)
    assert 0 < image.width <= 1203
    assert 0 < image.height <= 603
    assert image.getchannel("A").getextrema() != (0, 0)
