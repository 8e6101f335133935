"""The way into the engine: check a document, lay it out, paint it, stamp it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from layout import marks
from layout.characters import fonts_for, on_one_line
from layout.checks import Checked, issues_of
from layout.collecting import collector_paused
from layout.compose import compose
from layout.contrast import warnings_of
from layout.debug import outlined
from layout.document import BlockDocument
from layout.flow import flow
from layout.fonts import ShippedFonts
from layout.images import ImageFile
from layout.issues import DocumentWarning, Issue
from layout.marks import Mark
from layout.pages import Page, pages_of
from layout.writer import write_pdf
from layout.zones import Zone

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
) -> Rendered:
    """Lays `document` out and paints it; every issue of it is found, not the first one. Spec: 2.12, 7.3.

    `images` are those of the organisation that the document shows, by file id; `variables` those that a template
    declares, None for the document of a session.

    Never raises for a valid document, and always ends (see `layout.flow`).
    """
    pages, laid_out = _lay_out(document, recipient_keys, images, variables)
    if laid_out.issues:
        return laid_out
    return replace(laid_out, pdf=write_pdf(pages, on_one_line(document.title)))


@collector_paused()
def outline(
    document: BlockDocument,
    recipient_keys: Collection[str],
    images: Mapping[str, ImageFile] = _NO_IMAGES,
    variables: Collection[str] | None = None,
) -> Rendered:
    """The debug view: every frame outlined and named by its JSON pointer. It is painted even where there are issues."""
    pages, laid_out = _lay_out(document, recipient_keys, images, variables)
    shown = [outlined(page, ShippedFonts()) for page in pages]
    return replace(laid_out, pdf=write_pdf(shown, on_one_line(document.title)))


@collector_paused()
def check(
    document: BlockDocument,
    recipient_keys: Collection[str],
    images: Mapping[str, ImageFile] = _NO_IMAGES,
    variables: Collection[str] | None = None,
) -> Rendered:
    """`render` without painting: pages are counted, zones and issues found, and there is no PDF."""
    return _lay_out(document, recipient_keys, images, variables)[1]


def _lay_out(
    document: BlockDocument,
    recipient_keys: Collection[str],
    images: Mapping[str, ImageFile],
    variables: Collection[str] | None,
) -> tuple[tuple[Page, ...], Rendered]:
    fonts = fonts_for(document)
    composed = compose(document, images, fonts)
    flowed = flow(composed.blocks, composed.band, fonts)
    label = document.footer_label or document.title
    pages = pages_of(flowed.sheets, label, fonts)
    return pages, Rendered(
        page_count=len(pages),
        zones=tuple(zone for page in pages for zone in page.zones()),
        issues=issues_of(Checked(document, composed, flowed, images.keys(), fonts, variables), recipient_keys),
        pdf=None,
        warnings=warnings_of(composed.letterhead.theme, composed.headers),
    )


def room_for(text: str, zone: Zone) -> int | None:
    """None if `text` fits into `zone` in letters that can be read; otherwise how many characters of it do."""
    return marks.room_for(text, zone, ShippedFonts())


def stamp(pdf: bytes, marks: Sequence[Mark]) -> bytes:
    """`pdf`, which the engine has made, with every mark drawn into its zone. Same input, same bytes.

    Raises:
        PIL.UnidentifiedImageError: a picture is none.
    """
    from layout.stamp import stamp as draw  # noqa: PLC0415  # loading PyMuPDF takes longer than laying out ten pages

    return draw(pdf, marks)


def page_count(pdf: bytes) -> int:
    """How many pages `pdf` has, found by opening it afresh."""
    from layout.mupdf import open_file  # noqa: PLC0415  # see above

    with open_file(pdf) as file:
        return file.page_count
