"""A page of 100 points for tests of the flow, and blocks of letters that are all ten points wide."""

from layout.blocks.text_blocks import Heading, Paragraph
from layout.frames import Placed, Role
from layout.geometry import BODY_BOTTOM
from layout.paging.margin_boxes import HeaderBand
from layout.paging.pagination import PageBreakMark, PaginatedBlocks, paginate
from tests.layout.even_fonts import EVEN, TEN

TOP = BODY_BOTTOM - 100
BAND = HeaderBand(frame=None, body_top=TOP)
"""A page whose body is 100 points high."""


def heading(at: int, text: str = "heading") -> Heading:
    return Heading(f"/blocks/{at}", text, TEN)


def paragraph(at: int, lines: int) -> Paragraph:
    """Lines of 10 points, and a gap of 7.5 below."""
    return Paragraph(f"/blocks/{at}", "\n".join("x" * (line + 1) for line in range(lines)), TEN)


def paginated(*blocks: object) -> PaginatedBlocks:
    return paginate(blocks, BAND, EVEN)  # type: ignore[arg-type]


def places(result: PaginatedBlocks) -> list[list[tuple[str, float, float]]]:
    """For each page the frames: number of the block, from where below the top, how high. Gaps are not listed."""
    return [[place(placed) for placed in body.placed if placed.frame.role is not Role.GAP] for body in result.bodies]


def place(placed: Placed) -> tuple[str, float, float]:
    return (placed.frame.path.rpartition("/")[2], placed.y - TOP, placed.frame.height)


def page_break(at: int, band: HeaderBand = BAND) -> PageBreakMark:
    return PageBreakMark(f"/blocks/{at}", band)
