"""Rendering of a report as PDF. Deterministic."""

from collections.abc import Iterator
from dataclasses import replace

from layout.blocks.block import Block
from layout.blocks.text_blocks import Heading, Paragraph
from layout.captions import captions_of
from layout.engine import collector_paused
from layout.geometry import CONTENT_WIDTH
from layout.paging.margin_boxes import Header, HeaderDesign, build_header_band
from layout.paging.pagination import paginate
from layout.pdf.write_document import write_pdf
from layout.reports import report as written
from layout.reports.qr_code import QrCode, SideBySide
from layout.reports.report import Report, TextRole
from layout.reports.table import Entry, Table
from layout.text.bidi import reads_backwards
from layout.text.characters import is_plain, prepare_line, prepare_text, spelled_out
from layout.text.font_fallback import han_of
from layout.text.fonts import Face, FontMetrics, ShippedFonts, TextStyle
from layout.text.wrap_text import shortened
from layout.theme_styles import GREY, INK, TEAL, Theme

_QR_WIDTH = 84.0
_LINES = 2.6  # maximum of a text beside a QR code; less than three, because lines end at words
_THEME = Theme()
_LOOKS = {
    TextRole.TEXT: _THEME.body(9.5, bold=False, muted=False),
    TextRole.LEAD: TextStyle(Face.BOLD, 13, 18, TEAL),
    TextRole.STRONG: TextStyle(Face.BOLD, 9.5, 12.5, INK),
    TextRole.PLAIN: TextStyle(Face.REGULAR, 9, 12.5, INK),
    TextRole.MUTED: TextStyle(Face.REGULAR, 9, 12.5, GREY),
    TextRole.FINE: TextStyle(Face.REGULAR, 7.5, 10.5, GREY),
}


@collector_paused()
def render_report(report: Report) -> bytes:
    """Returns the report as a PDF. Raises `RuntimeError` if a part of it fits on no page, or it has too many pages.

    No text of a session causes that.
    """
    report = _spelled_out(report)
    captions = captions_of(report.language)
    shaped = [text for text in (*_texts(report), captions.page_of) if not is_plain(text)]
    fonts = ShippedFonts(han_of(shaped, report.language), shapes=bool(shaped))
    subtitle = shortened(prepare_line(report.subtitle), "", _THEME.subtitle, CONTENT_WIDTH, fonts)
    band = build_header_band(Header(report.title, subtitle, ""), HeaderDesign(_THEME, captions=captions), fonts)
    blocks = [_block(part, f"/parts/{at}", fonts) for at, part in enumerate(report.parts)]
    if reads_backwards(captions.name):
        blocks = [_mirrored(block) for block in blocks]
    paginated = paginate(blocks, band, fonts)
    if paginated.exceeded_at is not None:
        raise RuntimeError(f"the report has too many pages: {paginated.exceeded_at}")
    if paginated.unplaced:
        raise RuntimeError(f"parts of a report fit on no page: {', '.join(block.path for block in paginated.unplaced)}")
    return write_pdf(
        paginated.pages(report.footer, fonts, captions), prepare_line(report.title), report.attachments, report.language
    )


def _spelled_out(report: Report) -> Report:
    """Returns the report with the code points of characters that no font draws."""

    def of_table(table: written.Table) -> written.Table:
        rows = tuple(
            tuple(tuple(replace(entry, text=spelled_out(entry.text)) for entry in cell) for cell in row)
            for row in table.rows
        )
        return replace(table, rows=rows)

    def of_part(part: written.Part) -> written.Part:
        match part:
            case written.Table():
                return of_table(part)
            case written.TableWithQrCode():
                return replace(part, table=of_table(part.table))
            case _:
                return replace(part, text=spelled_out(part.text))

    title, subtitle, footer = map(spelled_out, (report.title, report.subtitle, report.footer))
    return replace(report, title=title, subtitle=subtitle, footer=footer, parts=tuple(map(of_part, report.parts)))


def _block(part: written.Part, path: str, fonts: FontMetrics) -> Block:
    match part:
        case written.Heading():
            return Heading(path, prepare_line(part.text), _THEME.heading)
        case written.Note():
            return Paragraph(path, prepare_text(part.text), _LOOKS[part.look])
        case written.Table():
            return _table(part, path)
        case written.TableWithQrCode():
            code = QrCode(f"{path}/code", part.address, prepare_line(part.caption))
            return SideBySide(path, _table(_shortened(part.table, fonts), f"{path}/table"), code, _QR_WIDTH)


def _mirrored(block: Block) -> Block:
    """Returns the block with the columns of its table from right to left."""
    if isinstance(block, Table):
        return replace(block, is_mirrored=True)
    return replace(block, left=_mirrored(block.left)) if isinstance(block, SideBySide) else block


def _shortened(table: written.Table, fonts: FontMetrics) -> written.Table:
    """Shortens the texts of `table` to about three lines, as it must fit on one page."""
    room = CONTENT_WIDTH - _QR_WIDTH - SideBySide.GUTTER
    widths = [_LINES * room * width / sum(table.widths) for width in table.widths]
    rows = tuple(
        tuple(
            tuple(
                replace(entry, text=shortened(prepare_line(entry.text), "", _LOOKS[entry.look], width, fonts))
                for entry in cell
            )
            for cell, width in zip(row, widths, strict=True)
        )
        for row in table.rows
    )
    return replace(table, rows=rows)


def _table(table: written.Table, path: str) -> Table:
    rows = tuple(
        tuple(tuple(Entry(prepare_line(entry.text), _LOOKS[entry.look]) for entry in cell) for cell in row)
        for row in table.rows
    )
    return Table(path, table.widths, table.head, rows)


def _texts(report: Report) -> Iterator[str]:
    yield from (report.title, report.subtitle, report.footer)
    for part in report.parts:
        if isinstance(part, written.Heading | written.Note):
            yield part.text
            continue
        table = part if isinstance(part, written.Table) else part.table
        if isinstance(part, written.TableWithQrCode):
            yield part.caption
        yield from table.head
        yield from (entry.text for row in table.rows for cell in row for entry in cell)
