"""Pictures of uploads: entries and codes that all readers take alike (ISO 32000-2, 8.9.5)."""

import re
import zlib
from base64 import a85decode
from collections.abc import Set
from io import BytesIO
from struct import unpack_from

from pikepdf import Array, Dictionary, Name, Object, Pdf, Stream, StreamDecodeLevel, String
from PIL import Image

from application.uploads.fax_picture import fax_codes, has_plain_codes, plain_parameters
from application.uploads.pdf_keys import is_numbers, keep, key_set
from application.uploads.pdf_limits import MAX_STREAM, PdfRefused, filters_of
from application.uploads.plain_jpeg import OddJpeg, check_jpeg, written_anew

_ODD_IMAGE = (
    "The PDF has a picture that is damaged, or written in a way that PDF readers draw as different pictures. Save the "
    "PDF with another program, and upload that."
)
_CODED = "pictures that readers decode in different ways"
_MANY = "more pictures than can be checked"
_MAX_CHECKED = 10_000_000
"""Bytes of the JPEG pictures of a file whose codes are checked, which takes some ten seconds.

More are written anew, which is faster.
"""

_BITS = frozenset({1, 2, 4, 8, 16})
"""Bits of a component (8.9.5.1)."""

_JPEG, _JPX, _JBIG2, _FAX = "/DCTDecode", "/JPXDecode", "/JBIG2Decode", "/CCITTFaxDecode"
_LOSSLESS = key_set("FlateDecode LZWDecode ASCII85Decode ASCIIHexDecode RunLengthDecode")
_OF_SAMPLES = key_set("Width Height Filter DecodeParms Length")
_COMPONENTS = {
    "/DeviceGray": 1, "/CalGray": 1, "/Indexed": 1, "/Separation": 1, "/DeviceRGB": 3, "/CalRGB": 3, "/Lab": 3,
    "/DeviceCMYK": 4,
}  # fmt: skip
"""Values of a colour by family of colour spaces (8.6.3)."""


_ENUMERATED = re.compile(rb"colr\x01..", re.DOTALL)
_GREY_OR_RGB = {b"\0\0\0\x11": 1, b"\0\0\0\x10": 3}
"""Components by number of the colour space of JPEG 2000 pictures (ISO/IEC 15444-1, I.5.3.3)."""

_SIZES, _DEPTHS, _SIGNED = 8, 42, 128
"""Places of the sizes and of the depths of the components in JPEG 2000 codes, and the bit of samples with signs."""

_BITS_OF_JPEG = 8
_MAX_INDEX, _PARTS_OF_INDEXED = 255, 4


def plain_image(image: Stream, found: set[str], *, checked: int = 0) -> int:
    """Makes a picture plain. Returns the bytes of all JPEG pictures so far, after `checked` of others.

    Raises `PdfRefused`.
    """
    filters = filters_of(image)
    is_mask = image.get(Name.ImageMask, False) is True
    components = components_of_picture(image)
    if _JPEG in filters:
        raw = image.read_raw_bytes()
        checked += len(raw)
        data = _coded(raw, filters)
        _plain_jpeg(image, data, components, found, is_checked=checked <= _MAX_CHECKED)
    if filters and filters[-1] in {_FAX, _JBIG2}:
        _plain_bits(image, filters, found)
    if _JPX in filters:
        _plain_jpx(image, _coded(image.read_raw_bytes(), filters), found)
    elif image.get(Name.BitsPerComponent, 1 if is_mask else 0) not in _BITS:
        raise PdfRefused(_ODD_IMAGE)
    if is_mask and image.get(Name.BitsPerComponent, 1) != 1:
        raise PdfRefused(_ODD_IMAGE)
    if not _has_plain_ranges(image, components):
        raise PdfRefused(_ODD_IMAGE)
    if not is_mask and not is_whole(image.get(Name.ColorSpace)):
        raise PdfRefused(_ODD_IMAGE)
    if _LOSSLESS.issuperset(filters) and _is_cut_off(image, components):
        raise PdfRefused(_ODD_IMAGE)
    return checked


def components_of_picture(image: Stream) -> int:
    """Returns the number of values of a pixel; 0 if it is unknown."""
    return 1 if image.get(Name.ImageMask, False) is True else components_of(image.get(Name.ColorSpace))


def size_of_samples(image: Stream, components: int) -> int:
    """Returns the bytes of the samples of a picture (8.9.5.2); 0 if that is unknown."""
    width, height = image.get(Name.Width), image.get(Name.Height)
    if not isinstance(width, int) or not isinstance(height, int):
        return 0
    return (width * components * int(image.get(Name.BitsPerComponent, 1)) + 7) // 8 * height


def components_of(space: Object | None) -> int:
    """Returns the number of values of a colour; 0 if it is unknown."""
    if isinstance(space, Array) and len(space) > 1:
        if space[0] == Name.ICCBased and isinstance(space[1], Stream):
            return int(space[1].get(Name.N, 0))
        if space[0] == Name.DeviceN and isinstance(space[1], Array):
            return len(space[1])
        space = space[0]
    return _COMPONENTS.get(str(space), 0)


def _plain_jpeg(image: Stream, data: bytes, components: int, found: set[str], *, is_checked: bool) -> None:
    """Checks the codes of a JPEG picture, and writes a picture with odd ones from its pixels."""
    width, height = image.get(Name.Width), image.get(Name.Height)
    if not isinstance(width, int) or not isinstance(height, int):
        raise PdfRefused(_ODD_IMAGE)
    try:
        count = check_jpeg(data, width, height) if is_checked else None
    except OddJpeg:
        count = None
    if count is None:
        found.add(_CODED if is_checked else _MANY)
        try:
            data, count = written_anew(data, (width, height))
        except OddJpeg:
            raise PdfRefused(_ODD_IMAGE) from None
        image.write(data, filter=Name.DCTDecode)
    if components and components != count:
        raise PdfRefused(_ODD_IMAGE)
    if image.get(Name.BitsPerComponent) != _BITS_OF_JPEG:
        found.add(_CODED)
        image[Name.BitsPerComponent] = _BITS_OF_JPEG
    _check_transform(image.get(Name.DecodeParms), count)


def _check_transform(parms: Object | None, components: int) -> None:
    """Refuses a transform of colours other than the usual one (7.4.8), which some readers do not follow."""
    for one in parms if isinstance(parms, Array) else [parms]:
        if isinstance(one, Dictionary) and components == 3 and one.get(Name.ColorTransform, 1) != 1:
            raise PdfRefused(_ODD_IMAGE)


def _plain_bits(image: Stream, filters: list[str], found: set[str]) -> None:
    """Writes a picture of one bit a pixel with other codes than those of Group 4 from its pixels."""
    width, height, bits = image.get(Name.Width), image.get(Name.Height), image.get(Name.BitsPerComponent, 1)
    if not isinstance(width, int) or not isinstance(height, int) or width <= 0 or height <= 0 or bits != 1:
        raise PdfRefused(_ODD_IMAGE)
    picture, parameters = _pixels(image, (width, height)), _only(image.get(Name.DecodeParms))
    if filters != [_FAX] or not has_plain_codes(image.read_raw_bytes(), parameters, picture):
        found.add(_CODED)
        parameters = plain_parameters(picture.size)
        image.write(fax_codes(picture), filter=Name.CCITTFaxDecode, decode_parms=parameters)


def _only(listed: Object | None) -> Object | None:
    return listed[0] if isinstance(listed, Array) and len(listed) == 1 else listed


def _pixels(image: Stream, size: tuple[int, int]) -> Image.Image:
    """Returns the samples of a picture of one bit a pixel; ones are white. Raises `PdfRefused`."""
    from layout.pdf.pymupdf_file import (  # noqa: PLC0415  # only child processes may load renderers
        DRAWING_ERRORS,
        decode_picture,
    )

    alone, written = Pdf.new(), BytesIO()
    copied = alone.copy_foreign(image)
    keep(copied, _OF_SAMPLES)
    copied.Subtype, copied.ColorSpace, copied.BitsPerComponent = Name.Image, Name.DeviceGray, 1
    alone.Root.Picture = copied
    alone.save(written)
    try:
        picture = decode_picture(written.getvalue(), "Picture")
    except DRAWING_ERRORS:
        raise PdfRefused(_ODD_IMAGE) from None
    if picture.size != size:
        raise PdfRefused(_ODD_IMAGE)
    return picture


def _has_plain_ranges(image: Stream, components: int) -> bool:
    """Returns whether `Decode` and a colour key have two numbers for each of `components`, which are 0 if unknown.

    A colour key has samples, of which the first of two is not above the second (8.9.6.4).
    """
    decoded, key = image.get(Name.Decode), image.get(Name.Mask)
    if isinstance(decoded, Array) and not is_numbers(decoded, 2 * components or len(decoded)):
        return False
    if not isinstance(key, Array):
        return True
    samples = [value if isinstance(value, int) else -1 for value in key]
    end = 2 ** int(image.get(Name.BitsPerComponent, 1))
    pairs = zip(samples[::2], samples[1::2], strict=False)
    return len(key) == (2 * components or len(key)) and all(0 <= first <= last < end for first, last in pairs)


def _coded(data: bytes, filters: list[str]) -> bytes:
    """Returns the JPEG or JPEG 2000 data of a picture, without the filters around them."""
    for name in filters[:-1]:
        if name == "/FlateDecode":
            reader = zlib.decompressobj()
            data = reader.decompress(data, MAX_STREAM)
        elif name == "/ASCII85Decode":
            data = a85decode(data.strip().removesuffix(b"~>"))
        else:
            raise PdfRefused(_ODD_IMAGE)
    if filters[-1] not in {_JPEG, _JPX}:
        raise PdfRefused(_ODD_IMAGE)
    return data


def _plain_jpx(image: Stream, data: bytes, found: set[str]) -> None:
    """Checks that a JPEG 2000 picture is grey or RGB, and that its entries say what its codes do (7.4.9)."""
    head, _, boxed = data.partition(b"jp2c")
    codes, own = boxed or head, image.get(Name.ColorSpace)
    spaces = {head[place.end() : place.end() + 4] for place in _ENUMERATED.finditer(head)} if boxed else set()
    if not spaces <= _GREY_OR_RGB.keys() or image.get(Name.SMaskInData, 0) != 0:
        raise PdfRefused(_ODD_IMAGE)
    counts = {_GREY_OR_RGB[space] for space in spaces} or ({*_GREY_OR_RGB.values()} if boxed else set())
    if own is not None:
        counts = {components_of(own)} - {0}
    if not _has_samples(codes, image, counts):
        raise PdfRefused(_ODD_IMAGE)
    if isinstance(image.get(Name.Decode), Array) or isinstance(image.get(Name.Mask), Array):
        raise PdfRefused(_ODD_IMAGE)
    bits = codes[_DEPTHS] + 1
    if image.get(Name.BitsPerComponent, bits if boxed else 0) != bits:
        found.add(_CODED)
        image[Name.BitsPerComponent] = bits  # without boxes around the codes, some readers follow it


def _has_samples(codes: bytes, image: Stream, counts: Set[int]) -> bool:
    """Returns whether JPEG 2000 codes are of the size of the picture, with components of one depth (A.5.1)."""
    if len(codes) <= _DEPTHS:
        return False
    right, bottom, left, top, *_, count = unpack_from(">8IH", codes, _SIZES)
    depths = codes[_DEPTHS : _DEPTHS + 3 * count]
    is_of_size = (right - left, bottom - top) == (image.get(Name.Width), image.get(Name.Height))
    return is_of_size and count in counts and depths == (depths[:1] + b"\1\1") * count and depths[0] < _SIGNED


def is_whole(space: Object | None) -> bool:
    """Returns whether an indexed colour space has all its colours (8.6.6.3), and another is one for pictures."""
    if not isinstance(space, Array) or not len(space):
        return True
    if space[0] not in {Name.Indexed, Name.I}:
        return space[0] != Name.Lab  # readers take other ranges for its values
    if len(space) != _PARTS_OF_INDEXED or not isinstance(space[2], int):
        return False
    return 0 <= space[2] <= _MAX_INDEX and len(_bytes(space[3])) >= (space[2] + 1) * components_of(space[1])


def _bytes(table: Object) -> bytes:
    return bytes(table) if isinstance(table, String) else table.read_bytes()


def _is_cut_off(image: Stream, components: int) -> bool:
    """Returns whether more than a hundredth of a picture is missing, which readers fill differently."""
    wanted = size_of_samples(image, components)
    return len(image.read_bytes(StreamDecodeLevel.specialized)) < wanted - wanted // 100
