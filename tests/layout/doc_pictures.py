"""`python -m tests.layout.doc_pictures` writes the pictures of blocks in `docs/images`, as the layout draws them."""

from PIL import Image

from layout.engine import render
from layout.pdf.pymupdf_file import open_file
from tests import ROOT
from tests.layout.documents import KEYS
from tests.layout.kinds import kind
from tests.layout.pictures import PICTURES

IMAGES = ROOT / "docs" / "images"
SHOWN = ("runs", "clauses")
_DPI, _EDGE = 120, 24


def picture_of(name: str) -> Image.Image:
    """Returns the blocks of a kind without the margins of their page."""
    rendered = render(kind(name), KEYS, PICTURES)
    assert rendered.pdf is not None
    with open_file(rendered.pdf) as file:
        pixels = file[0].get_pixmap(dpi=_DPI)
    page = Image.frombytes("RGB", (pixels.width, pixels.height), pixels.samples)
    top = 100 * _DPI // 72
    body = page.crop((0, top, page.width, page.height - 80 * _DPI // 72)).convert("L")
    left, upper, right, lower = body.point(lambda shade: 255 * (shade < 250)).getbbox() or (0, 0, 1, 1)
    return page.crop((left - _EDGE, top + upper - _EDGE, right + _EDGE, top + lower + _EDGE))


if __name__ == "__main__":
    for name in SHOWN:
        picture_of(name).quantize(48).save(IMAGES / f"{name}.png", optimize=True)
