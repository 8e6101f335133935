"""Sanitizes an uploaded image: decodes it within limits, upright, in sRGB, without metadata. Specification 2.10.

A JPEG that needs none of this keeps its own data. Runs in a child process: what comes is anybody's.
"""

import struct
import warnings
import zlib
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO

from PIL import Image, ImageCms, ImageOps, UnidentifiedImageError

from application.uploads.images import jpeg, webp

MAX_PIXELS = 40_000_000
"""Of a picture: 160 MB while it is decoded."""

FORMATS = ("PNG", "JPEG", "WEBP", "GIF")
_ALSO_CALLED = {"MPO": "JPEG"}  # several pictures in one file, as cameras write them: the first is a plain JPEG
_ORIENTATION = 0x0112
_QUALITY = 92
_LARGEST_PNG = 4_000_000
"""Bytes: an opaque picture that is larger as PNG is a photograph, and becomes a JPEG."""

MAX_KEPT = 16_000_000
"""Bytes of a picture as it is kept: a WebP of 2 MB that is see-through can be a hundred times as large as PNG."""

_LARGEST_OPTIMIZED = 4_000_000
"""Pixels: of larger pictures the best compression takes many seconds and gains a tenth."""

_TOO_DETAILED = f"The picture takes more than {MAX_KEPT // 1_000_000} MB as PNG or JPEG. Make it smaller."

DECODING_ERRORS = (
    OSError, SyntaxError, ValueError, EOFError, IndexError, KeyError, TypeError, OverflowError, struct.error, zlib.error
)  # fmt: skip
"""What Pillow makes of bad files."""


_ALLOWED = f"{MAX_PIXELS // 1_000_000} million are taken. Make it smaller."


class ImageUnreadable(Exception):
    """Not a picture of a kind that is taken, damaged, or with too many pixels. The message says what to do."""


@dataclass(frozen=True, slots=True)
class SanitizedImage:
    """A picture as it is kept. `uploaded_type` is what came, `content_type` what `content` is; sizes in pixels."""

    content: bytes
    content_type: str
    uploaded_type: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class _Decoded:
    """What an upload was, its sanitized pixels, and itself without metadata if that is as good."""

    kind: str
    picture: Image.Image
    as_it_is: bytes | None


def sanitize(upload: bytes) -> SanitizedImage:
    """`upload` as it is kept. Of pictures that move, the first.

    Raises:
        ImageUnreadable: it is not taken.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            decoded = _decode(upload)
    except UnidentifiedImageError as error:
        raise ImageUnreadable("This is no PNG, JPEG, WebP or GIF. Convert it to one of them.") from error
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise ImageUnreadable(f"The picture has too many pixels; {_ALLOWED}") from error
    except DECODING_ERRORS as error:
        raise ImageUnreadable("The picture is damaged or cut off. Save it again, and upload the new file.") from error
    content = decoded.as_it_is or _encode(decoded.picture, prefer_jpeg=decoded.kind == "JPEG")
    return SanitizedImage(
        content=content,
        content_type="image/jpeg" if content.startswith(b"\xff\xd8") else "image/png",
        uploaded_type=f"image/{decoded.kind.lower()}",
        width=decoded.picture.width,
        height=decoded.picture.height,
    )


def _decode(upload: bytes) -> _Decoded:
    _check_size(webp.size(upload))
    with Image.open(BytesIO(upload), formats=FORMATS) as opened:
        kind = _ALSO_CALLED.get(opened.format or "", opened.format or "")
        _check_size(opened.size)
        opened.load()
        _check_size(opened.size)  # the first frame of a GIF may be larger than the file says at its beginning
        picture = _upright(opened)
        profile = opened.info.get("icc_profile")
        as_it_is = _as_it_is(upload, opened) if kind == "JPEG" and picture is opened and _is_srgb(profile) else None
        return _Decoded(kind, _plain(_in_srgb(picture, profile)), as_it_is)


def _check_size(size: tuple[int, int]) -> None:
    width, height = size
    if width * height > MAX_PIXELS:
        raise ImageUnreadable(f"The picture is {width} x {height} pixels; {_ALLOWED}")


def _upright(opened: Image.Image) -> Image.Image:
    """The picture turned as its metadata asks; itself when they ask for nothing, or cannot be read."""
    try:
        turned = opened.getexif().get(_ORIENTATION, 1) in range(2, 9)
    except DECODING_ERRORS:
        return opened
    return ImageOps.exif_transpose(opened) if turned else opened


def _as_it_is(upload: bytes, opened: Image.Image) -> bytes | None:
    """The same JPEG without its metadata, if it is in colours that need nothing said about them."""
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
    """The picture with the colours that its profile means, as far as the profile can be understood."""
    if profile is None or _is_srgb(profile):
        return picture
    if picture.mode in {"P", "PA"}:
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


def _plain(picture: Image.Image) -> Image.Image:
    """The pixels alone, in grey or in RGB, with transparency where there is some."""
    if picture.has_transparency_data:
        grey = picture.mode in {"1", "L", "LA"}
        plain = picture.convert("RGBA").convert("LA" if grey else "RGBA")
        if plain.getchannel("A").getextrema() == (255, 255):
            plain = plain.convert("L" if grey else "RGB")
    elif picture.mode.startswith("I"):
        plain = picture.convert("I").point(lambda level: level / 257).convert("L")  # 16 bits a pixel
    else:
        plain = picture.convert("L" if picture.mode in {"1", "L"} else "RGB")
    plain = plain.copy()
    plain.info = {}  # or Pillow would write parts of it again
    return plain


def _encode(picture: Image.Image, *, prefer_jpeg: bool) -> bytes:
    """A JPEG for what was one and for opaque pictures that are large as PNG, a PNG for all others."""
    has_alpha = picture.mode in {"LA", "RGBA"}
    if has_alpha or not prefer_jpeg:
        written = _Bounded(MAX_KEPT if has_alpha else _LARGEST_PNG)
        with suppress(_TooLarge):
            picture.save(written, "PNG", optimize=picture.width * picture.height <= _LARGEST_OPTIMIZED)
            return written.getvalue()
        if has_alpha:
            raise ImageUnreadable(_TOO_DETAILED)
    written = _Bounded(MAX_KEPT)
    try:
        picture.save(written, "JPEG", quality=_QUALITY, subsampling=0)
    except _TooLarge as error:
        raise ImageUnreadable(_TOO_DETAILED) from error
    return written.getvalue()


class _TooLarge(Exception):
    """More was written than may be."""


class _Bounded(BytesIO):
    """Takes so many bytes and no more."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def write(self, written: bytes, /) -> int:  # type: ignore[override]  # Pillow writes nothing but bytes
        if self.tell() + len(written) > self._most:
            raise _TooLarge
        return super().write(written)
