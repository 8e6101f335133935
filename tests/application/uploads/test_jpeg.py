"""What is taken out of a JPEG, and what makes it none."""

from io import BytesIO

import pytest
from PIL import Image

from application.uploads.jpeg import NotAJpeg, strip
from tests.layout.pictures import encoded, shades

PLAIN = encoded(shades(64, 48), "JPEG")
START, END = b"\xff\xd8", b"\xff\xd9"


def segment(kind: int, content: bytes) -> bytes:
    return bytes([0xFF, kind]) + (len(content) + 2).to_bytes(2, "big") + content


def after_the_start(*segments: bytes) -> bytes:
    return START + b"".join(segments) + PLAIN[2:]


@pytest.mark.parametrize("options", [{}, {"progressive": True}, {"optimize": True}, {"restart_marker_rows": 1}])
def test_a_jpeg_without_metadata_is_unchanged(options: dict[str, object]) -> None:
    content = encoded(shades(64, 48), "JPEG", **options)
    assert strip(content) == content


@pytest.mark.parametrize(
    "noise",
    [
        segment(0xE1, b"Exif\0\0secret"),
        segment(0xE2, b"ICC_PROFILE\0secret"),
        segment(0xED, b"Photoshop 3.0\0secret"),
        segment(0xFE, b"a secret comment"),
        segment(0xE0, b"JFXX\0secret thumbnail"),
        segment(0xE0, b"JFIF\0\1\1\0\0\1\0\1\1\1rgb"),  # with a thumbnail of one pixel
        segment(0xEE, b"Ducky"),
        b"\xff\xff\xff" + segment(0xE1, b"after fill bytes"),
    ],
)
def test_metadata_is_stripped(noise: bytes) -> None:
    assert strip(after_the_start(noise)) == PLAIN


def test_the_colour_transform_is_kept() -> None:
    adobe = segment(0xEE, b"Adobe\0\x64\0\0\0\0\1")
    assert strip(after_the_start(adobe)) == after_the_start(adobe)


def test_data_after_the_end_is_stripped() -> None:
    assert strip(PLAIN + b"another picture" + PLAIN) == PLAIN


def test_stuffed_bytes_inside_a_scan_are_kept() -> None:
    noisy = encoded(Image.effect_noise((200, 200), 90), "JPEG", quality=95)
    assert b"\xff\x00" in noisy
    assert strip(noisy) == noisy


@pytest.mark.parametrize("kind", [0xC3, 0xC5, 0xC9, 0xCA, 0xCC, 0xCF])
def test_unusual_codings_are_refused(kind: int) -> None:
    at = PLAIN.index(b"\xff\xc0")
    with pytest.raises(NotAJpeg):
        strip(PLAIN[: at + 1] + bytes([kind]) + PLAIN[at + 2 :])


def test_every_cut_is_noticed() -> None:
    for length in range(len(PLAIN)):
        with pytest.raises(NotAJpeg):
            strip(PLAIN[:length])


@pytest.mark.parametrize("content", [b"", b"\xff", b"PNG", START, START + b"x" + END, START + b"\xff\xe1\0\1" + END])
def test_a_file_that_is_not_a_jpeg_is_refused(content: bytes) -> None:
    with pytest.raises(NotAJpeg):
        strip(content)


def test_the_same_pixels_come_out() -> None:
    noisy = after_the_start(segment(0xE1, b"Exif\0\0secret"))
    with Image.open(BytesIO(PLAIN)) as before, Image.open(BytesIO(strip(noisy))) as after:
        assert before.tobytes() == after.tobytes()
