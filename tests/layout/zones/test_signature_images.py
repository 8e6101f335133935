"""Drawn signatures and initials: whole, sharp at their place, and no larger than that."""

from io import BytesIO
from itertools import pairwise

import pytest
from PIL import Image, ImageDraw

from adapters.processes.job_limits import JobLimits
from adapters.processes.pool import ForkServerPool
from layout.engine import ZoneValue, stamp
from layout.geometry import Rect
from layout.zone import Zone, ZoneType
from layout.zones.signature_images import DOTS_TO_THE_INCH, PlacedImage, fit_rectangle, place_signature_image
from tests.layout.pictures import encoded
from tests.layout.reading import images_of
from tests.layout.zones.filled import body, ink, zone

ROOM = Rect(56, 300, 255, 46)
INK = (12, 34, 96)


def stroke(
    width: int, height: int, *, edge: int = 0, seed: int = 0, pens: tuple[tuple[int, int, int], ...] = (INK,)
) -> bytes:
    """Ink along the edges and across, with transparent edges around."""
    picture = Image.new("RGBA", (width + 2 * edge, height + 2 * edge))
    pen = ImageDraw.Draw(picture)
    left, top, right, bottom = edge, edge, edge + width - 1, edge + height - 1
    pen.rectangle((left, top, right, bottom), outline=(*pens[0], 255), width=3)
    across, down = max(1, width * 8 // 10), max(1, height * 8 // 10)
    points = [(left + width / 10 + (7 + seed) * at % across, top + height / 10 + 13 * at % down) for at in range(40)]
    for number, (start, end) in enumerate(pairwise(points)):
        pen.line((*start, *end), fill=(*pens[number % len(pens)], 255), width=max(1, height // 60))
    return encoded(picture)


def drawn(png: bytes, room: Rect = ROOM) -> PlacedImage:
    found = place_signature_image(png, room)
    assert found is not None
    return found


@pytest.mark.parametrize(("width", "height"), [(300, 100), (100, 300), (2000, 20), (5, 5), (2400, 1200)])
def test_a_picture_keeps_its_proportions_and_stands_on_the_line(width: int, height: int) -> None:
    rect = drawn(stroke(width, height, edge=40)).rect
    assert rect.w / rect.h == pytest.approx(width / height)  # the transparent edges are cut off
    assert rect.bottom == pytest.approx(ROOM.bottom)
    assert rect.x >= ROOM.x
    assert rect.right <= ROOM.right
    assert rect.y >= ROOM.y


@pytest.mark.parametrize(("width", "height"), [(2400, 1200), (2400, 60), (60, 1200), (900, 900)])
def test_it_has_as_many_pixels_as_can_be_seen_and_no_more(width: int, height: int) -> None:
    found = drawn(stroke(width, height))
    for pixels, points, had in (
        (found.image.width, found.rect.w, width),
        (found.image.height, found.rect.h, height),
    ):
        assert pixels == pytest.approx(min(had, points / 72 * DOTS_TO_THE_INCH), abs=1)
    assert len(found.image.colours) == 3 * len(found.image.opacity) == 3 * found.image.width * found.image.height


def test_what_has_fewer_pixels_than_could_be_seen_keeps_them_as_they_are() -> None:
    found = drawn(stroke(300, 100))
    with Image.open(BytesIO(stroke(300, 100))) as given:
        assert found.image.opacity == given.getchannel("A").tobytes()


def test_fewer_pixels_stay_dark_and_ink_of_one_colour_is_that_colour_everywhere() -> None:
    found = drawn(stroke(2400, 1200))
    assert max(found.image.opacity) > 240
    shades = {found.image.colours[at : at + 3] for at in range(0, len(found.image.colours), 3)}
    assert len(shades) == 1
    assert all(abs(one - other) <= 3 for one, other in zip(shades.pop(), INK, strict=True))


def test_ink_of_several_colours_keeps_them() -> None:
    found = drawn(stroke(2400, 1200, pens=((200, 0, 0), (0, 0, 200))))
    pixels = [tuple(found.image.colours[at : at + 3]) for at in range(0, len(found.image.colours), 3)]
    assert any(red > 150 > blue for red, _, blue in pixels)
    assert any(blue > 150 > red for red, _, blue in pixels)


def test_ink_that_is_see_through_everywhere_stays_so() -> None:
    faint = encoded(Image.new("RGBA", (900, 300), (0, 0, 80, 60)))
    assert set(drawn(faint).image.opacity) == {60}


@pytest.mark.poppler
def test_the_same_picture_is_stored_once_for_places_of_one_size() -> None:
    png = stroke(2400, 1200)
    marks = [ZoneValue(initials(at, height), image=png) for at, height in enumerate((46.0, 46.0, 30.0))]
    shown = pictures_in(stamp(body(), marks))
    assert len({row[10] for row in shown}) == 2
    assert [row for row in shown if int(row[12]) > 305] == []  # dots to the inch


@pytest.mark.poppler
async def test_many_large_pictures_take_the_memory_of_one() -> None:
    pool = ForkServerPool(1, limits=JobLimits(seconds=60, memory=220 * 1024**2), warm_modules=("layout.engine",))
    pictures = [stroke(2400, 1200, seed=seed) for seed in range(40)]  # half a gigabyte of pixels
    marks = [ZoneValue(initials(at % 20, 20.0), image=png) for at, png in enumerate(pictures)]
    pdf = await pool.run(stamp, body(), marks)
    await pool.close()
    assert len(pictures_in(pdf)) == 40
    assert len(pdf) < 40 * 10_000


def pictures_in(pdf: bytes) -> list[list[str]]:
    """What poppler says of each, masks left out."""
    return [row for row in map(str.split, images_of(pdf)) if row[2] == "image"]


def initials(number: int, height: float) -> Zone:
    return zone(ZoneType.INITIALS, Rect(56, 100 + 30.0 * number, 255, height))


def test_a_signature_stands_where_the_line_of_a_text_in_its_language_begins() -> None:
    left, right = (fit_rectangle(100, 100, Rect(10, 0, 200, 50), align=align) for align in ("start", "right"))
    assert left.x == pytest.approx(14)
    assert right.right == pytest.approx(206)
    assert (left.w, left.y) == (right.w, right.y)
    for label, x, end in (("It", ROOM.x + 4, None), ("الطرف الأول", None, ROOM.right - 4)):
        shown = ink(ZoneValue(zone(ZoneType.SIGNATURE, ROOM, label=label), image=stroke(30, 300)))
        assert (shown.x if x else shown.right) == pytest.approx(x or end, abs=1)


def test_a_place_in_the_middle_keeps_off_its_edges() -> None:
    rect = fit_rectangle(100, 100, Rect(0, 0, 72, 36), align="center")
    assert (rect.x, rect.y, rect.w, rect.h) == pytest.approx((22, 4, 28, 28))
