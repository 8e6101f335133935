"""The entry point of the engine: checks, lays out and renders documents, and stamps rendered ones."""

import gc
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from layout.checks.find_issues import CheckContext, find_issues
from layout.checks.find_warnings import (
    contrast_warnings,
    lone_heading_warnings,
    markup_warnings,
    missing_face_warnings,
    missing_signature_warnings,
    not_together_warnings,
    second_signature_warnings,
)
from layout.paging.build_blocks import BuiltBlocks, build_blocks
from layout.paging.debug_outlines import outline_frames
from layout.paging.pagination import Page, PaginatedBlocks, paginate
from layout.pdf.document_catalog import ENGLISH
from layout.pdf.write_document import write_pdf
from layout.schema.block_document import BlockDocument
from layout.schema.image_file import ImageFile
from layout.schema.issues import DocumentWarning, Issue
from layout.text.characters import fonts_for, prepare_line
from layout.text.fonts import ShippedFonts
from layout.zone import Zone
from layout.zones import value_layout
from layout.zones.place_zones import place_zones
from layout.zones.value_layout import SigningRecord, ZoneValue

__all__ = [
    "Rendered",
    "SigningRecord",
    "ZoneValue",
    "check",
    "fitting_length",
    "outline",
    "page_count",
    "render",
    "stamp",
]


@contextmanager
def collector_paused() -> Iterator[None]:
    """Disables cyclic garbage collection within the context.

    Layout creates tens of thousands of small objects without reference cycles. Collection takes an eighth of the time.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@dataclass(frozen=True, slots=True)
class Rendered:
    """Result of laying out a document.

    `pdf` is None if there are issues or the document was only checked. With issues, page count and zones may be
    incomplete. `warnings` never prevent sending.
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
    """Lays `document` out, collects all of its issues and renders it. Specification 2.12, 7.3.

    `images` are those that the document shows, by file id. `variables` are those that a template declares, None for the
    document of a session. `is_filled`: the document was made from a template, so a text such as `{{{name}}}` is part of
    a value, not a token.

    Never raises for a valid document, and always terminates (see `layout.paging.pagination`).
    """
    laid_out = _lay_out(document, images, fonts_for(document))
    rendered = laid_out.findings(recipient_keys, variables, is_filled=is_filled)
    return rendered if rendered.issues else replace(rendered, pdf=laid_out.write(laid_out.pages()))


@collector_paused()
def outline(
    document: BlockDocument,
    recipient_keys: Collection[str],
    images: Mapping[str, ImageFile] = _NO_IMAGES,
    variables: Collection[str] | None = None,
) -> Rendered:
    """Renders the debug view: each frame outlined and labelled with its JSON pointer, even if there are issues."""
    laid_out = _lay_out(document, images, fonts_for(document))
    shown = [outline_frames(page, laid_out.fonts) for page in laid_out.pages()]
    return replace(laid_out.findings(recipient_keys, variables), pdf=laid_out.write(shown))


@collector_paused()
def check(
    document: BlockDocument,
    recipient_keys: Collection[str],
    images: Mapping[str, ImageFile] = _NO_IMAGES,
    variables: Collection[str] | None = None,
) -> Rendered:
    """Lays `document` out as `render` does, without a PDF."""
    return _lay_out(document, images, fonts_for(document, draws=False)).findings(recipient_keys, variables)


@dataclass(frozen=True, slots=True)
class _LaidOut:
    document: BlockDocument
    images: Mapping[str, ImageFile]
    fonts: ShippedFonts
    built: BuiltBlocks
    paginated: PaginatedBlocks

    def pages(self) -> tuple[Page, ...]:
        document = self.document
        return self.paginated.pages(document.footer_label or document.title, self.fonts, self.built.design.captions)

    def write(self, pages: Sequence[Page]) -> bytes:
        title, language = prepare_line(self.document.title), self.document.language
        return write_pdf(pages, title, language=language or ENGLISH, tags_scripts=language is not None)

    def findings(
        self, recipient_keys: Collection[str], variables: Collection[str] | None, *, is_filled: bool = False
    ) -> Rendered:
        """Collects page count, zones, issues and warnings."""
        document, built, paginated = self.document, self.built, self.paginated
        context = CheckContext(document, built, paginated, self.images.keys(), self.fonts, variables, is_filled)
        bodies = enumerate(paginated.bodies, start=1)
        return Rendered(
            page_count=len(paginated.bodies),
            zones=tuple(zone for number, body in bodies for zone in place_zones(number, body.placed)),
            issues=find_issues(context, recipient_keys),
            pdf=None,
            warnings=(
                *contrast_warnings(built.design.theme, built.headers),
                *lone_heading_warnings(built.blocks, paginated),
                *not_together_warnings(built.blocks, built.keeps, paginated),
                *missing_face_warnings(document, self.fonts.han),
                *second_signature_warnings(document),
                *missing_signature_warnings(document, recipient_keys),
                *(() if is_filled else markup_warnings(document, is_template=variables is not None)),
            ),
        )


def _lay_out(document: BlockDocument, images: Mapping[str, ImageFile], fonts: ShippedFonts) -> _LaidOut:
    built = build_blocks(document, images, fonts)
    return _LaidOut(document, images, fonts, built, paginate(built.blocks, built.band, fonts, built.keeps))


def fitting_length(text: str, zone: Zone) -> int | None:
    """Returns None if `text` fits into `zone` at a readable size, otherwise the number of its characters that fit."""
    return value_layout.fitting_length(text, zone, ShippedFonts())


def stamp(pdf: bytes, values: Sequence[ZoneValue], record: SigningRecord | None = None) -> bytes:
    """Draws each value into its zone of `pdf`, which the engine has rendered, and the line of `record` on each page.

    Raises `PIL.UnidentifiedImageError`.
    """
    from layout.zones.draw_values import draw_values  # noqa: PLC0415  # loading PyMuPDF takes longer than laying out ten pages

    return draw_values(pdf, values, record)


def page_count(pdf: bytes) -> int:
    """Returns the number of pages of `pdf`."""
    from layout.pdf.pymupdf_file import open_file  # noqa: PLC0415  # see above

    with open_file(pdf) as file:
        return int(file.page_count)
