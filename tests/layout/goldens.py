"""The golden agreement: the boxes on its pages as text that a person can read, and its pages as small pictures."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from PIL import Image

from layout.engine import Rendered, ZoneValue, render, stamp
from layout.paging.build_blocks import build_blocks
from layout.paging.frames import Fill, Item, Outline, Placed, Ring, Rule, Stroke, Text, UnplacedZone
from layout.paging.frames import Image as PictureItem
from layout.paging.pagination import Page, paginate
from layout.pdf.existing_file import open_file
from layout.schema.block_document import BlockDocument
from layout.schema.image_file import ImageFile
from layout.schema.theme import to_hex
from layout.text.characters import fonts_for
from layout.zones.zone import ZoneType
from tests import ROOT
from tests.layout.documents import KEYS
from tests.layout.pictures import difference, scrawl

GOLDENS = ROOT / "tests" / "goldens" / "layout"
BOXES = GOLDENS / "agreement.txt"
DPI = 60


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
    marks = [ZoneValue(zone, **values[zone.type]) for zone in rendered.zones if zone.type in values]  # type: ignore[arg-type]
    typed, drawn = (zone for zone in rendered.zones if zone.type is ZoneType.SIGNATURE)
    small_print = "Signed 2026-06-12 12:00 UTC · 9f3c2a77"
    marks.append(ZoneValue(typed, text="Ågot Þórsdóttir", small_print=small_print))
    marks.append(ZoneValue(drawn, image=scrawl(), small_print=small_print))
    return stamp(rendered.pdf, marks)


def boxes(written: BlockDocument, images: Mapping[str, ImageFile] | None = None) -> str:
    """Every box of every page, one a line: where, how large, what. Points from the page's top left corner."""
    fonts = fonts_for(written)
    built = build_blocks(written, images or {}, fonts)
    pages = paginate(built.blocks, built.band, fonts).pages(written.footer_label or written.title, fonts)
    return "\n".join(line for page in pages for line in _page(page)) + "\n"


def pictures(pdf: bytes) -> list[Image.Image]:
    """Each page as it looks, small."""
    found = []
    with open_file(pdf) as file:
        for page in file:  # type: ignore[attr-defined]
            pixels = page.get_pixmap(dpi=DPI)
            found.append(Image.frombytes("RGB", (pixels.width, pixels.height), pixels.samples))
    return found


def golden_pictures() -> dict[str, Image.Image]:
    """All pictures that are kept, by file name, as they look now."""
    rendered = sent()
    assert rendered.pdf is not None
    plain = {f"agreement-{number}.png": page for number, page in enumerate(pictures(rendered.pdf), start=1)}
    stamped = {f"signed-{number}.png": page for number, page in enumerate(pictures(signed(rendered)), start=1)}
    return plain | {name: stamped[name] for name in ("signed-2.png", "signed-3.png")}


def _page(page: Page) -> Iterator[str]:
    yield f"page {page.number}"
    for placed in page.frames():
        frame = placed.frame
        name = frame.role.name.lower()
        yield f"  {name} {frame.path or '/'} at {placed.x:.1f} {placed.y:.1f}, {frame.width:.1f} x {frame.height:.1f}"
        yield from (f"    {_item(item, placed)}" for item in frame.items if not isinstance(item, Placed))


def _item(item: Item, placed: Placed) -> str:  # noqa: PLR0911  # one for each kind
    x, y = placed.x, placed.y
    match item:
        case Text():
            style = f"{item.style.face.value.rpartition('-')[2]} {item.style.size:g}"
            return f"{x + item.x:.1f} {y + item.y:.1f} {style}: {item.text.rstrip()}"
        case Rule():
            return f"{x + item.x:.1f} {y + item.y:.1f} rule {item.w:.1f} long"
        case Outline():
            return f"{x + item.rect.x:.1f} {y + item.rect.y:.1f} box {item.rect.w:.1f} x {item.rect.h:.1f}"
        case Fill():
            corner = f"{x + item.rect.x:.1f} {y + item.rect.y:.1f}"
            return f"{corner} fill {item.rect.w:.1f} x {item.rect.h:.1f} {to_hex(item.colour)}"
        case PictureItem():
            return f"{x + item.rect.x:.1f} {y + item.rect.y:.1f} picture {item.rect.w:.1f} x {item.rect.h:.1f}"
        case Ring():
            return f"{x + item.rect.x:.1f} {y + item.rect.y:.1f} circle {item.rect.w:.1f}"
        case Stroke():
            return " to ".join(f"{x + at:.1f} {y + down:.1f}" for at, down in item.points)
        case UnplacedZone():
            size = f"{item.rect.w:.1f} x {item.rect.h:.1f}"
            return (
                f"{x + item.rect.x:.1f} {y + item.rect.y:.1f} zone {item.type} {item.name} {size} of {item.recipient}"
            )


BUILD = ROOT / "build" / "layout-goldens"


def check_boxes(golden: Path, actual: str) -> None:
    """The boxes are those that the text file `golden` has."""
    expected = golden.read_text("utf-8")
    if actual != expected:
        BUILD.mkdir(parents=True, exist_ok=True)
        for part, boxes in (("expected", expected), ("actual", actual)):
            (BUILD / f"{golden.stem}-{part}.txt").write_text(boxes, "utf-8")
    assert actual == expected


def check_picture(golden: Path, actual: Image.Image) -> None:
    """The page looks as the picture `golden` does."""
    expected = Image.open(golden).convert("RGB")
    differing = difference(expected, actual)
    if differing is not None:
        BUILD.mkdir(parents=True, exist_ok=True)
        for part, picture in (("expected", expected), ("actual", actual), ("diff", differing)):
            picture.save(BUILD / f"{golden.stem}-{part}.png")
    assert differing is None, f"{golden.name}: see {BUILD}"
