"""Pagination: placement of blocks on consecutive pages. Specification 2.12.

It terminates: each step places or sets aside a whole block, or places a part and continues with the rest, which is
strictly smaller, or starts a page. A block that does not fit on an empty page is set aside and reported, so no two
pages are started in a row.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from layout.blocks.block import Block, Fit, Nothing, Part, Whole
from layout.blocks.image_and_spacer import Spacer
from layout.paging.frames import Placed
from layout.paging.geometry import BODY_BOTTOM, CONTENT_WIDTH, MARGIN, Region
from layout.paging.header_and_footer import HeaderBand
from layout.paging.pages import PageBody
from layout.text.fonts import FontMetrics


@dataclass(frozen=True, slots=True)
class PageBreakMark:
    """The next block starts a page with `band`; with `is_section`, all pages up to the next break have it."""

    path: str
    band: HeaderBand
    is_section: bool = False


@dataclass(frozen=True, slots=True)
class PaginatedBlocks:
    """Result of pagination.

    Attributes:
        sheets: the pages; at least one.
        landed: page number, from 1, by the JSON pointer of each block: where it begins.
        homeless: blocks that fit on no page, set aside; they `start_pages` on the empty page that they did not fit on.
    """

    bodies: tuple[PageBody, ...]
    start_pages: dict[str, int]
    unplaced: tuple[Block, ...]


def paginate(blocks: Sequence[Block | PageBreakMark], band: HeaderBand, fonts: FontMetrics) -> PaginatedBlocks:
    """Places `blocks` on pages that have `band`, except where a break says otherwise."""
    paginator = _Paginator(band, fonts)
    at = 0
    while at < len(blocks):
        block = blocks[at]
        if isinstance(block, PageBreakMark):
            paginator.breaks.append(block)
            at += 1
            continue
        group = _blocks_together(blocks, at)
        paginator.place_group(group)
        at += len(group)
    return paginator.finish()


def _blocks_together(blocks: Sequence[Block | PageBreakMark], start: int) -> list[Block]:
    """The block at `start`, with what it must not be parted from: headings with the content after them."""
    group: list[Block] = []
    for block in blocks[start:]:
        if isinstance(block, PageBreakMark):
            break
        group.append(block)
        if not block.keeps_with_next and not (isinstance(block, Spacer) and len(group) > 1):
            break
    return group


@dataclass
class _Cursor:
    """Where the next block goes on the current page. `gap` is None at the top, where no room above is wanted."""

    y: float
    gap: float | None = None

    def region(self, block: Block) -> Region:
        return Region(CONTENT_WIDTH, BODY_BOTTOM - self.top(block))

    def top(self, block: Block) -> float:
        if self.gap is None or isinstance(block, Spacer):  # a spacer adds to the gap, which is the next block's
            return self.y
        return self.y + max(self.gap, block.gaps.above)

    def after(self, block: Block, height: float) -> "_Cursor":
        if isinstance(block, Spacer):
            return _Cursor(self.y + height, self.gap)
        return _Cursor(self.top(block) + height, block.gaps.below)


@dataclass
class _Paginator:
    """The pages so far and the one being filled. `breaks` wait until there is a block to put on the new page."""

    band: HeaderBand
    fonts: FontMetrics
    breaks: list[PageBreakMark] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._bodies: list[PageBody] = []
        self._start_pages: dict[str, int] = {}
        self._unplaced: list[Block] = []
        self._section = self.band
        self._start(self.band, forced=True)

    def place_group(self, group: Sequence[Block]) -> None:
        """Places blocks that stay together, if a page can hold them together."""
        self._break_page()
        if len(group) == 1:
            self._place(group[0])
            return
        fits = self._attempt(group)
        if fits is None and not self._is_empty:
            self._next_page()
            fits = self._attempt(group)
        if fits is not None:
            for block, fit in zip(group, fits, strict=True):
                self._commit(block, fit)
            return
        last = max((at for at, block in enumerate(group) if block.keeps_with_next), default=0)
        for block in group[: last or len(group)]:
            self._place(block)
        if last:
            self.place_group(group[last:])

    def finish(self) -> PaginatedBlocks:
        self._close()
        for waiting in self.breaks:
            self._start_pages[waiting.path] = len(self._bodies)
        return PaginatedBlocks(tuple(self._bodies), self._start_pages, tuple(self._unplaced))

    @property
    def _number(self) -> int:
        """The number of the page being filled."""
        return len(self._bodies) + 1

    @property
    def _is_empty(self) -> bool:
        return not self._placed

    def _start(self, band: HeaderBand, *, forced: bool) -> None:
        self._current = band
        self._forced = forced
        self._placed: list[Placed] = []
        self._cursor = _Cursor(band.body_top)

    def _close(self) -> None:
        self._bodies.append(PageBody(self._current, tuple(self._placed)))

    def _next_page(self) -> None:
        """The page is full: on to the next, which has the band of the section, or the document's own."""
        self._close()
        self._start(self._section, forced=False)

    def _break_page(self) -> None:
        """Carries out the breaks that wait. A page with nothing on it is not left behind, it takes the new band."""
        if not self.breaks:
            return
        if not self._is_empty:
            self._close()
        last = self.breaks[-1]
        self._section = last.band if last.is_section else self.band
        self._start(last.band, forced=True)
        for waiting in self.breaks:
            self._start_pages[waiting.path] = self._number
        self.breaks.clear()

    def _attempt(self, group: Sequence[Block]) -> list[Whole | Part] | None:
        """How the group fits below the cursor, its last block with at least its beginning; None if it does not."""
        cursor = self._cursor
        fits: list[Whole | Part] = []
        for block in group:
            fit = block.fit(cursor.region(block), self.fonts)
            if isinstance(fit, Nothing) or (isinstance(fit, Part) and block is not group[-1]):
                return None
            fits.append(fit)
            cursor = cursor.after(block, fit.frame.height)
        return fits

    def _place(self, block: Block) -> None:
        if isinstance(block, Spacer) and self._is_empty and not self._forced:
            self._start_pages[block.path] = self._number
            return  # swallowed: the page's end has parted the blocks already
        fit = block.fit(self._cursor.region(block), self.fonts)
        if isinstance(fit, Nothing) and not self._is_empty:
            self._next_page()
            fit = block.fit(self._cursor.region(block), self.fonts)
        self._commit(block, fit)

    def _commit(self, block: Block, fit: Fit) -> None:
        self._start_pages[block.path] = self._number
        while isinstance(fit, Part):
            self._append(block, fit)
            self._next_page()
            block = fit.rest
            fit = block.fit(self._cursor.region(block), self.fonts)
        if isinstance(fit, Nothing):
            self._unplaced.append(block)
        else:
            self._append(block, fit)

    def _append(self, block: Block, fit: Whole | Part) -> None:
        self._placed.append(Placed(MARGIN, self._cursor.top(block), fit.frame))
        self._cursor = self._cursor.after(block, fit.frame.height)
