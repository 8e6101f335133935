"""Pictures as logos of mails."""

from io import BytesIO
from typing import Any

import pytest
from PIL import Image

from application.uploads.sanitize_image import ImageUnreadable, fit_logo


def picture(size: tuple[int, int], kind: str = "PNG", **members: Any) -> bytes:
    out = BytesIO()
    Image.new("RGB", size, "teal").save(out, kind, **members)
    return out.getvalue()


@pytest.mark.parametrize(
    ("size", "shown"),
    [((4800, 1120), (240, 56)), ((4000, 100), (240, 6)), ((100, 4000), (2, 56)), ((60, 40), (30, 20))],
)
def test_a_logo_keeps_its_shape_within_the_maximum_size(size: tuple[int, int], shown: tuple[int, int]) -> None:
    logo = fit_logo(picture(size))
    assert (logo.width, logo.height) == shown


def test_a_logo_is_clean_and_fine_enough_for_fine_screens() -> None:
    exif = Image.Exif()
    exif[0x010E] = "taken at home"
    logo = fit_logo(picture((960, 224), "JPEG", exif=exif))
    with Image.open(BytesIO(logo.content)) as opened:
        assert (opened.format, opened.size) == ("PNG", (480, 112))
        assert not opened.getexif()
    assert b"taken at home" not in logo.content


def test_a_logo_must_be_an_image() -> None:
    with pytest.raises(ImageUnreadable):
        fit_logo(b"<svg/>")
