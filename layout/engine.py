"""The way into the engine: check a document, lay it out, paint it, stamp it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from layout.characters import on_one_line
from layout.checks import Checked, issues_of
from layout.compose import compose
from layout.document import BlockDocument
from layout.flow import flow
from layout.fonts import ShippedFonts
from layout.issues import Issue
from layout.mupdf import pymupdf
from layout.pages import pages_of
from layout.theme import Theme
from layout.writer import write_pdf
from layout.zones import Zone


@dataclass(frozen=True, slots=True)
class Rendered:
    """A document as pages. With issues there is no PDF; page count and zones are then as far as they could be found."""

    page_count: int
    zones: tuple[Zone, ...]
    issues: tuple[Issue, ...]
    pdf: bytes | None


@dataclass(frozen=True, slots=True)
class Mark:
    """What to put into one zone: text, a tick, or a picture (PNG bytes). Exactly one of them is set.

    `small_print` is a line of fine text under a signature.
    """

    zone: Zone
    text: str | None = None
    ticked: bool = False
    picture: bytes | None = None
    small_print: str | None = None


def render(document: BlockDocument, recipient_keys: Collection[str]) -> Rendered:
    """Lays `document` out and paints it; every issue of it is found, not the first one. Spec: 2.12, 7.3.

    Never raises for a valid document, and always ends (see `layout.flow`).
    """
    theme, fonts = Theme(), ShippedFonts()
    composed = compose(document, theme, fonts)
    flowed = flow(composed.blocks, composed.band, fonts)
    label = document.footer_label or document.title
    pages = pages_of(flowed.sheets, label, fonts)
    issues = issues_of(Checked(document, composed, flowed, theme, fonts), recipient_keys)
    return Rendered(
        page_count=len(pages),
        zones=tuple(zone for page in pages for zone in page.zones()),
        issues=issues,
        pdf=None if issues else write_pdf(pages, on_one_line(document.title)),
    )


def page_count(pdf: bytes) -> int:
    """How many pages `pdf` has, found by opening it afresh."""
    with pymupdf.open(stream=pdf, filetype="pdf") as file:
        count: int = file.page_count
        return count


def stamp(pdf: bytes, marks: Sequence[Mark]) -> bytes:
    """`pdf` with every mark drawn into its zone; nothing on it stays editable. Same input, same bytes."""
    raise NotImplementedError
