"""The codes of facsimiles as libtiff writes them."""

from io import BytesIO

from PIL import Image, TiffImagePlugin


def strip_of(picture: Image.Image, compression: str) -> bytes:
    """Returns the only strip of a TIFF file of a picture of mode 1; compression is `group3` or `group4`."""
    written = BytesIO()
    picture.save(written, "TIFF", compression=compression, strip_size=picture.width * picture.height)
    written.seek(0)
    with TiffImagePlugin.TiffImageFile(written) as opened:
        tags = opened.tag_v2
        (start,), (length,) = tags[TiffImagePlugin.STRIPOFFSETS], tags[TiffImagePlugin.STRIPBYTECOUNTS]
    return written.getvalue()[start : start + length]
