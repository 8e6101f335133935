"""Sanitized images: upright, in sRGB, without metadata (Specification 2.10)."""

import struct
import zlib
from io import BytesIO

import pytest
from PIL import Image, ImageChops, ImageCms, ImageDraw

from application.uploads.sanitize_image import ImageUnreadable, SanitizedImage, sanitize
from tests.application.uploads.hostile_images import PNG_MARK, chunk
from tests.layout.pictures import encoded, shades

SIZE = (120, 80)
ORIENTATION, ARTIST = 0x0112, 0x013B


def pixels(sanitized: SanitizedImage) -> Image.Image:
    with Image.open(BytesIO(sanitized.content)) as picture:
        picture.load()
        assert f"image/{(picture.format or '').lower()}" == sanitized.content_type
        assert picture.size == (sanitized.width, sanitized.height)
        return picture


def differ(one: Image.Image, other: Image.Image) -> int:
    """The greatest difference of any pixel."""
    bands = ImageChops.difference(one.convert("RGBA"), other.convert("RGBA")).getextrema()
    return max(most for _, most in bands)  # type: ignore[misc]  # one pair a band


def exif(orientation: int = 1) -> Image.Exif:
    tags = Image.Exif()
    tags[ARTIST] = "Somebody at a secret place"
    tags[ORIENTATION] = orientation
    return tags


@pytest.mark.parametrize(
    ("kind", "mode", "kept"),
    [
        ("PNG", "RGB", "image/png"),
        ("PNG", "RGBA", "image/png"),
        ("PNG", "P", "image/png"),
        ("PNG", "1", "image/png"),
        ("PNG", "LA", "image/png"),
        ("JPEG", "RGB", "image/jpeg"),
        ("JPEG", "L", "image/jpeg"),
        ("GIF", "P", "image/png"),
        ("WEBP", "RGB", "image/png"),
        ("WEBP", "RGBA", "image/png"),
    ],
)
def test_the_format_is_decided_by_the_bytes_and_the_pixels_stay(kind: str, mode: str, kept: str) -> None:
    options = {"lossless": True, "exact": True} if kind == "WEBP" else {}
    upload = encoded(shades(*SIZE, mode), kind, **options)
    sanitized = sanitize(upload)
    assert (sanitized.uploaded_type, sanitized.content_type) == (f"image/{kind.lower()}", kept)
    assert (sanitized.width, sanitized.height) == SIZE
    with Image.open(BytesIO(upload)) as original:
        assert differ(pixels(sanitized), original) == 0


@pytest.mark.parametrize("progressive", [False, True])
def test_a_jpeg_keeps_its_own_data_without_its_metadata(progressive: bool) -> None:
    plain = encoded(shades(*SIZE), "JPEG", quality=70, progressive=progressive)
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    noisy = encoded(
        shades(*SIZE), "JPEG", quality=70, progressive=progressive, exif=exif(), comment=b"secret", icc_profile=profile
    )
    assert len(noisy) > len(plain)
    assert sanitize(noisy + b"hidden after the end").content == plain


@pytest.mark.parametrize(("orientation", "size"), [(1, SIZE), (3, SIZE), (6, SIZE[::-1]), (8, SIZE[::-1])])
def test_a_jpeg_is_turned_upright(orientation: int, size: tuple[int, int]) -> None:
    picture = Image.new("RGB", SIZE, "white")
    ImageDraw.Draw(picture).rectangle((0, 0, 59, 39), fill="black")  # the top left quarter
    sanitized = sanitize(encoded(picture, "JPEG", exif=exif(orientation)))
    assert (sanitized.width, sanitized.height) == size
    dark_at = {1: (0, 0), 3: (1, 1), 6: (1, 0), 8: (0, 1)}[orientation]
    corners = {(x, y): pixels(sanitized).convert("L").getpixel((x * (size[0] - 1), y * (size[1] - 1)))
               for x in (0, 1) for y in (0, 1)}  # fmt: skip
    assert [at for at, shade in corners.items() if isinstance(shade, int) and shade < 60] == [dark_at]


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_metadata_is_removed(kind: str) -> None:
    for orientation in (1, 6):
        content = sanitize(encoded(shades(*SIZE), kind, exif=exif(orientation))).content
        assert b"Somebody" not in content
        with Image.open(BytesIO(content)) as kept:
            assert not kept.getexif()


def test_a_jpeg_in_print_colours_becomes_one_in_screen_colours() -> None:
    sanitized = sanitize(encoded(Image.new("CMYK", SIZE, (0, 255, 255, 0)), "JPEG", quality=95))
    assert sanitized.content_type == "image/jpeg"
    red, green, blue = pixels(sanitized).getpixel((60, 40))  # type: ignore[misc]  # of an RGB picture
    assert (red > 230, green < 25, blue < 25) == (True, True, True)


def test_colours_of_another_space_are_converted_to_srgb() -> None:
    swapped = _profile_with_red_and_green_swapped()
    sanitized = sanitize(encoded(Image.new("RGB", SIZE, (255, 0, 0)), "PNG", icc_profile=swapped))
    assert pixels(sanitized).getpixel((5, 5)) == (0, 255, 0)
    assert "icc_profile" not in pixels(sanitized).info


def _profile_with_red_and_green_swapped() -> bytes:
    """sRGB, its first two primaries exchanged and its name with them."""
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    swapped = profile.replace(b"rXYZ", b"????").replace(b"gXYZ", b"rXYZ").replace(b"????", b"gXYZ")
    return swapped.replace("sRGB".encode("utf-16-be"), "odd!".encode("utf-16-be"))


def test_an_unreadable_profile_is_dropped() -> None:
    sanitized = sanitize(encoded(shades(*SIZE), "PNG", icc_profile=b"no profile at all"))
    assert differ(pixels(sanitized), shades(*SIZE)) == 0


def test_grey_of_16_bits_keeps_its_shades() -> None:
    deep = Image.new("I;16", SIZE, 257 * 100)
    assert pixels(sanitize(encoded(deep))).getpixel((5, 5)) == 100


@pytest.mark.parametrize("kind", ["GIF", "PNG", "WEBP"])
def test_the_first_frame_of_an_animation_is_kept(kind: str) -> None:
    first, then = Image.new("RGB", SIZE, "red"), Image.new("RGB", SIZE, "blue")
    sanitized = sanitize(encoded(first, kind, save_all=True, append_images=[then], duration=100, lossless=True))
    assert pixels(sanitized).convert("RGB").getpixel((5, 5)) == (255, 0, 0)
    assert (sanitized.width, sanitized.height) == SIZE
    assert getattr(pixels(sanitized), "n_frames", 1) == 1


def test_transparency_of_a_palette_is_kept() -> None:
    picture = Image.new("P", SIZE, 0)
    picture.putpalette([255, 0, 0, 0, 0, 255])
    sanitized = sanitize(encoded(picture, "GIF", transparency=0))
    assert pixels(sanitized).mode == "RGBA"
    assert pixels(sanitized).getchannel("A").getextrema() == (0, 0)


def test_transparency_that_hides_nothing_is_dropped() -> None:
    assert pixels(sanitize(encoded(shades(*SIZE).convert("RGBA")))).mode == "RGB"


def test_a_photograph_that_would_be_large_as_png_becomes_a_jpeg() -> None:
    noise = Image.merge("RGB", [Image.effect_noise((1400, 1100), 90) for _ in range(3)])
    sanitized = sanitize(encoded(noise, "WEBP", quality=60))
    assert (sanitized.uploaded_type, sanitized.content_type) == ("image/webp", "image/jpeg")


@pytest.mark.parametrize(
    "upload", [b"", b"%PDF-1.7", b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"GIF", b"\xff\xd8\xff", b"\0" * 4000]
)
def test_a_file_that_is_not_an_image_is_refused(upload: bytes) -> None:
    with pytest.raises(ImageUnreadable):
        sanitize(upload)


@pytest.mark.parametrize("kind", ["BMP", "TIFF", "ICO", "PPM", "PDF", "AVIF"])
def test_images_of_other_formats_are_refused(kind: str) -> None:
    with pytest.raises(ImageUnreadable, match="no PNG, JPEG, WebP or GIF"):
        sanitize(encoded(shades(64, 64), kind))


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP"])
def test_a_truncated_image_is_refused(kind: str) -> None:
    noise = Image.effect_noise((200, 200), 90)
    upload = encoded(noise, kind)
    for share in (0.1, 0.5, 0.95):
        with pytest.raises(ImageUnreadable):
            sanitize(upload[: int(len(upload) * share)])


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP"])
def test_damage_anywhere_is_refused_or_repaired_but_never_a_crash(kind: str) -> None:
    upload = encoded(Image.effect_noise((40, 40), 90), kind)
    for at in range(0, len(upload), 7):
        damaged = upload[:at] + bytes([upload[at] ^ 0xFF]) + upload[at + 1 :]
        try:
            pixels(sanitize(damaged))
        except ImageUnreadable:
            continue


@pytest.mark.parametrize("side", [6_400, 60_000, 2**31 - 1])
def test_a_bomb_is_refused_by_the_size_in_its_header_before_it_is_decoded(side: int) -> None:
    header = chunk(b"IHDR", struct.pack(">2I5B", side, side, 8, 0, 0, 0, 0))
    content = PNG_MARK + header + chunk(b"IDAT", zlib.compress(b"\0" * 1000)) + chunk(b"IEND", b"")
    with pytest.raises(ImageUnreadable, match="40 million are taken"):
        sanitize(content)
