"""The way into the engine: check a document, lay it out, paint it, stamp it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from layout.checks.find_issues import Checked, issues_of, missing_signatures, second_signatures
from layout.checks.find_warnings import warnings_of
from layout.paging.build_blocks import Composed, compose
from layout.paging.debug_outlines import outlined
from layout.paging.gc_pause import collector_paused
from layout.paging.lone_headings import lone_headings
from layout.paging.pages import Page, pages_of, zones_of
from layout.paging.pagination import Flowed, flow
from layout.pdf.writer import write_pdf
from layout.schema.block_document import BlockDocument
from layout.schema.image_file import ImageFile
from layout.schema.issues import DocumentWarning, Issue
from layout.text.characters import fonts_for, on_one_line
from layout.text.fonts import ShippedFonts
from layout.zones import zone_drawing
from layout.zones.zone import Zone
from layout.zones.zone_drawing import Mark

__all__ = ["Mark", "Rendered", "check", "outline", "page_count", "render", "room_for", "stamp"]


@dataclass(frozen=True, slots=True)
class Rendered:
    """A document as pages. With issues, and when it was only checked, there is no PDF; page count and zones are then as
    far as they could be found.

    `warnings` keep nothing from being sent.
    """

    page_count: int
    zones: tuple[Zone, ...]
    issues: tuple[Issue, ...]
    pdf: bytes | None
    warnings: tuple[DocumentWarning, ...] = ()


_NO_IMAGES: Mapping[str, ImageFile] = {}


@collector_paused()
def render(
    document: BlockDocument,
    recipient_keys: Collection[str],
    images: Mapping[str, ImageFile] = _NO_IMAGES,
    variables: Collection[str] | None = None,
    *,
    is_filled: bool = False,
) -> Rendered:
    """Lays `document` out and paints it; every issue of it is found, not the first one. Specification 2.12, 7.3.

    `images` are those of the organisation that the document shows, by file id; `variables` those that a template
    declares, None for the document of a session. `is_filled`: it was made of a template, and what looks like a token in
    it came with a value and is text.

    Never raises for a valid document, and always ends (see `layout.paging.pagination`).
    """
    laid_out = _lay_out(document, images, fonts_for(document))
    found = _findings(laid_out, recipient_keys, variables, is_filled=is_filled)
    if found.issues:
        return found
    return replace(found, pdf=write_pdf(laid_out.pages(), on_one_line(document.title)))


@collector_paused()
def outline(
    document: BlockDocument,
    recipient_keys: Collection[str],
    images: Mapping[str, ImageFile] = _NO_IMAGES,
    variables: Collection[str] | None = None,
) -> Rendered:
    """The debug view: every frame outlined and named by its JSON pointer. It is painted even where there are issues."""
    laid_out = _lay_out(document, images, fonts_for(document))
    shown = [outlined(page, laid_out.fonts) for page in laid_out.pages()]
    found = _findings(laid_out, recipient_keys, variables)
    return replace(found, pdf=write_pdf(shown, on_one_line(document.title)))


@collector_paused()
def check(
    document: BlockDocument,
    recipient_keys: Collection[str],
    images: Mapping[str, ImageFile] = _NO_IMAGES,
    variables: Collection[str] | None = None,
) -> Rendered:
    """`render` without painting: pages are counted, zones and issues found, and there is no PDF."""
    return _findings(_lay_out(document, images, fonts_for(document, draws=False)), recipient_keys, variables)


@dataclass(frozen=True, slots=True)
class _LaidOut:
    document: BlockDocument
    images: Mapping[str, ImageFile]
    fonts: ShippedFonts
    composed: Composed
    flowed: Flowed

    def pages(self) -> tuple[Page, ...]:
        label = self.document.footer_label or self.document.title
        return pages_of(self.flowed.sheets, label, self.fonts)


def _lay_out(document: BlockDocument, images: Mapping[str, ImageFile], fonts: ShippedFonts) -> _LaidOut:
    composed = compose(document, images, fonts)
    return _LaidOut(document, images, fonts, composed, flow(composed.blocks, composed.band, fonts))


def _findings(
    laid_out: _LaidOut, recipient_keys: Collection[str], variables: Collection[str] | None, *, is_filled: bool = False
) -> Rendered:
    """All that is known without painting."""
    document, composed, flowed = laid_out.document, laid_out.composed, laid_out.flowed
    checked = Checked(document, composed, flowed, laid_out.images.keys(), laid_out.fonts, variables, is_filled)
    sheets = enumerate(flowed.sheets, start=1)
    return Rendered(
        page_count=len(flowed.sheets),
        zones=tuple(zone for number, sheet in sheets for zone in zones_of(number, sheet.placed)),
        issues=issues_of(checked, recipient_keys),
        pdf=None,
        warnings=(
            *warnings_of(composed.letterhead.theme, composed.headers),
            *lone_headings(composed.blocks, flowed),
            *second_signatures(document),
            *missing_signatures(document, recipient_keys),
        ),
    )


def room_for(text: str, zone: Zone) -> int | None:
    """None if `text` fits into `zone` in letters that can be read; otherwise how many characters of it do."""
    return zone_drawing.room_for(text, zone, ShippedFonts())


def stamp(pdf: bytes, marks: Sequence[Mark]) -> bytes:
    """`pdf`, which the engine has made, with every mark drawn into its zone. Same input, same bytes.

    Raises:
        PIL.UnidentifiedImageError: a picture is none.
    """
    from layout.zones.stamp import stamp as draw  # noqa: PLC0415  # loading PyMuPDF takes longer than laying out ten pages

    return draw(pdf, marks)


def page_count(pdf: bytes) -> int:
    """How many pages `pdf` has, found by opening it afresh."""
    from layout.pdf.mupdf import open_file  # noqa: PLC0415  # see above

    with open_file(pdf) as file:
        return file.page_count
