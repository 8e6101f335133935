"""Draws values, ticks and signatures into the zones of a PDF, and a line below its footers. Specification 2.8.

Adds one content stream for each affected page, one subset for each face, and each image once. A drawn value becomes
content of its zone's structure element, so screen readers read it at the place of its input.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from math import inf

from layout.blocks.alignment import Align
from layout.captions import Captions, captions_of
from layout.frames import Text, glyphs_of
from layout.geometry import PAGE_HEIGHT, Rect
from layout.pdf.content_stream import circle, colour_operands, number, paint_texts
from layout.pdf.file_writer import PdfObjects, text_string
from layout.pdf.font_objects import embed_fonts
from layout.pdf.pymupdf_file import OpenedFile, PdfFile, open_file
from layout.pdf.structure import ARTIFACT, END, identifier_of, spoken_name
from layout.pdf.used_resources import UsedResources
from layout.text.character_codes import FontEncoding
from layout.text.font_fallback import EAST_ASIAN, han_of
from layout.text.fonts import Han, ShippedFonts
from layout.theme_styles import PEN_COLOUR
from layout.zone import Zone, ZoneType
from layout.zones.signature_images import DecodedImage, place_signature_image
from layout.zones.value_layout import (
    SigningRecord,
    ZoneValue,
    beginning_of,
    texts_below_footer,
    value_dots,
    value_texts,
    value_ticks,
)

_TICK = ((0.16, 0.54), (0.41, 0.80), (0.88, 0.16))
_TICK_STROKE = 0.15  # stroke width, in multiples of the width of the box
_DOT = 0.27  # radius, in multiples of the width of the radio button

_NAMED = re.compile(r"\(([^()]*)\)\s*(\d+) 0 R")
_NUMBERED = re.compile(r"(\d+)\s+(\d+) 0 R")
_STRING = r"(?:\((?:[^()\\]|\\.)*\)|<[0-9A-Fa-f]*>)"
_ELEMENT = re.compile(
    rf"(<</S/Form/P \d+ 0 R/Pg )\d+ 0 R(/ID{_STRING})/Alt(?:{_STRING}| null)(/A<<.*>>)/K ?(\[[\d ]*\]|\d+)>>", re.DOTALL
)
"""The structure element of an input that `layout.pdf.structure` has written, in the form that PyMuPDF prints."""


@dataclass(frozen=True, slots=True)
class _Placed:
    """An image with its resource name and rectangle."""

    name: str
    image: DecodedImage
    rect: Rect


@dataclass(frozen=True, slots=True)
class _Ink:
    """The drawing of one value."""

    value: ZoneValue
    texts: tuple[Text, ...]
    ticks: tuple[Rect, ...]
    dots: tuple[Rect, ...]
    image: _Placed | None

    def alternative(self, captions: Captions) -> str | None:
        """Returns the text alternative; None if the drawing is text."""
        value = self.value
        name = spoken_name(value.zone.label, value.zone.type, captions)
        if self.image is not None:
            return f"{name}: {value.alternative or captions.drawn}. {value.small_print or ''}".rstrip()
        return f"{name}: {', '.join(value.chosen) or captions.ticked}" if value.ticked or value.chosen else None


def draw_values(pdf: bytes, values: Sequence[ZoneValue], record: SigningRecord | None = None) -> bytes:
    """Draws each value into its zone of `pdf`, which the engine has rendered, and the line of `record` on each page.

    Raises `PIL.UnidentifiedImageError`.
    """
    with open_file(pdf) as file:
        opened = OpenedFile(file, seed=pdf)
        inputs = _Inputs(opened)
        line = inputs.captions.signed.format(**asdict(record)) if record else ""
        fonts, drawings = ShippedFonts(_han_of(file, values, line)), _Drawings()
        inks: dict[int, list[_Ink]] = {page: [] for page in range(1, file.page_count + 1)} if record else {}
        for value in values:
            inks.setdefault(value.zone.page, []).append(_ink(value, fonts, drawings))
        below = texts_below_footer(line, fonts) if record else ()
        page_objects = {page: file.page_xref(page - 1) for page in inks}
        drawn = [ink for of_page in inks.values() for ink in of_page]
        encoding = _add_resources(opened, drawn, below, page_objects.values())
        footer = [opened.add_stream(encoding.encode("\n".join(_below_footer(below, encoding))))] if below else []
        for page, of_page in sorted(inks.items()):
            stamped_page = inputs.page(page_objects[page])
            spoken = [(ink, ink.alternative(inputs.captions)) for ink in of_page]
            pieces = [piece for one in spoken for piece in _operators(*one, stamped_page, encoding)]
            streams = [opened.add_stream(encoding.encode("\n".join(pieces))), *footer] if pieces else footer
            before = file.xref_get_key(page_objects[page], "Contents")[1].strip("[]")
            added = " ".join(f"{stream} 0 R" for stream in streams)
            file.xref_set_key(page_objects[page], "Contents", f"[{before} {added}]")
            stamped_page.finish()
        return opened.finish()


def _add_resources(
    opened: OpenedFile, inks: Sequence[_Ink], below: Sequence[Text], page_objects: Iterable[int]
) -> FontEncoding:
    """Adds the fonts and images of `inks`, and the fonts of the line `below`, to the resources of the pages."""
    texts = [*(text for ink in inks for text in ink.texts), *below]
    used = UsedResources.collect(texts)
    named = sha256(repr(sorted((face, sorted(characters)) for face, characters in used.characters.items())).encode())
    named.update("".join(text.text for text in texts if glyphs_of(text)).encode())
    encoding = FontEncoding(
        set().union(*used.characters.values()), prefix=f"S{named.hexdigest()[:8]}", shaped=used.glyphs
    )
    resources = {
        "Font": embed_fonts(opened, used.characters, encoding),
        "XObject": _add_images(opened, [ink.image for ink in inks if ink.image is not None]),
    }
    file = opened.file
    for holder in sorted({file.xref_get_key(page_object, "Resources")[1] for page_object in page_objects}):
        for kind, names in resources.items():  # pages may share one dictionary
            for name, xref in names.items():
                file.xref_set_key(int(holder.split()[0]), f"{kind}/{name}", f"{xref} 0 R")
    return encoding


def _below_footer(texts: Sequence[Text], encoding: FontEncoding) -> Iterator[str]:
    yield ARTIFACT
    yield from paint_texts(texts, (0, PAGE_HEIGHT), encoding)
    yield END


def _han_of(file: PdfFile, values: Sequence[ZoneValue], line: str) -> Han:
    """Returns the regional variant of ideographs in `values` and `line`: by language and text of the document."""
    texts = [line, *(text for value in values for text in (value.zone.label, value.text) if text)]
    if not any(map(EAST_ASIAN.search, texts)):
        return han_of(())
    return han_of([*texts, *(page.get_text() for page in file)], _language_of(file))


def _language_of(file: PdfFile) -> str:
    return str(file.xref_get_key(file.pdf_catalog(), "Lang")[1])


class _Drawings:
    """Placed images. An image that is drawn in several zones of one size is decoded once."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, float, float, str, float], _Placed | None] = {}

    def place(self, png: bytes, zone: Zone, max_scale: float) -> _Placed | None:
        """Places the image in `zone`; None if nothing of it is visible."""
        align: Align = "center" if zone.type is ZoneType.INITIALS else beginning_of(zone)
        key = (sha256(png).hexdigest()[:12], zone.w, zone.h, align, max_scale)
        if key not in self._known:
            drawn = place_signature_image(png, Rect(0, 0, zone.w, zone.h), align=align, max_scale=max_scale)
            name = f"P{key[0]}x{drawn.image.width}x{drawn.image.height}" if drawn else ""
            self._known[key] = _Placed(name, drawn.image, drawn.rect) if drawn else None
        known = self._known[key]
        return known and replace(known, rect=known.rect.moved(zone.x, zone.y))


def _ink(value: ZoneValue, fonts: ShippedFonts, drawings: _Drawings) -> _Ink:
    max_scale = value.max_points_per_pixel or inf
    placed = drawings.place(value.image, value.zone, max_scale) if value.image is not None else None
    texts = tuple(value_texts(value, fonts))
    return _Ink(value, texts, value_ticks(value), value_dots(value), placed)


def _add_images(objects: PdfObjects, images: Sequence[_Placed]) -> dict[str, int]:
    """Adds each image once; returns object numbers by resource name."""
    numbers: dict[str, int] = {}
    for placed in images:
        if placed.name not in numbers:
            image = placed.image
            size = f"/Type /XObject /Subtype /Image /Width {image.width} /Height {image.height} /BitsPerComponent 8"
            mask = objects.add_stream(image.opacity, f"{size} /ColorSpace /DeviceGray")
            entries = f"{size} /ColorSpace /DeviceRGB /SMask {mask} 0 R"
            numbers[placed.name] = objects.add_stream(image.colours, entries)
    return numbers


class _Inputs:
    """The inputs of an open file. In a file without a structure tree all drawings are artifacts."""

    def __init__(self, opened: OpenedFile) -> None:
        self._opened = opened
        file = opened.file
        kind, tree = file.xref_get_key(file.pdf_catalog(), "StructTreeRoot")
        root = int(tree.split()[0]) if kind == "xref" else None
        self._elements = dict(_NAMED.findall(file.xref_get_key(root, "IDTree/Names")[1])) if root else {}
        self.captions = captions_of(_language_of(file))
        self._parents = dict(_NUMBERED.findall(file.xref_get_key(root, "ParentTree/Nums")[1])) if root else {}

    def page(self, page_object: int) -> "_StampedPage":
        """Returns the inputs on the page whose object number is `page_object`."""
        parents = self._parents.get(self._opened.file.xref_get_key(page_object, "StructParents")[1])
        return _StampedPage(self._opened, page_object, self._elements, int(parents) if parents else 0)


class _StampedPage:
    """The inputs on one page. `parents` is its object in the parent tree, which maps marked content to elements."""

    def __init__(self, opened: OpenedFile, page_object: int, elements: dict[str, str], parents: int) -> None:
        self._opened = opened
        self._page_object = page_object
        self._elements = elements if parents else {}
        self._parents = parents
        self._marks = re.findall(r"\d+ 0 R", opened.file.xref_object(parents)) if parents else []

    def mark(self, name: str, alternative: str | None, *, ticks: bool) -> str:
        """Returns the operator that begins the marked content of the zone `name`.

        `alternative` is the text alternative; None if the content is text. `ticks`: the content ticks the input.
        """
        if identifier_of(name) not in self._elements:
            return ARTIFACT
        file = self._opened.file
        element, number = int(self._elements[identifier_of(name)]), len(self._marks)
        self._marks.append(f"{element} 0 R")
        spoken = "null" if alternative is None else text_string(alternative)
        match = _ELEMENT.fullmatch(file.xref_object(element, compressed=True))
        if match:  # written by the engine: one update, as setting a single key takes as long
            head, identifier, attributes, kids = match.groups()
            kids = f"[{kids.strip('[]')} {number}]"
            file.update_object(element, f"{head}{self._page_object} 0 R{identifier}/Alt {spoken}{attributes}/K{kids}>>")
        else:
            kind, kids = file.xref_get_key(element, "K")
            file.xref_set_key(element, "K", f"[{'' if kind == 'null' else kids.strip('[]')} {number}]")
            file.xref_set_key(element, "Pg", f"{self._page_object} 0 R")
            file.xref_set_key(element, "Alt", spoken)
        if ticks:
            file.xref_set_key(element, "A/checked", "/on")
        return f"/Form <</MCID {number}>> BDC"

    def finish(self) -> None:
        """Writes the page's entry of the parent tree."""
        if self._parents:
            self._opened.define(self._parents, f"[{' '.join(self._marks)}]")


def _operators(ink: _Ink, alternative: str | None, stamped_page: _StampedPage, encoding: FontEncoding) -> Iterator[str]:
    yield stamped_page.mark(ink.value.zone.name, alternative, ticks=bool(ink.ticks or ink.dots))
    if ink.image is not None:
        rect = ink.image.rect
        yield (
            f"q {number(rect.w)} 0 0 {number(rect.h)} {number(rect.x)} {number(PAGE_HEIGHT - rect.bottom)} cm "
            f"/{ink.image.name} Do Q"
        )
    for box in ink.ticks:
        points = [f"{number(box.x + x * box.w)} {number(PAGE_HEIGHT - box.y - y * box.h)}" for x, y in _TICK]
        yield (
            f"q {colour_operands(PEN_COLOUR)} RG {number(_TICK_STROKE * box.w)} w 1 J 1 j "
            f"{points[0]} m {points[1]} l {points[2]} l S Q"
        )
    for button in ink.dots:
        side = 2 * _DOT * button.w
        dot = Rect(button.x + (button.w - side) / 2, button.y + (button.h - side) / 2, side, side)
        yield f"{colour_operands(PEN_COLOUR)} rg {circle(dot)} f"
    if ink.texts:
        yield from paint_texts(ink.texts, (0, PAGE_HEIGHT), encoding)
    yield END
