"""Stamping: every value on the page, nothing clipped, the same bytes every time."""

import pytest
from PIL import Image, ImageDraw, UnidentifiedImageError

from layout.engine import Rendered, ZoneValue, page_count, render, stamp
from layout.text.fonts import ShippedFonts
from layout.zone import Zone
from layout.zones.value_layout import rect_of, value_texts
from tests.layout.documents import KEYS, checkbox, document, paragraph, signature, text_field
from tests.layout.pictures import encoded, ink_of, page_picture
from tests.layout.reading import check, fonts_of, images_of, text_of
from tests.layout.zones.filled import within

FONTS = ShippedFonts()


@pytest.fixture(scope="module")
def sent() -> Rendered:
    return render(
        document(
            text_field("Company"),
            checkbox("Agreed"),
            signature("For the Client"),
            {"type": "pageBreak"},
            paragraph("The second page"),
            signature("The Consultant", "consultant"),
        ),
        KEYS,
    )


def zone(rendered: Rendered, name: str) -> Zone:
    return next(zone for zone in rendered.zones if zone.name == name)


def drawing(width: int = 300, height: int = 100, *, edge: int = 0) -> bytes:
    """A drawn signature: black ink from corner to corner, with transparent edges around."""
    picture = Image.new("RGBA", (width + 2 * edge, height + 2 * edge))
    corners = (edge, edge, edge + width - 1, edge + height - 1)
    ImageDraw.Draw(picture).rectangle(corners, outline=(0, 0, 0, 255), width=3)
    return encoded(picture)


def stamped(rendered: Rendered, *marks: ZoneValue) -> bytes:
    assert rendered.pdf is not None
    return stamp(rendered.pdf, marks)


def all_marks(rendered: Rendered) -> tuple[ZoneValue, ...]:
    return (
        ZoneValue(zone(rendered, "company"), text="Zażółć (Trading) Ltd"),
        ZoneValue(zone(rendered, "agreed"), ticked=True),
        ZoneValue(zone(rendered, "signature:2:name"), text="Ada Lovelace"),
        ZoneValue(zone(rendered, "signature:2:date"), text="21/11/2026"),
        ZoneValue(zone(rendered, "signature:2:signature"), image=drawing(), small_print="Ada · 2026-11-21 · 0b7c"),
        ZoneValue(zone(rendered, "signature:5:name"), text="Đặng Thị Nguyễn"),
        ZoneValue(zone(rendered, "signature:5:signature"), text="Thị Nguyễn", small_print="Đặng · 2026-11-22 · 0b7c"),
    )


@pytest.mark.poppler
def test_every_value_is_found_by_a_reader(sent: Rendered) -> None:
    first, second, _ = text_of(stamped(sent, *all_marks(sent))).split("\f")
    for value in ("Zażółć (Trading) Ltd", "Ada Lovelace", "21/11/2026", "Ada · 2026-11-21 · 0b7c"):
        assert value in first
    for value in ("Đặng Thị Nguyễn", "\nThị Nguyễn", "Đặng · 2026-11-22 · 0b7c"):
        assert value in second


@pytest.mark.poppler
def test_what_was_sent_is_still_there(sent: Rendered) -> None:
    assert sent.pdf is not None
    before, after = text_of(sent.pdf).split("\f"), text_of(stamped(sent, *all_marks(sent))).split("\f")
    assert len(before) == len(after)
    assert all(new.startswith(old.rstrip("\n")) for old, new in zip(before, after, strict=True))


@pytest.mark.poppler
def test_the_stamped_file_is_sound_and_has_all_its_pages(sent: Rendered) -> None:
    pdf = stamped(sent, *all_marks(sent))
    check(pdf)
    assert page_count(pdf) == sent.page_count == 2
    assert all("yes yes yes" in font for font in fonts_of(pdf))


def test_the_same_marks_give_the_same_bytes_and_others_others(sent: Rendered) -> None:
    one = stamped(sent, *all_marks(sent))
    assert one == stamped(sent, *all_marks(sent))
    assert one != stamped(sent, *all_marks(sent)[:-1])


@pytest.mark.poppler
def test_a_typed_signature_is_in_italics(sent: Rendered) -> None:
    mark = ZoneValue(zone(sent, "signature:2:signature"), text="Ada")
    assert any("FiraGO-Italic" in font for font in fonts_of(stamped(sent, mark)))
    assert next(value_texts(mark, FONTS)).style.size > 18


@pytest.mark.poppler
def test_a_drawn_signature_is_a_picture_with_a_mask(sent: Rendered) -> None:
    pdf = stamped(sent, ZoneValue(zone(sent, "signature:2:signature"), image=drawing()))
    assert [row.split()[:5] for row in images_of(pdf)] == [
        ["1", "0", "image", "300", "100"],
        ["1", "1", "smask", "300", "100"],
    ]


@pytest.mark.poppler
def test_the_same_picture_is_stored_once(sent: Rendered) -> None:
    once = ZoneValue(zone(sent, "signature:2:signature"), image=drawing())
    again = ZoneValue(zone(sent, "signature:5:signature"), image=drawing())
    shown = [row.split() for row in images_of(stamped(sent, once, again))]
    assert [(row[0], row[2]) for row in shown] == [("1", "image"), ("1", "smask"), ("2", "image"), ("2", "smask")]
    assert len({row[10] for row in shown}) == 1  # one object, its mask counted to it


@pytest.mark.poppler
def test_an_empty_drawing_draws_nothing(sent: Rendered) -> None:
    empty = encoded(Image.new("RGBA", (30, 10)))
    assert images_of(stamped(sent, ZoneValue(zone(sent, "signature:2:signature"), image=empty))) == []


def test_what_is_no_picture_is_refused(sent: Rendered) -> None:
    with pytest.raises(UnidentifiedImageError):
        stamped(sent, ZoneValue(zone(sent, "signature:2:signature"), image=b"no picture"))


def test_a_tick_leaves_ink_in_its_box_and_nowhere_else(sent: Rendered) -> None:
    assert sent.pdf is not None
    box = zone(sent, "agreed")
    drawn = ink_of(page_picture(sent.pdf, 1), page_picture(stamped(sent, ZoneValue(box, ticked=True)), 1))
    assert drawn is not None
    assert within(drawn, rect_of(box))


@pytest.mark.parametrize("value", ["short", "a name that is rather long " * 5, "word " * 400, "x" * 3_000])
@pytest.mark.parametrize("name", ["company", "signature:2:name", "signature:2:signature"])
def test_text_of_any_length_stays_within_its_zone(sent: Rendered, name: str, value: str) -> None:
    room = rect_of(zone(sent, name))
    texts = list(value_texts(ZoneValue(zone(sent, name), text=value), FONTS))
    assert "".join(text.text for text in texts) == value
    for text in texts:
        assert text.x >= room.x
        assert text.x + text.width <= room.right
        assert text.y - 0.935 * text.style.size >= room.y - 0.01
        assert text.y + 0.265 * text.style.size <= room.bottom


def test_text_shrinks_before_it_wraps(sent: Rendered) -> None:
    entry = zone(sent, "signature:2:name")
    (short,) = value_texts(ZoneValue(entry, text="Ada Lovelace"), FONTS)
    (long,) = value_texts(ZoneValue(entry, text="Wilhelmina Featherstonehaugh-Cholmondeley"), FONTS)
    assert short.style.size == 10.5
    assert 7 <= long.style.size < 10.5


def test_ink_of_a_long_value_stays_on_its_line(sent: Rendered) -> None:
    assert sent.pdf is not None
    room = rect_of(zone(sent, "company"))
    value = ZoneValue(zone(sent, "company"), text="Wj " * 200)
    drawn = ink_of(page_picture(sent.pdf, 1), page_picture(stamped(sent, value), 1))
    assert drawn is not None
    assert room.x <= drawn.x < drawn.right <= room.right
    assert room.y <= drawn.y < drawn.bottom <= room.bottom + 0.5


def test_small_print_is_fine_and_below_the_signature_line(sent: Rendered) -> None:
    signing = zone(sent, "signature:2:signature")
    mark = ZoneValue(
        signing, text="Ada", small_print="Ada · 2026-11-21T10:30:00.000Z · 0b7c1e4e-5f0a-4a39-8b64-5a4b2e6f7a01"
    )
    _, small = value_texts(mark, FONTS)
    assert small.style.size == 5.5
    assert small.y > signing.y + signing.h + 10  # below the caption


@pytest.mark.poppler
def test_stamping_twice_keeps_both(sent: Rendered) -> None:
    once = stamped(sent, ZoneValue(zone(sent, "company"), text="Żółw"))
    twice = stamp(once, [ZoneValue(zone(sent, "signature:2:name"), text="Ελένη")])
    check(twice)
    assert "Żółw" in text_of(twice)
    assert "Ελένη" in text_of(twice)


@pytest.mark.poppler
def test_without_marks_the_pages_stay_as_they_are(sent: Rendered) -> None:
    check(stamped(sent))
    assert text_of(stamped(sent)) == text_of(sent.pdf or b"")
