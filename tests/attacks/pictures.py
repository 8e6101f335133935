"""Pictures that readers may draw differently: JPEG segments, facsimile codes, samples, inline pictures."""

import zlib
from functools import cache, partial
from io import BytesIO
from random import Random
from struct import pack

import pymupdf
from PIL import Image, ImageDraw, ImageFont

from application.uploads.jpeg import segments
from tests.application.uploads.tiff_strips import strip_of
from tests.attacks.draft import HIDDEN, SHOWN, Draft, stream
from tests.attacks.tricks import Trick, into, usually

SIZE = WIDTH, HEIGHT = 400, 64
PLAIN = "pictures of all formats"
"""What must be accepted."""

PICTURES: dict[str, Trick] = {}
"""What draws the sum with a picture, by name."""

_picture = into(PICTURES)
_usually = partial(usually, chance=0.08)


@cache
def _drawn(words: str, mode: str = "RGB") -> Image.Image:
    font = ImageFont.truetype(BytesIO(pymupdf.Font("helv").buffer), 40)
    drawn = Image.new("RGB", SIZE, "white")
    ImageDraw.Draw(drawn).text((8, 8), words, font=font, fill="black")
    return drawn.convert(mode)


@cache
def _jpeg(words: str, mode: str = "RGB", *, is_progressive: bool = False) -> bytes:
    written = BytesIO()
    _drawn(words, mode).save(written, "JPEG", quality=90, progressive=is_progressive)
    return written.getvalue()


@cache
def _fax(words: str, codes: str = "group4") -> bytes:
    return strip_of(_drawn(words, "1"), codes)


def _show(draft: Draft, data: bytes, entries: bytes) -> None:
    number = draft.add(stream(data, b"/Type/XObject/Subtype/Image%b" % entries))
    draft.resource(b"XObject", b"I9", b"%d 0 R" % number)
    draft.draw(b"q 400 0 0 64 60 300 cm /I9 Do Q\n")


def _sized(random: Random, bits: int = 8) -> bytes:
    width, height = (_usually(random, usual, (usual // 2, usual - 8, usual * 2, 1)) for usual in SIZE)
    return b"/Width %d/Height %d/BitsPerComponent %d" % (width, height, _usually(random, bits, (1, 2, 4, 8, 16)))


_SPACES = {"RGB": b"/DeviceRGB", "L": b"/DeviceGray", "CMYK": b"/DeviceCMYK"}
_ODD_SPACES = (
    b"/DeviceRGB", b"/DeviceGray", b"/DeviceCMYK", b"/G", b"[/Indexed/DeviceRGB 1 <000000ffffff>]",
    b"[/Indexed/DeviceRGB 255 <%b>]" % (b"00ff00" * 256), b"[/Indexed/DeviceRGB 255 <000000ff0000>]",
    b"[/Lab<</WhitePoint[.95 1 1.09]>>]", b"[/CalGray<</WhitePoint[.95 1 1.09]/Gamma 9>>]",
    b"[/Separation/Foo/DeviceRGB<</FunctionType 2/Domain[0 1]/C0[1 1 1]/C1[0 0 1]/N 1>>]",
)  # fmt: skip
_ODD_ENTRIES = (
    b"/Decode[1 0]", b"/Decode[1 0 1 0 1 0]", b"/Decode[0 .4]", b"/Decode[1]", b"/Decode null", b"/Decode[(a) 0]",
    b"/Mask[0 9]", b"/Mask[0 99 0 99 0 99]", b"/Mask[9 0]", b"/Mask[0]", b"/ImageMask true", b"/Interpolate true",
    b"/SMaskInData 1", b"/Intent/Foo", b"/ImageMask true/Decode[1 0]",
)  # fmt: skip


def _entries(random: Random, space: bytes) -> bytes:
    odd = random.choice(_ODD_ENTRIES) if random.random() < 0.2 else b""
    return b"/ColorSpace%b%b" % (_usually(random, space, _ODD_SPACES), odd)


@_picture(PLAIN)
def _plain(draft: Draft, random: Random) -> None:
    mode = random.choice(sorted(_SPACES))
    data, entries = random.choice((
        (_jpeg(SHOWN, mode), b"/BitsPerComponent 8/Filter/DCTDecode/ColorSpace" + _SPACES[mode]),
        (zlib.compress(_drawn(SHOWN, mode).tobytes()),
         b"/BitsPerComponent 8/Filter/FlateDecode/ColorSpace" + _SPACES[mode]),
        (_fax(SHOWN), b"/BitsPerComponent 1/Filter/CCITTFaxDecode/DecodeParms<</K -1/Columns 400>>"
         b"/ColorSpace/DeviceGray"),
    ))  # fmt: skip
    _show(draft, data, b"/Width 400/Height 64" + entries)


def _tables(value: int) -> bytes:
    return b"\xff\xdb\x00\x43\x00" + bytes([value]) * 64


def _adobe(transform: int) -> bytes:
    return b"\xff\xee\x00\x0eAdobe\x00\x64\x00\x00\x00\x00" + bytes([transform])


@_picture("a JPEG picture with other segments")
def _segments(draft: Draft, random: Random) -> None:
    mode, is_progressive = random.choice(("RGB", "L", "CMYK")), random.random() < 0.3
    parts = [part for _, part in segments(_jpeg(SHOWN, mode, is_progressive=is_progressive))]
    others = [part for _, part in segments(_jpeg(HIDDEN, mode, is_progressive=is_progressive))]
    more = (
        _tables(99), _adobe(0), _adobe(1), _adobe(2), b"\xff\xdd\x00\x04\x00\x10", b"\xff\xd0",
        b"\xff\xdc\x00\x04\x00\x20", b"\xff\xfe\x00\x06\xff\xd9\xff\xda", b"\0\0", b"\xff\xd9", b"\xff\xd8",
    )  # fmt: skip
    for _ in range(random.choice((1, 1, 2, 3))):
        place = random.randrange(1, len(parts))
        match random.randrange(5):
            case 0:
                parts.insert(place, random.choice(others))
            case 1:
                parts.insert(place, random.choice(more))
            case 2:
                parts.pop(place)
            case 3:
                part = bytearray(parts[place])
                part[random.randrange(min(len(part), 20))] = random.choice((0, 1, 2, 3, 0x11, 0x22, 0x3F, 0xFF))
                parts[place] = bytes(part)
            case _:
                parts[place] = parts[place][: random.randrange(len(parts[place]))]
    _show(draft, b"".join(parts), _sized(random) + b"/Filter/DCTDecode" + _entries(random, _SPACES[mode]))


_PARAMETERS = (
    b"/BlackIs1 true", b"/EncodedByteAlign true", b"/EndOfLine true", b"/EndOfBlock false", b"/Rows 64", b"/Rows 32",
    b"/Rows 128", b"/DamagedRowsBeforeError 9",
)  # fmt: skip


def _coded(random: Random) -> tuple[bytes, bytes]:
    """Returns facsimile codes and parameters, which often disagree."""
    kind, number = random.choice((("group4", b"-1"), ("group4", b"-1"), ("group3", b"0")))
    number = _usually(random, number, (b"-1", b"0", b"1", b"-1.0", b"(a)"))
    columns = _usually(random, WIDTH, (200, 392, 408, 1728))
    extra = b"".join(one for one in _PARAMETERS if random.random() < 0.05)
    data = _damaged(random, _fax(SHOWN, kind), _fax(HIDDEN, kind))
    return data, b"<</K %b/Columns %d%b>>" % (number, columns, extra)


def _damaged(random: Random, data: bytes, other: bytes) -> bytes:
    place = random.randrange(len(data))
    return random.choice((
        data, data, data, data, data + other, data[:place], data[:-3], data[:place] + b"\xff\xff" + data[place + 2 :],
        b"\0\0" + data, data[:place] + other[place:], data[:place] + b" EI " + data[place:],
    ))  # fmt: skip


@_picture("a facsimile picture")
def _facsimile(draft: Draft, random: Random) -> None:
    data, parameters = _coded(random)
    entries = b"/Filter/CCITTFaxDecode/DecodeParms" + parameters
    _show(draft, data, _sized(random, bits=1) + entries + _entries(random, b"/DeviceGray"))


@_picture("a picture of samples")
def _samples(draft: Draft, random: Random) -> None:
    mode = random.choice(("RGB", "L", "1"))
    data = _damaged(random, _drawn(SHOWN, mode).tobytes(), _drawn(HIDDEN, mode).tobytes())
    bits, space = (1, b"/DeviceGray") if mode == "1" else (8, _SPACES[mode])
    _show(draft, zlib.compress(data), _sized(random, bits) + b"/Filter/FlateDecode" + _entries(random, space))


_ABBREVIATED = (
    (b"/Width", b"/W"), (b"/Height", b"/H"), (b"/BitsPerComponent", b"/BPC"), (b"/ColorSpace", b"/CS"),
    (b"/Filter", b"/F"), (b"/DecodeParms", b"/DP"), (b"/ImageMask", b"/IM"), (b"/DeviceGray", b"/G"),
    (b"/DeviceRGB", b"/RGB"), (b"/CCITTFaxDecode", b"/CCF"), (b"/FlateDecode", b"/Fl"), (b"/Indexed", b"/I"),
    (b"/ASCIIHexDecode", b"/AHx"), (b"/Decode", b"/D"),
)  # fmt: skip


@_picture("an inline picture")
def _inline(draft: Draft, random: Random) -> None:
    mode = random.choice(("RGB", "L", "1"))
    raw, other = _drawn(SHOWN, mode).tobytes(), _drawn(HIDDEN, mode).tobytes()
    bits, space = (1, b"/DeviceGray") if mode == "1" else (8, _SPACES[mode])
    coded, parameters = _coded(random)
    data, entries = random.choice((
        (_damaged(random, raw, other), b""),
        (_damaged(random, zlib.compress(raw), zlib.compress(other)), b"/Filter/FlateDecode"),
        (zlib.compress(raw)[: -random.randrange(1, 8)], b"/Filter/FlateDecode"),
        (_damaged(random, raw.hex().encode() + b">", other.hex().encode() + b">"), b"/Filter/ASCIIHexDecode"),
        (coded, b"/Filter/CCITTFaxDecode/DecodeParms" + parameters),
    ))  # fmt: skip
    if b"CCITT" in entries:
        bits, space = 1, b"/DeviceGray"
    given = _sized(random, bits) + entries + _entries(random, space)
    for name, short in _ABBREVIATED:
        given = given.replace(name, random.choice((name, short)))
    twice = b"" if random.random() < 0.95 else random.choice((b"/W 200", b"/Height 32", b"/L 99", b"/F/AHx"))
    after = _usually(random, b"\nEI", (b"EI", b" EI ", b"\nEI 9 EI", b" junk EI", b"\r\nEI", b"\nEI(", b""))
    space_before = _usually(random, b" ", (b"\n", b"\r\n", b"", b"  "))
    draft.draw(b"q 400 0 0 64 60 300 cm BI%b%b ID%b%b%b Q\n" % (given, twice, space_before, data, after))


_NAMES = (b"Own", b"Own", b"G", b"RGB", b"DeviceGray", b"DeviceRGB", b"Pattern")


@_picture("an inline picture in a space of the resources")
def _named_space(draft: Draft, random: Random) -> None:
    name = random.choice(_NAMES)
    draft.resource(b"ColorSpace", name, random.choice(_ODD_SPACES))
    mode = random.choice(("RGB", "L"))
    draft.draw(b"q /%b cs %b scn 60 250 200 30 re f Q\n" % (name, b"1 " * len(mode)))
    entries = b"/W 400/H 64/BPC 8/CS/%b" % name
    draft.draw(b"q 400 0 0 64 60 300 cm BI%b ID %b\nEI Q\n" % (entries, _drawn(SHOWN, mode).tobytes()))


@_picture("a JPEG 2000 picture with other boxes")
def _boxes(draft: Draft, random: Random) -> None:
    written = BytesIO()
    mode = random.choice(("RGB", "L", "RGBA"))
    _drawn(SHOWN, mode).save(written, "JPEG2000", no_jp2=random.random() < 0.2)
    data = written.getvalue()
    found = data.find(b"colr\x01\0\0")
    changed = data[: found + 7] + pack(">I", random.choice((0, 12, 14, 16, 17, 18, 20))) + data[found + 11 :]
    data = _damaged(random, _usually(random, data, (changed,)) if found > 0 else data, data)
    entries = _entries(random, _SPACES.get(mode, b"/DeviceRGB")) if random.random() < 0.5 else b""
    _show(draft, data, _sized(random) + b"/Filter/JPXDecode" + entries)
