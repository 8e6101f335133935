"""Sanitizes uploaded images: within limits, upright, in sRGB, without metadata (Specification 2.10).

A JPEG that needs no conversion keeps its data. Runs in a child process, because uploads are untrusted.
"""

import struct
import warnings
import zlib
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO

from PIL import Image, ImageCms, ImageMath, ImageOps, UnidentifiedImageError

from application.uploads import jpeg
from application.uploads.png_colours import profile_of
from domain.ports.sender_identity import Logo

MAX_PIXELS = 40_000_000
"""Maximum pixels of an image, which takes 160 MB while it is decoded."""

FORMATS = ("PNG", "JPEG", "WEBP", "GIF")
_ALIASES = {"MPO": "JPEG"}  # several images in one file, written by cameras: the first is a plain JPEG
_COLOUR_TYPE, _GREY, _MAX_BITS = 25, 0, 16
"""The place of the colour type in a PNG, behind that of the bits of a sample, and the type of grey images."""

_ORIENTATION = 0x0112
_QUALITY = 92
_MAX_OPAQUE_PNG = 4_000_000
"""Maximum bytes of an opaque image as PNG. A larger one is a photograph, and becomes a JPEG."""

_MAX_SANITIZED = 16_000_000
"""Maximum bytes of a sanitized image. A transparent WebP of 2 MB can be a hundred times as large as PNG."""

_MAX_OPTIMIZED = 4_000_000
"""Maximum pixels for the best compression, which takes seconds and saves a tenth."""

LOGO_WIDTH, LOGO_HEIGHT = 240, 56
"""Maximum size of a logo in CSS pixels: fits on a phone, and is no taller than two lines of text."""

_LOGO_DENSITY = 2
"""Pixels per CSS pixel."""

_SCAN = b"\xff\xda"
_MAX_SCANS = 100
"""Maximum scans of a JPEG, each of which is decoded over the whole picture; progressive ones have some ten."""

_MAX_SCANNED = 500_000_000
"""Maximum pixels of all scans together: a progressive JPEG of the most pixels, with a thumbnail, has fewer."""

_TOO_MANY_SCANS = "The picture is divided into too many scans. Save it again, and upload the new file."
_TOO_DETAILED = f"The picture takes more than {_MAX_SANITIZED // 1_000_000} MB as PNG or JPEG. Make it smaller."

DECODING_ERRORS = (
    OSError, SyntaxError, ValueError, EOFError, IndexError, KeyError, TypeError, OverflowError, struct.error, zlib.error
)  # fmt: skip
"""Errors that Pillow raises for invalid files."""

_ALLOWED = f"{MAX_PIXELS // 1_000_000} million are taken. Make it smaller."


class ImageUnreadable(Exception):
    """The file is not an image of a supported format, is damaged, or is too large. The message says what to do."""


@dataclass(frozen=True, slots=True)
class SanitizedImage:
    """A sanitized image. `content_type` is its media type, `uploaded_type` that of the upload; sizes are in pixels."""

    content: bytes
    content_type: str
    uploaded_type: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class _Decoded:
    """The format of an upload, its sanitized pixels, and its stripped data if that has the same pixels."""

    kind: str
    picture: Image.Image
    stripped: bytes | None


def sanitize(upload: bytes) -> SanitizedImage:
    """Returns the sanitized image, the first frame of an animation. Raises `ImageUnreadable`."""
    decoded = _decode(upload, keeps_data=True)
    content = decoded.stripped or _encode(decoded.picture, prefer_jpeg=decoded.kind == "JPEG")
    return SanitizedImage(
        content=content,
        content_type="image/jpeg" if content.startswith(b"\xff\xd8") else "image/png",
        uploaded_type=f"image/{decoded.kind.lower()}",
        width=decoded.picture.width,
        height=decoded.picture.height,
    )


def decode(upload: bytes) -> Image.Image:
    """Returns the sanitized pixels, in L, LA, RGB or RGBA. Raises `ImageUnreadable`."""
    return _decode(upload, keeps_data=False).picture


def fit_logo(upload: bytes) -> Logo:
    """Returns an image as the logo of mails (PNG), scaled down to the maximum size. Raises `ImageUnreadable`."""
    with Image.open(BytesIO(sanitize(upload).content)) as opened:
        picture = opened.convert("RGBA")
    picture.thumbnail((LOGO_WIDTH * _LOGO_DENSITY, LOGO_HEIGHT * _LOGO_DENSITY), Image.Resampling.LANCZOS)
    out = BytesIO()
    picture.save(out, "PNG", optimize=True)
    return Logo(out.getvalue(), *(max(1, round(side / _LOGO_DENSITY)) for side in picture.size))


def _decode(upload: bytes, *, keeps_data: bool) -> _Decoded:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            return _decode_first_frame(upload, keeps_data=keeps_data)
    except UnidentifiedImageError as error:
        raise ImageUnreadable("This is no PNG, JPEG, WebP or GIF. Convert it to one of them.") from error
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise ImageUnreadable(f"The picture has too many pixels; {_ALLOWED}") from error
    except DECODING_ERRORS as error:
        raise ImageUnreadable("The picture is damaged or cut off. Save it again, and upload the new file.") from error


def _decode_first_frame(upload: bytes, *, keeps_data: bool) -> _Decoded:
    _check_size(_webp_size(upload))  # Pillow allocates the memory for a WebP when it opens it
    with Image.open(BytesIO(upload), formats=FORMATS) as opened:
        kind = _ALIASES.get(opened.format or "", opened.format or "")
        _check_size(opened.size)
        scans = upload.count(_SCAN) if kind == "JPEG" else 1
        if scans > _MAX_SCANS or scans * opened.width * opened.height > _MAX_SCANNED:
            raise ImageUnreadable(_TOO_MANY_SCANS)
        opened.load()
        _check_size(opened.size)  # the first frame of a GIF may be larger than the file says at its beginning
        # Browsers turn JPEGs by their orientation, and no other files.
        picture = _upright(opened) if kind == "JPEG" else _with_transparency(opened, upload)
        profile = opened.info.get("icc_profile") or profile_of(opened.info)
        keeps_data = keeps_data and kind == "JPEG" and picture is opened and _is_srgb(profile)
        stripped = _stripped(upload, opened) if keeps_data else None
        return _Decoded(kind, _plain(_in_srgb(picture, profile)), stripped)


def _check_size(size: tuple[int, int]) -> None:
    width, height = size
    if width * height > MAX_PIXELS:
        raise ImageUnreadable(f"The picture is {width} x {height} pixels; {_ALLOWED}")


def _webp_size(content: bytes) -> tuple[int, int]:
    """Returns width and height from the header of a WebP; 0 x 0 for other files.

    WebP container specification; RFC 6386, 9.1; WebP lossless bitstream specification, 3.
    """
    head = content[:30]
    if len(head) < 30 or head[:4] != b"RIFF" or head[8:12] != b"WEBP":
        return 0, 0
    match head[12:16]:
        case b"VP8X":
            return int.from_bytes(head[24:27], "little") + 1, int.from_bytes(head[27:30], "little") + 1
        case b"VP8L":
            (bits,) = struct.unpack_from("<I", head, 21)
            return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        case b"VP8 ":
            width, height = struct.unpack_from("<HH", head, 26)
            return width & 0x3FFF, height & 0x3FFF
    return 0, 0


def _upright(opened: Image.Image) -> Image.Image:
    """Returns the image, turned by its Exif orientation; unchanged if that is unreadable."""
    try:
        turned = opened.getexif().get(_ORIENTATION, 1) in range(2, 9)
    except DECODING_ERRORS:
        return opened
    return ImageOps.exif_transpose(opened) if turned else opened


def _with_transparency(opened: Image.Image, upload: bytes) -> Image.Image:
    """Returns a PNG with its transparent shade or colour as Pillow expects it; other images unchanged.

    It has the bits of the file (PNG specification, tRNS); the pixels of Pillow have eight.
    """
    shade = opened.info.get("transparency")
    if opened.format == "PNG" and isinstance(shade, tuple) and upload[_COLOUR_TYPE - 1] == _MAX_BITS:
        opened.info["transparency"] = tuple(part >> 8 for part in shade)
    if opened.format != "PNG" or not isinstance(shade, int) or upload[_COLOUR_TYPE] != _GREY:
        return opened
    if opened.mode == "L":
        opened.info["transparency"] = shade * 255 // (2 ** min(upload[_COLOUR_TYPE - 1], 8) - 1)
    if not opened.mode.startswith("I"):
        return opened
    shades = opened.convert("I")
    picture = _eight_bits(shades)
    picture.putalpha(ImageMath.lambda_eval(lambda of: of["convert"]((of["it"] != shade) * 255, "L"), it=shades))
    return picture


def _eight_bits(picture: Image.Image) -> Image.Image:
    """Returns a grey image of 16 bits with 8 bits."""
    return picture.convert("I").point(lambda level: level / 257).convert("L")


def _stripped(upload: bytes, opened: Image.Image) -> bytes | None:
    """Returns the JPEG without metadata; None if its pixels would change."""
    if opened.mode not in {"L", "RGB"}:
        return None
    try:
        stripped = jpeg.strip(upload)
    except jpeg.NotAJpeg:
        return None
    with Image.open(BytesIO(stripped), formats=("JPEG",)) as again:
        return stripped if again.mode == opened.mode and again.tobytes() == opened.tobytes() else None


def _is_srgb(profile: bytes | None) -> bool:
    if profile is None:
        return True
    try:
        return "sRGB" in ImageCms.getProfileDescription(ImageCms.ImageCmsProfile(BytesIO(profile)))
    except (ImageCms.PyCMSError, *DECODING_ERRORS):
        return True


def _in_srgb(picture: Image.Image, profile: bytes | None) -> Image.Image:
    """Converts the colours of a readable profile to sRGB."""
    if profile is None or _is_srgb(profile):
        return picture
    if picture.mode in {"P", "PA"}:
        picture = picture.convert("RGBA" if picture.has_transparency_data else "RGB")
    if picture.mode in {"1", "L", "LA"} and _is_of_colours(profile):
        picture = picture.convert("RGBA" if picture.has_transparency_data else "RGB")
    if picture.mode not in {"RGB", "RGBA", "CMYK"}:
        return picture
    alpha = picture.getchannel("A") if picture.mode == "RGBA" else None
    colours = picture.convert("RGB") if alpha else picture
    try:
        own = ImageCms.ImageCmsProfile(BytesIO(profile))
        shown = ImageCms.profileToProfile(colours, own, ImageCms.createProfile("sRGB"), outputMode="RGB")
    except (ImageCms.PyCMSError, *DECODING_ERRORS):
        return picture
    if shown is None:
        return picture
    if alpha:
        shown.putalpha(alpha)
    return shown


def _is_of_colours(profile: bytes) -> bool:
    """Returns whether a profile is one of red, green and blue (ICC.1, 7.2.6)."""
    return profile[16:20] == b"RGB "


def _plain(picture: Image.Image) -> Image.Image:
    """Returns the pixels in grey or RGB, with an alpha channel only if some are transparent."""
    if picture.has_transparency_data:
        grey = picture.mode in {"1", "L", "LA"}
        plain = picture.convert("RGBA").convert("LA" if grey else "RGBA")
        if plain.getchannel("A").getextrema() == (255, 255):
            plain = plain.convert("L" if grey else "RGB")
    elif picture.mode.startswith("I"):
        plain = _eight_bits(picture)
    else:
        plain = picture.convert("L" if picture.mode in {"1", "L"} else "RGB")
    plain = plain.copy()
    plain.info = {}  # otherwise Pillow would write parts of it
    return plain


def _encode(picture: Image.Image, *, prefer_jpeg: bool) -> bytes:
    """Returns a JPEG for JPEG uploads and opaque images that are large as PNG, and else a PNG."""
    has_alpha = picture.mode in {"LA", "RGBA"}
    if has_alpha or not prefer_jpeg:
        written = _Bounded(_MAX_SANITIZED if has_alpha else _MAX_OPAQUE_PNG)
        # An image that is too large as PNG is written as JPEG below.
        with suppress(_TooLarge):
            picture.save(written, "PNG", optimize=picture.width * picture.height <= _MAX_OPTIMIZED)
            return written.getvalue()
        if has_alpha:
            raise ImageUnreadable(_TOO_DETAILED)
    written = _Bounded(_MAX_SANITIZED)
    try:
        picture.save(written, "JPEG", quality=_QUALITY, subsampling=0)
    except _TooLarge as error:
        raise ImageUnreadable(_TOO_DETAILED) from error
    return written.getvalue()


class _TooLarge(Exception):
    pass


class _Bounded(BytesIO):
    """A file of at most `most` bytes. `write` raises `_TooLarge` beyond that."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def write(self, written: bytes, /) -> int:  # type: ignore[override]  # Pillow writes nothing but bytes
        if self.tell() + len(written) > self._most:
            raise _TooLarge
        return super().write(written)
