"""An uploaded picture as the logo of emails: sanitized, as small as they show it, and sharp on fine screens."""

from io import BytesIO

from PIL import Image

from application.uploads.images.sanitize import sanitize
from ports.mail import Logo

WIDEST, HIGHEST = 240, 56
"""CSS pixels: beside a phone's margins, and no taller than two lines of text."""

FINENESS = 2
"""Pixels for each CSS pixel."""


def fit_logo(upload: bytes) -> Logo:
    """`upload` within `WIDEST` and `HIGHEST`, never larger than it is.

    Raises:
        ImageUnreadable: it is not taken.
    """
    with Image.open(BytesIO(sanitize(upload).content)) as opened:
        picture = opened.convert("RGBA")
    picture.thumbnail((WIDEST * FINENESS, HIGHEST * FINENESS), Image.Resampling.LANCZOS)
    out = BytesIO()
    picture.save(out, "PNG", optimize=True)
    return Logo(out.getvalue(), *(max(1, round(side / FINENESS)) for side in picture.size))
