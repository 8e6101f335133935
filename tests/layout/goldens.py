"""The golden documents: the boxes on their pages as text that a person can read, and their pages as small pictures.

`python -m tests.layout.goldens` records how they look now. Look at the result.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

from PIL import Image

from layout.engine import Rendered, ZoneValue, render, stamp
from layout.frames import Fill, Item, Outline, Placed, Ring, Rule, Stroke, Text, UnplacedZone
from layout.frames import Image as PictureItem
from layout.paging.build_blocks import build_blocks
from layout.paging.pagination import Page, paginate
from layout.pdf.pymupdf_file import open_file
from layout.schema.block_document import BlockDocument
from layout.schema.image_file import ImageFile
from layout.text.characters import fonts_for
from layout.theme_styles import to_hex
from layout.zone import ZoneType
from tests import ROOT
from tests.layout.documents import KEYS
from tests.layout.kinds import KINDS, kind
from tests.layout.looks import LOOKS, images, look, pdf_of
from tests.layout.pictures import PICTURES, difference, scrawl
from tests.layout.scripts import SCRIPTS, agreement_in, signed_in

GOLDENS = ROOT / "tests" / "goldens" / "layout"
BUILD = ROOT / "build" / "layout-goldens"
DPI = 60
_BELOW = 20  # pixels


class Golden(NamedTuple):
    """A document, the images that it shows, and its pages that are kept as pictures, by file name."""

    document: BlockDocument
    images: Mapping[str, ImageFile]
    pictures: Callable[[], dict[str, Image.Image]]


def agreement() -> BlockDocument:
    return BlockDocument.model_validate(json.loads((GOLDENS / "agreement.json").read_text("utf-8")))


def sent() -> Rendered:
    return render(agreement(), KEYS)


def signed(rendered: Rendered) -> bytes:
    """The agreement with every zone filled in."""
    assert rendered.pdf is not None
    values = {
        ZoneType.TEXT: {"text": "Nordnes 4, 5005 Bergen"},
        ZoneType.CHECKBOX: {"ticked": True},
        ZoneType.SIGNER_NAME: {"text": "Ågot Þórsdóttir"},
        ZoneType.DATE_SIGNED: {"text": "2026-06-12"},
    }
    marks = [ZoneValue(zone, **values[zone.type]) for zone in rendered.zones if zone.type in values]
    typed, drawn = (zone for zone in rendered.zones if zone.type is ZoneType.SIGNATURE)
    small_print = "Signed 2026-06-12 12:00 UTC · 9f3c2a77"
    marks.append(ZoneValue(typed, text="Ågot Þórsdóttir", small_print=small_print))
    marks.append(ZoneValue(drawn, image=scrawl(), small_print=small_print))
    return stamp(rendered.pdf, marks)


def boxes(golden: Golden) -> str:
    """Every box of every page, one a line: where, how large, what. Points from the page's top left corner."""
    written, fonts = golden.document, fonts_for(golden.document)
    built = build_blocks(written, golden.images, fonts)
    pages = paginate(built.blocks, built.band, fonts, built.keeps).pages(written.footer_label or written.title, fonts)
    return "\n".join(line for page in pages for line in _page(page)) + "\n"


def pictures(pdf: bytes) -> list[Image.Image]:
    """Each page as it looks, small."""
    found = []
    with open_file(pdf) as file:
        for page in file:
            pixels = page.get_pixmap(dpi=DPI)
            found.append(Image.frombytes("RGB", (pixels.width, pixels.height), pixels.samples))
    return found


def _numbered(stem: str, pages: list[Image.Image]) -> dict[str, Image.Image]:
    return {f"{stem}-{number}.png": page for number, page in enumerate(pages, start=1)}


def _of_agreement() -> dict[str, Image.Image]:
    rendered = sent()
    assert rendered.pdf is not None
    stamped = _numbered("signed", pictures(signed(rendered)))
    return _numbered("agreement", pictures(rendered.pdf)) | {
        name: stamped[name] for name in ("signed-2.png", "signed-3.png")
    }


def _of_kind(name: str) -> dict[str, Image.Image]:
    """Pages down to where their blocks end."""
    rendered = render(kind(name), KEYS, PICTURES)
    assert rendered.pdf is not None, rendered.issues
    return _numbered(f"kinds/{name}", [_cropped(page) for page in pictures(rendered.pdf)])


def _cropped(page: Image.Image) -> Image.Image:
    body = page.crop((0, 0, page.width, page.height - 80)).convert("L").point(lambda shade: 255 * (shade < 250))
    box = body.getbbox()
    return page.crop((0, 0, page.width, (box[3] if box else 0) + _BELOW))


def _of_script(script: str) -> dict[str, Image.Image]:
    (page,) = pictures(signed_in(script))
    return {f"scripts/{script}.png": page}


ALL: dict[str, Golden] = {
    "agreement": Golden(agreement(), {}, _of_agreement),
    **{f"kinds/{name}": Golden(kind(name), PICTURES, partial(_of_kind, name)) for name in KINDS},
    **{
        f"looks/{name}": Golden(
            look(name), images(), lambda name=name: _numbered(f"looks/{name}", pictures(pdf_of(name)))
        )
        for name in LOOKS
    },
    **{f"scripts/{name}": Golden(agreement_in(name), {}, partial(_of_script, name)) for name in SCRIPTS},
}
"""The boxes of each golden are in a text file of its name."""


def _page(page: Page) -> Iterator[str]:
    yield f"page {page.number}"
    for placed in page.frames():
        frame = placed.frame
        name = frame.role.name.lower()
        yield f"  {name} {frame.path or '/'} at {placed.x:.1f} {placed.y:.1f}, {frame.width:.1f} x {frame.height:.1f}"
        yield from (f"    {_item(item, placed)}" for item in frame.items if not isinstance(item, Placed))


def _item(item: Item, placed: Placed) -> str:
    x, y = placed.x, placed.y
    match item:
        case Text():
            style = f"{item.style.face.value.rpartition('-')[2]} {item.style.size:g}"
            return f"{x + item.x:.1f} {y + item.y:.1f} {style}: {item.text.rstrip()}"
        case Rule():
            return f"{x + item.x:.1f} {y + item.y:.1f} rule {item.w:.1f} long"
        case Stroke():
            return " to ".join(f"{x + at:.1f} {y + down:.1f}" for at, down in item.points)
    corner, size = f"{x + item.rect.x:.1f} {y + item.rect.y:.1f}", f"{item.rect.w:.1f} x {item.rect.h:.1f}"
    what = {
        Outline: f"box {size}",
        PictureItem: f"picture {size}",
        Ring: f"circle {item.rect.w:.1f}",
        Fill: f"fill {size} {to_hex(item.colour)}" if isinstance(item, Fill) else "",
        UnplacedZone: f"zone {item.type} {item.name} {size} of {item.recipient}"
        if isinstance(item, UnplacedZone)
        else "",
    }
    return f"{corner} {what[type(item)]}"


def recorded(suffix: str) -> set[str]:
    """The recorded files of that kind."""
    return {path.relative_to(GOLDENS).as_posix() for path in GOLDENS.rglob(f"*{suffix}")}


def _owner(picture: str) -> str:
    """The name of the golden that a recorded picture belongs to."""
    return re.sub(r"(-\d)?\.png$", "", picture).replace("signed", "agreement")


def check_boxes(name: str) -> None:
    """The boxes are those of the text file."""
    actual, expected = boxes(ALL[name]), (GOLDENS / f"{name}.txt").read_text("utf-8")
    if actual != expected:
        for part, shown in (("expected", expected), ("actual", actual)):
            path = BUILD / f"{name}-{part}.txt"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(shown, "utf-8")
    assert actual == expected


def check_pictures(name: str) -> None:
    """The pages look as the pictures do, and are as many."""
    drawn = ALL[name].pictures()
    assert set(drawn) == {file for file in recorded(".png") if _owner(file) == name}
    for file, actual in drawn.items():
        expected = Image.open(GOLDENS / file).convert("RGB")
        differing = difference(expected, actual)
        if differing is not None:
            for part, picture in (("expected", expected), ("actual", actual), ("diff", differing)):
                path = BUILD / file.replace(".png", f"-{part}.png")
                path.parent.mkdir(parents=True, exist_ok=True)
                picture.save(path)
        assert differing is None, f"{file}: see {BUILD}"


def record() -> None:
    for name, golden in ALL.items():
        (GOLDENS / f"{name}.txt").write_text(boxes(golden), "utf-8")
        for file, picture in golden.pictures().items():
            picture.quantize(48).save(GOLDENS / file, optimize=True)


if __name__ == "__main__":
    record()
