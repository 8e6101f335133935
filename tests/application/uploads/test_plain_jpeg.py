"""JPEG pictures stay if all decoders must take them alike; others are refused, or written anew from their pixels."""

from collections.abc import Callable
from io import BytesIO

import pytest
from PIL import Image, ImageDraw

from application.uploads.jpeg import END, SCAN, START, segments
from application.uploads.plain_jpeg import OddJpeg, check_jpeg, written_anew

SIZE = (90, 50)
_FRAME, _PROGRESSIVE, _TABLES, _CODES, _RESTARTS = 0xC0, 0xC2, 0xDB, 0xC4, 0xDD
Segments = list[tuple[int, bytes]]


def jpeg(words: str = "48,000", mode: str = "L", **options: object) -> bytes:
    picture = Image.new("L", SIZE, 255)
    ImageDraw.Draw(picture).text((5, 5), words, fill=0)
    written = BytesIO()
    picture.convert(mode).save(written, "JPEG", **options)
    return written.getvalue()


def _of(data: bytes) -> Segments:
    return [(kind, segment) for kind, segment in segments(data) if kind != END]


def _joined(parts: Segments) -> bytes:
    return b"".join(segment for _, segment in parts) + b"\xff\xd9"


def _only(parts: Segments, kind: int) -> Segments:
    return [part for part in parts if part[0] == kind]


def _changed(kind: int, change: Callable[[bytes], bytes]) -> bytes:
    return _joined([(one, change(segment) if one == kind else segment) for one, segment in _of(jpeg())])


@pytest.mark.parametrize(
    ("data", "components"),
    [
        (jpeg(), 1),
        (jpeg(mode="RGB"), 3),
        (jpeg(mode="RGB", subsampling=2, quality=30), 3),
        (jpeg(mode="CMYK"), 4),
        (jpeg(restart_marker_blocks=3), 1),
        (jpeg(mode="RGB", restart_marker_rows=1), 3),
        (jpeg(optimize=True), 1),
        (jpeg(comment=b"\xff\xd9\xff\xd8"), 1),
        (jpeg() + b"more", 1),
    ],
)
def test_sequential_pictures_stay(data: bytes, components: int) -> None:
    assert check_jpeg(data, *SIZE) == components


_SHOWN, _OTHER = _of(jpeg()), _of(jpeg("91,777"))
_SCAN = _only(_SHOWN, SCAN)[0][1]


@pytest.mark.parametrize(
    "data",
    [
        jpeg(progressive=True),
        _joined([*_SHOWN, *_only(_OTHER, SCAN)]),
        _joined([*_SHOWN, *_only(_OTHER, _FRAME), *_only(_OTHER, SCAN)]),
        _joined([*_SHOWN, *_only(_OTHER, _TABLES)]),
        _joined([*_SHOWN, (0xEE, b"\xff\xee\x00\x0eAdobe\0\x64\0\0\0\0\0")]),
        _joined([*_SHOWN, (0xDC, b"\xff\xdc\x00\x04\x00\x10")]),
        _joined([*_SHOWN, *_only(_SHOWN, START)]),
        _joined(_SHOWN[:-1]),
        _joined([part for part in _SHOWN if part[0] != _CODES]),
        _joined([_SHOWN[0], (_RESTARTS, b"\xff\xdd\x00\x04\x00\x03"), *_SHOWN[1:]]),
        _joined([*_SHOWN[:-1], (SCAN, _SCAN[:-9])]),
        _joined([*_SHOWN[:-1], (SCAN, _SCAN + b"\x55\x55")]),
        _joined([*_SHOWN[:-1], (SCAN, _SCAN[:-30] + b"\xff\xd0" + _SCAN[-30:])]),
        _joined([*_SHOWN[:-1], (SCAN, _SCAN[:40] + b"\xfe" * 6 + _SCAN[46:])]),
        _changed(_FRAME, lambda frame: frame[:4] + b"\x0c" + frame[5:]),
        _changed(_FRAME, lambda frame: frame[:5] + b"\0\0" + frame[7:]),
        _changed(_FRAME, lambda frame: b"\xff\xc9" + frame[2:]),
        _changed(SCAN, lambda scan: scan[:7] + b"\x01" + scan[8:]),
        _changed(_CODES, lambda codes: codes[:5] + b"\xff" * 16 + codes[21:]),
        jpeg()[:-2],
        b"junk" + jpeg(),
        b"",
    ],
)
def test_what_decoders_take_otherwise_is_odd(data: bytes) -> None:
    with pytest.raises(OddJpeg):
        check_jpeg(data, *SIZE)


def test_another_size_is_odd() -> None:
    with pytest.raises(OddJpeg):
        check_jpeg(jpeg(), SIZE[0], SIZE[1] + 1)


@pytest.mark.parametrize("mode", ["L", "RGB", "CMYK"])
def test_a_progressive_picture_is_written_anew(mode: str) -> None:
    data = jpeg(mode=mode, progressive=True)
    written, components = written_anew(data, SIZE)
    assert check_jpeg(written, *SIZE) == components == len(mode)
    assert written_anew(data, SIZE) == (written, components)
    with Image.open(BytesIO(data)) as before, Image.open(BytesIO(written)) as after:
        assert before.size == after.size
        assert max(abs(one - other) for one, other in zip(before.tobytes(), after.tobytes(), strict=True)) < 40


@pytest.mark.parametrize(("data", "size"), [(jpeg()[:200], SIZE), (jpeg(), (SIZE[0], SIZE[1] + 1))])
def test_what_cannot_be_decoded_is_refused(data: bytes, size: tuple[int, int]) -> None:
    with pytest.raises(OddJpeg):
        written_anew(data, size)
