"""The way into the engine: check a document, lay it out, paint it, stamp it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from layout.checks.find_issues import CheckContext, find_issues
from layout.checks.find_warnings import (
    contrast_warnings,
    lone_heading_warnings,
    missing_signature_warnings,
    second_signature_warnings,
)
from layout.paging.build_blocks import BuiltBlocks, build_blocks
from layout.paging.debug_outlines import outline_frames
from layout.paging.gc_pause import collector_paused
from layout.paging.pages import Page, pages_of, zones_of
from layout.paging.pagination import PaginatedBlocks, paginate
from layout.pdf.writer import write_pdf
from layout.schema.block_document import BlockDocument
from layout.schema.image_file import ImageFile
from layout.schema.issues import DocumentWarning, Issue
from layout.text.characters import fonts_for, prepare_line
from layout.text.fonts import ShippedFonts
from layout.zones import zone_drawing
from layout.zones.zone import Zone
from layout.zones.zone_drawing import ZoneValue

__all__ = ["Rendered", "ZoneValue", "check", "fitting_length", "outline", "page_count", "render", "stamp"]


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
    return replace(found, pdf=write_pdf(laid_out.pages(), prepare_line(document.title)))


@collector_paused()
def outline(
    document: BlockDocument,
    recipient_keys: Collection[str],
    images: Mapping[str, ImageFile] = _NO_IMAGES,
    variables: Collection[str] | None = None,
) -> Rendered:
    """The debug view: every frame outlined and named by its JSON pointer. It is painted even where there are issues."""
    laid_out = _lay_out(document, images, fonts_for(document))
    shown = [outline_frames(page, laid_out.fonts) for page in laid_out.pages()]
    found = _findings(laid_out, recipient_keys, variables)
    return replace(found, pdf=write_pdf(shown, prepare_line(document.title)))


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
    built: BuiltBlocks
    paginated: PaginatedBlocks

    def pages(self) -> tuple[Page, ...]:
        label = self.document.footer_label or self.document.title
        return pages_of(self.paginated.bodies, label, self.fonts)


def _lay_out(document: BlockDocument, images: Mapping[str, ImageFile], fonts: ShippedFonts) -> _LaidOut:
    built = build_blocks(document, images, fonts)
    return _LaidOut(document, images, fonts, built, paginate(built.blocks, built.band, fonts))


def _findings(
    laid_out: _LaidOut, recipient_keys: Collection[str], variables: Collection[str] | None, *, is_filled: bool = False
) -> Rendered:
    """All that is known without painting."""
    document, built, paginated = laid_out.document, laid_out.built, laid_out.paginated
    context = CheckContext(document, built, paginated, laid_out.images.keys(), laid_out.fonts, variables, is_filled)
    bodies = enumerate(paginated.bodies, start=1)
    return Rendered(
        page_count=len(paginated.bodies),
        zones=tuple(zone for number, body in bodies for zone in zones_of(number, body.placed)),
        issues=find_issues(context, recipient_keys),
        pdf=None,
        warnings=(
            *contrast_warnings(built.design.theme, built.headers),
            *lone_heading_warnings(built.blocks, paginated),
            *second_signature_warnings(document),
            *missing_signature_warnings(document, recipient_keys),
        ),
    )


def fitting_length(text: str, zone: Zone) -> int | None:
    """None if `text` fits into `zone` in letters that can be read; otherwise how many characters of it do."""
    return zone_drawing.fitting_length(text, zone, ShippedFonts())


def stamp(pdf: bytes, values: Sequence[ZoneValue]) -> bytes:
    """`pdf`, which the engine has made, with every mark drawn into its zone. Same input, same bytes.

    Raises:
        PIL.UnidentifiedImageError: a picture is none.
    """
    from layout.zones.stamp import stamp as draw  # noqa: PLC0415  # loading PyMuPDF takes longer than laying out ten pages

    return draw(pdf, values)


def page_count(pdf: bytes) -> int:
    """How many pages `pdf` has, found by opening it afresh."""
    from layout.pdf.existing_file import open_file  # noqa: PLC0415  # see above

    with open_file(pdf) as file:
        return file.page_count
