"""Pagination: placement of blocks on consecutive pages. Specification 2.12.

`layout.blocks.text_blocks` splits paragraphs, without widows and orphans.

It terminates: each step places or sets aside a whole block, or places a part and continues with the rest, which is
strictly smaller, or starts a page. A block that does not fit on an empty page is set aside and reported, so no two
pages are started in a row. It ends early where `MAX_PAGES` are exceeded.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from layout.blocks.block import Block, Fit, Nothing, Part, Whole
from layout.blocks.spacer import Spacer
from layout.captions import ENGLISH, Captions
from layout.frames import Placed, frames_of
from layout.geometry import BODY_BOTTOM, CONTENT_WIDTH, MARGIN, MAX_PAGES, Region
from layout.paging.margin_boxes import HeaderBand, footer_line, place_footer
from layout.text.fonts import FontMetrics


@dataclass(frozen=True, slots=True)
class PageBreakMark:
    """The next block starts a page with `band`. If `is_section`, all pages up to the next break have that band."""

    path: str
    band: HeaderBand
    is_section: bool = False


@dataclass(frozen=True, slots=True)
class PageBody:
    """The content of a page without its footer: its header band and the frames of its body."""

    band: HeaderBand
    placed: tuple[Placed, ...]

    def parts(self) -> tuple[Placed, ...]:
        band = self.band
        return self.placed if band.frame is None else (Placed(MARGIN, band.top, band.frame), *self.placed)


@dataclass(frozen=True, slots=True)
class Page:
    """A complete page, its frames in reading order. `number` counts from 1."""

    number: int
    placed: tuple[Placed, ...]

    def frames(self) -> Iterator[Placed]:
        """Yields all frames in reading order, nested frames included."""
        return (inner for at in self.placed for inner in frames_of(at))


@dataclass(frozen=True, slots=True)
class PaginatedBlocks:
    """The result of pagination: at least one page.

    `start_pages` and `end_pages` have the number of the page, from 1, on which each block begins and ends, by its JSON
    pointer. `unplaced` blocks fit on no page; their start page is the empty page on which they were tried.
    `exceeded_at` is the JSON pointer of the block in which `MAX_PAGES` are exceeded, where pagination ends; None if
    they are not.
    """

    bodies: tuple[PageBody, ...]
    start_pages: dict[str, int]
    unplaced: tuple[Block, ...]
    exceeded_at: str | None = None
    end_pages: Mapping[str, int] = field(default_factory=dict)

    def pages(self, label: str, fonts: FontMetrics, captions: Captions = ENGLISH) -> tuple[Page, ...]:
        """Returns the pages with header bands and footers, which need the total number of pages."""
        total = len(self.bodies)
        return tuple(
            Page(number, (*body.parts(), place_footer(footer_line(label, number, total, fonts, captions), fonts)))
            for number, body in enumerate(self.bodies, start=1)
        )


class Keeps(NamedTuple):
    """The JSON pointers of blocks that are kept on one page, and of those that are kept with the next block."""

    together: frozenset[str] = frozenset()
    with_next: frozenset[str] = frozenset()


NO_KEEPS = Keeps()


def paginate(
    blocks: Sequence[Block | PageBreakMark], band: HeaderBand, fonts: FontMetrics, keeps: Keeps = NO_KEEPS
) -> PaginatedBlocks:
    """Places `blocks` on pages. They have `band`, except after page breaks with another band.

    `keeps` give way where a page is too small.
    """
    paginator = _Paginator(band, fonts, keeps)
    at = 0
    while at < len(blocks) and paginator.exceeded_at is None:
        block = blocks[at]
        if isinstance(block, PageBreakMark):
            paginator.breaks.append(block)
            at += 1
            continue
        group = _blocks_together(blocks, at, keeps.with_next)
        paginator.place_group(group)
        at += len(group)
    return paginator.finish()


def _blocks_together(
    blocks: Sequence[Block | PageBreakMark], start: int, with_next: Collection[str] = ()
) -> list[Block]:
    """Returns the block at `start`; if it is kept with the next one, as headings are, with the content after it."""
    group: list[Block] = []
    for block in blocks[start:]:
        if isinstance(block, PageBreakMark):
            break
        group.append(block)
        is_kept = block.keeps_with_next or block.path in with_next
        if not is_kept and not (isinstance(block, Spacer) and len(group) > 1):
            break
    return group


@dataclass
class _Cursor:
    """Position of the next block on the current page. `gap` is None at the top, where no gap applies."""

    y: float
    gap: float | None = None

    def region(self, block: Block) -> Region:
        return Region(CONTENT_WIDTH, BODY_BOTTOM - self.top(block))

    def top(self, block: Block) -> float:
        if self.gap is None or isinstance(block, Spacer):  # a spacer is added to the gap before the next block
            return self.y
        return self.y + max(self.gap, block.gaps.above)

    def after(self, block: Block, height: float) -> "_Cursor":
        if isinstance(block, Spacer):
            return _Cursor(self.y + height, self.gap)
        return _Cursor(self.top(block) + height, block.gaps.below)


@dataclass
class _Paginator:
    """The pages so far and the current one. `breaks` are pending: they take effect when another block follows."""

    band: HeaderBand
    fonts: FontMetrics
    keeps: Keeps = NO_KEEPS
    breaks: list[PageBreakMark] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._bodies: list[PageBody] = []
        self._start_pages: dict[str, int] = {}
        self._end_pages: dict[str, int] = {}
        self._unplaced: list[Block] = []
        self.exceeded_at: str | None = None
        self._section = self.band
        self._start(self.band, forced=True)

    def place_group(self, group: Sequence[Block]) -> None:
        """Places blocks that stay together, if a page can hold them together."""
        self._break_page()
        if len(group) == 1:
            self._place(group[0])
            return
        fits = self._attempt(group)
        if fits is None and self._placed:
            self._next_page()
            fits = self._attempt(group)
        if fits is not None:
            for block, fit in zip(group, fits, strict=True):
                self._commit(block, fit)
            return
        kept = (block.keeps_with_next or block.path in self.keeps.with_next for block in group)
        last = max((at for at, is_kept in enumerate(kept) if is_kept), default=0)
        for block in group[: last or len(group)]:
            self._place(block)
        if last:
            self.place_group(group[last:])

    def finish(self) -> PaginatedBlocks:
        self._close()
        for mark in self.breaks:
            self._start_pages[mark.path] = len(self._bodies)
        return PaginatedBlocks(
            tuple(self._bodies), self._start_pages, tuple(self._unplaced), self.exceeded_at, self._end_pages
        )

    @property
    def _number(self) -> int:
        """The number of the current page."""
        return len(self._bodies) + 1

    def _start(self, band: HeaderBand, *, forced: bool) -> None:
        self._current = band
        self._forced = forced
        self._placed: list[Placed] = []
        self._cursor = _Cursor(band.body_top)

    def _close(self) -> None:
        self._bodies.append(PageBody(self._current, tuple(self._placed)))

    def _next_page(self) -> None:
        """Starts a page with the band of the section, or the document's own."""
        self._close()
        self._start(self._section, forced=False)

    def _break_page(self) -> None:
        """Applies the pending breaks. A page that is still empty gets the new band."""
        if not self.breaks:
            return
        if self._placed:
            self._close()
        last = self.breaks[-1]
        self._section = last.band if last.is_section else self.band
        self._start(last.band, forced=True)
        for mark in self.breaks:
            self._start_pages[mark.path] = self._number
        self.breaks.clear()

    def _attempt(self, group: Sequence[Block]) -> list[Whole | Part] | None:
        """Returns the fits of the group's blocks below the cursor.

        Returns None if one of them does not fit. Of the last block, a part is enough.
        """
        cursor = self._cursor
        fits: list[Whole | Part] = []
        for block in group:
            fit = self._fit(block, cursor)
            if isinstance(fit, Nothing) or (isinstance(fit, Part) and block is not group[-1]):
                return None
            fits.append(fit)
            cursor = cursor.after(block, fit.frame.height)
        return fits

    def _fit(self, block: Block, cursor: _Cursor) -> Fit:
        """Fits `block` below `cursor`; a part of a block that is kept together does not count if a page holds it."""
        fit = block.fit(cursor.region(block), self.fonts)
        if self.keeps.together and isinstance(fit, Part) and block.path in self.keeps.together:
            page = Region(CONTENT_WIDTH, BODY_BOTTOM - self._section.body_top)
            if isinstance(block.fit(page, self.fonts), Whole):
                return Nothing()
        return fit

    def _place(self, block: Block) -> None:
        if isinstance(block, Spacer) and not self._placed and not self._forced:
            self._start_pages[block.path] = self._number
            return  # left out: the page break already separates the blocks
        fit = self._fit(block, self._cursor) if self._placed else block.fit(self._cursor.region(block), self.fonts)
        if isinstance(fit, Nothing) and self._placed:
            self._next_page()
            fit = block.fit(self._cursor.region(block), self.fonts)
        self._commit(block, fit)

    def _commit(self, block: Block, fit: Fit) -> None:
        self._start_pages[block.path] = self._number
        while isinstance(fit, Part) and self._number <= MAX_PAGES:
            self._append(block, fit)
            self._next_page()
            block = fit.rest
            fit = block.fit(self._cursor.region(block), self.fonts)
        if self._number > MAX_PAGES and self.exceeded_at is None:
            self.exceeded_at = block.path
        self._end_pages[block.path] = self._number
        if isinstance(fit, Nothing):
            self._unplaced.append(block)
        else:
            self._append(block, fit)

    def _append(self, block: Block, fit: Whole | Part) -> None:
        self._placed.append(Placed(MARGIN, self._cursor.top(block), fit.frame))
        self._cursor = self._cursor.after(block, fit.frame.height)
