"""Headings that stand alone: what comes after them is on another page. Specification 2.7, 2.12."""

from collections.abc import Iterator, Sequence

from layout.blocks.block import Block
from layout.blocks.heading import Heading
from layout.blocks.image import ImageBlock
from layout.blocks.spacer import Spacer
from layout.paging.geometry import BODY_BOTTOM
from layout.paging.pagination import PageBreakMark, PaginatedBlocks
from layout.schema.block_document import LEAST_IMAGE_WIDTH
from layout.schema.issues import DocumentWarning, WarningKind


def lone_heading_warnings(
    blocks: Sequence[Block | PageBreakMark], paginated: PaginatedBlocks
) -> Iterator[DocumentWarning]:
    """A warning for each heading whose content begins on another page, because no page holds both."""
    for at, heading in enumerate(blocks):
        if isinstance(heading, Heading):
            following = next((block for block in blocks[at + 1 :] if not isinstance(block, Spacer)), None)
            if following is None or following in paginated.unplaced or heading in paginated.unplaced:
                continue
            page = paginated.start_pages[heading.path]
            if isinstance(following, PageBreakMark) or paginated.start_pages[following.path] != page:
                remedy = _remedy(heading, following, paginated)
                message = f"The heading stands alone at the end of page {page}. {remedy}"
                yield DocumentWarning(kind=WarningKind.HEADING_ALONE, message=message, path=heading.path)


def _remedy(heading: Heading, following: Block | PageBreakMark, paginated: PaginatedBlocks) -> str:
    if isinstance(following, PageBreakMark):
        return "Put it after the page break that follows it, or take it out."
    if not isinstance(following, ImageBlock):
        return "What follows does not fit below it. Shorten that, or the heading."
    room = _room_below(heading, following, paginated)
    widest = int(following.width * room / following.height)
    remedy = f"Give it a width of {widest} points at most" if widest >= LEAST_IMAGE_WIDTH else "Crop it"
    return f"The image after it is {following.height:.0f} points tall, and there is room for {room:.0f}. {remedy}."


def _room_below(heading: Heading, following: Block, paginated: PaginatedBlocks) -> float:
    """The height that `following` could have at most below `heading` on its page, in points."""
    body = paginated.bodies[paginated.start_pages[heading.path] - 1]
    bottom = next(at.y + at.frame.height for at in body.placed if at.frame.path == heading.path)
    return BODY_BOTTOM - bottom - max(heading.gaps.below, following.gaps.above)
