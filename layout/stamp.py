"""Stamping: values, ticks and signatures drawn over the pages. Nothing stays editable. Spec: 2.8.

One content stream for each touched page, one subset of each face, and one image for each picture.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from layout.codes import CodePages
from layout.fonts import ShippedFonts
from layout.frames import Text
from layout.geometry import PAGE_HEIGHT, Rect
from layout.marks import Mark, rect_of, texts_of_mark
from layout.mupdf import open_file
from layout.opened import OpenedFile
from layout.paint import colour_operands, number, paint_texts, texts_by_face
from layout.pdf import PdfObjects
from layout.pictures import Picture, decode, place
from layout.theme import PEN

_TICK = ((0.16, 0.54), (0.41, 0.80), (0.88, 0.16))
_TICK_STROKE = 0.15  # of the box's width


@dataclass(frozen=True, slots=True)
class _Placed:
    """A picture under its resource name, and where it goes."""

    name: str
    picture: Picture
    rect: Rect


@dataclass(frozen=True, slots=True)
class _Overlay:
    """All that is drawn onto one page."""

    page: int
    texts: tuple[Text, ...]
    ticks: tuple[Rect, ...]
    pictures: tuple[_Placed, ...]


def stamp(pdf: bytes, marks: Sequence[Mark]) -> bytes:
    """`pdf`, which the engine has made, with every mark drawn into its zone. Same input, same bytes.

    Raises:
        PIL.UnidentifiedImageError: a picture is none.
    """
    pages = sorted({mark.zone.page for mark in marks})
    overlays = [_overlay(page, [mark for mark in marks if mark.zone.page == page]) for page in pages]
    shown = texts_by_face(text for overlay in overlays for text in overlay.texts)
    named = sha256(repr(sorted((face, sorted(characters)) for face, characters in shown.items())).encode())
    codes = CodePages(set().union(*shown.values()), prefix=f"S{named.hexdigest()[:8]}")
    with open_file(pdf) as file:
        opened = OpenedFile(file, seed=pdf)
        objects = PdfObjects(opened)
        fonts = objects.add_fonts(shown, codes)
        images = _add_images(objects, overlays)
        for overlay in overlays:
            _draw_over(opened, overlay, codes, {"Font": fonts, "XObject": images})
        return opened.finished()


def _overlay(page: int, marks: Sequence[Mark]) -> _Overlay:
    fonts = ShippedFonts()
    return _Overlay(
        page=page,
        texts=tuple(text for mark in marks for text in texts_of_mark(mark, fonts)),
        ticks=tuple(rect_of(mark.zone) for mark in marks if mark.ticked),
        pictures=tuple(_pictures(marks)),
    )


def _pictures(marks: Sequence[Mark]) -> Iterator[_Placed]:
    for mark in marks:
        picture = decode(mark.picture) if mark.picture is not None else None
        if mark.picture is not None and picture is not None:
            name = f"P{sha256(mark.picture).hexdigest()[:12]}"
            yield _Placed(name, picture, place(picture, rect_of(mark.zone)))


def _add_images(objects: PdfObjects, overlays: Sequence[_Overlay]) -> dict[str, int]:
    """Object numbers by resource name; a picture that is drawn often is stored once."""
    images: dict[str, int] = {}
    for placed in (placed for overlay in overlays for placed in overlay.pictures):
        if placed.name not in images:
            images[placed.name] = _add_image(objects, placed.picture)
    return images


def _add_image(objects: PdfObjects, picture: Picture) -> int:
    size = f"/Type /XObject /Subtype /Image /Width {picture.width} /Height {picture.height} /BitsPerComponent 8"
    mask = objects.add_stream(picture.opacity, f"{size} /ColorSpace /DeviceGray")
    return objects.add_stream(picture.colours, f"{size} /ColorSpace /DeviceRGB /SMask {mask} 0 R")


def _draw_over(
    opened: OpenedFile, overlay: _Overlay, codes: CodePages, resources: Mapping[str, Mapping[str, int]]
) -> None:
    """Adds the overlay's stream to the end of its page's contents, and what it names to the page's resources."""
    file = opened.file
    stream = PdfObjects(opened).add_stream(codes.encode("\n".join(_operators(overlay, codes))))
    page = file.page_xref(overlay.page - 1)
    before = file.xref_get_key(page, "Contents")[1].strip("[]")
    file.xref_set_key(page, "Contents", f"[{before} {stream} 0 R]")
    shared = file.xref_get_key(page, "Resources")[1]
    holder = int(shared.split()[0])
    for kind, names in resources.items():
        for name, xref in names.items():
            file.xref_set_key(holder, f"{kind}/{name}", f"{xref} 0 R")


def _operators(overlay: _Overlay, codes: CodePages) -> Iterator[str]:
    yield "q"
    for placed in overlay.pictures:
        rect = placed.rect
        yield (
            f"q {number(rect.w)} 0 0 {number(rect.h)} {number(rect.x)} {number(PAGE_HEIGHT - rect.bottom)} cm "
            f"/{placed.name} Do Q"
        )
    for box in overlay.ticks:
        points = [f"{number(box.x + x * box.w)} {number(PAGE_HEIGHT - box.y - y * box.h)}" for x, y in _TICK]
        yield (
            f"q {colour_operands(PEN)} RG {number(_TICK_STROKE * box.w)} w 1 J 1 j "
            f"{points[0]} m {points[1]} l {points[2]} l S Q"
        )
    if overlay.texts:
        yield from paint_texts(overlay.texts, (0, PAGE_HEIGHT), codes)
    yield "Q"
