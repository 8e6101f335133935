"""What holds for any document: nothing is lost or doubled, nothing sticks out, it ends, and it ends the same way."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import takewhile

from hypothesis import given, settings
from hypothesis import strategies as st

from layout.blocks.block import Fit, Nothing, Part, Whole
from layout.blocks.rich_text import rich_text
from layout.blocks.spacer import Spacer
from layout.blocks.text_blocks import Paragraph
from layout.engine import check, render
from layout.frames import Frame, Image, Item, Outline, Placed, Ring, Role, Rule, Stroke, Text, frames_of
from layout.geometry import BODY_BOTTOM, CONTENT_WIDTH, MARGIN, TOLERANCE, Rect, Region
from layout.paging.pagination import PageBody
from layout.schema.block_document import Block, BlockDocument, BulletList, FieldRow, Heading, SignatureBlock
from layout.schema.block_document import Paragraph as ParagraphPart
from layout.schema.clauses import Clause, by_id, clauses_of
from layout.schema.input import Input
from layout.text.characters import prepare_text
from layout.text.wrap_text import wrap
from layout.theme_styles import FOOTER
from tests.layout.documents import KEYS, laid_out
from tests.layout.even_fonts import EVEN, TEN
from tests.layout.flows import heading, paginated, paragraph
from tests.layout.pictures import PICTURES
from tests.layout.strategies import documents, texts

SIGNATURE_CAPTIONS = {"Name", "Date signed", "Signature"}


def squeezed(text: str) -> str:
    """`text` without its spaces, line ends and marks of direction."""
    return "".join(text.replace("\u200f", "").split())


def texts_in(frame: Frame) -> Iterator[Text]:
    return (item for item in frame.items if isinstance(item, Text))


def frames_on(body: PageBody) -> Iterator[Placed]:
    """All frames of the body, those in other frames too, where they stand on the page."""
    return (inner for placed in body.placed for inner in frames_of(placed))


def drawn(bodies: tuple[PageBody, ...], path: str) -> str:
    """All text of the block at `path`, over all pages."""
    return "".join(
        item.text
        for body in bodies
        for placed in body.placed
        if placed.frame.path == path
        for inner in frames_of(placed)
        if inner.frame.role is not Role.LABEL
        for item in texts_in(inner.frame)
        if placed.frame.role is not Role.SIGNATURE or item.text not in SIGNATURE_CAPTIONS
    )


def expected(block: Block | Input, clauses: Sequence[Clause] = (), path: str = "") -> str:
    """The text of a block, with its number, and without the numbers of a list."""
    known = by_id(clauses)
    match block:
        case Heading() | ParagraphPart():
            label = next((clause.label for clause in clauses if clause.path == path), "")
            return label + rich_text(block.text, FOOTER, known).text
        case BulletList():
            return "".join(rich_text(item, FOOTER, known).text for item in block.items)
        case Input():
            options = () if block.field_type == "dropdown" else block.options or ()
            return prepare_text(block.label) + "*" * block.is_required + "".join(map(prepare_text, options))
        case FieldRow():
            return "".join(map(expected, block.fields))
        case SignatureBlock():
            return prepare_text(block.label)
        case _:
            return ""


def block_of(path: str) -> str:
    """The pointer of the block that `path` points into."""
    return "/".join(path.split("/")[:3])


def box_of(item: Item) -> Rect:
    """What an item covers; of a text only its place along the line, at its baseline."""
    match item:
        case Placed():
            return Rect(item.x, item.y, item.frame.width, item.frame.height)
        case Text():
            return Rect(item.x, item.y, item.width, 0)
        case Rule():
            return Rect(item.x, item.y - item.thickness / 2, item.w, item.thickness)
        case Stroke():
            xs, ys = zip(*item.points, strict=True)
            return Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))
        case _:
            return item.rect


def ink_of(at: Placed) -> Iterator[Rect]:
    """The letters and boxes of a frame, each as a rectangle on the page. Letters stand 0.7 of their size above."""
    for item in at.frame.items:
        if isinstance(item, Text) and item.text.strip():
            size = item.style.size
            yield Rect(at.x + item.x, at.y + item.y - 0.7 * size, item.width, 0.7 * size)
        elif isinstance(item, Outline | Ring):
            yield item.rect.moved(at.x, at.y)


def overlap(one: Rect, other: Rect) -> bool:
    return (
        one.x < other.right - TOLERANCE
        and other.x < one.right - TOLERANCE
        and one.y < other.bottom - TOLERANCE
        and other.y < one.bottom - TOLERANCE
    )


def _any_document(test: Callable[[BlockDocument], None]) -> Callable[[], None]:
    return settings(max_examples=60)(given(written=documents())(test))


@given(text=texts(), width=st.floats(1, 500))
def test_wrapping_loses_and_doubles_no_character(text: str, width: float) -> None:
    lines = wrap(text, TEN, width, EVEN)
    joined = "".join(line.text + ("\n" if line.ends_paragraph else "") for line in lines)
    assert joined == text + "\n"


@given(text=texts(), width=st.floats(10, 500))
def test_no_line_is_wider_than_its_room(text: str, width: float) -> None:
    assert all(line.width <= width + TOLERANCE for line in wrap(text, TEN, width, EVEN))


@given(text=texts(), width=st.floats(10, 500), height=st.floats(0, 200))
def test_a_part_is_more_than_nothing_and_less_than_the_whole(text: str, width: float, height: float) -> None:
    block = Paragraph("/blocks/0", text, TEN)
    region = Region(width, height)
    fit: Fit = block.fit(region, EVEN)
    if isinstance(fit, Nothing):
        return
    assert region.holds(fit.frame.height)
    if isinstance(fit, Part):
        whole, rest = (one.fit(Region(width, 1e9), EVEN) for one in (block, fit.rest))
        assert isinstance(whole, Whole)
        assert isinstance(rest, Whole)
        assert 0 < rest.frame.height < whole.frame.height
        assert fit.frame.height + rest.frame.height == whole.frame.height


@_any_document
def test_no_text_of_a_document_is_lost_or_doubled(written: BlockDocument) -> None:
    result = laid_out(written, PICTURES)
    unplaced = {block.path for block in result.unplaced}
    clauses = tuple(clauses_of(written.blocks))
    for at, block in enumerate(written.blocks):
        path = f"/blocks/{at}"
        if path not in unplaced:
            assert squeezed(drawn(result.bodies, path)) == squeezed(expected(block, clauses, path))


@_any_document
def test_frames_stay_in_the_body_and_follow_each_other(written: BlockDocument) -> None:
    for body in laid_out(written, PICTURES).bodies:
        y = body.band.body_top
        for placed in body.placed:
            assert placed.x == MARGIN
            assert placed.frame.width == CONTENT_WIDTH
            assert placed.y >= y - TOLERANCE
            y = placed.y + placed.frame.height
        assert y <= BODY_BOTTOM + TOLERANCE


@_any_document
def test_no_item_sticks_out_of_its_frame(written: BlockDocument) -> None:
    for body in laid_out(written, PICTURES).bodies:
        for at in frames_on(body):
            for item in at.frame.items:
                box = box_of(item)
                assert box.x >= -TOLERANCE
                assert box.right <= at.frame.width + TOLERANCE
                assert box.y >= -TOLERANCE
                assert box.bottom <= at.frame.height + TOLERANCE


@_any_document
def test_nothing_in_or_beside_inputs_overlaps(written: BlockDocument) -> None:
    for body in laid_out(written, PICTURES).bodies:
        for placed in body.placed:
            if placed.frame.role in {Role.INPUT, Role.ROW, Role.SIGNATURE, Role.LIST}:
                ink = sorted((rect for at in frames_of(placed) for rect in ink_of(at)), key=lambda rect: rect.y)
                for at, one in enumerate(ink):
                    below = takewhile(lambda rect: rect.y < one.bottom, ink[at + 1 :])  # noqa: B023  # used at once
                    assert not any(overlap(one, other) for other in below)


@_any_document
def test_zones_lie_apart_and_hold_their_options(written: BlockDocument) -> None:
    zones = render(written, KEYS, PICTURES).zones
    for at, one in enumerate(zones):
        rect = Rect(one.x, one.y, one.w, one.h)
        for other in zones[at + 1 :]:
            assert one.page != other.page or not overlap(rect, Rect(other.x, other.y, other.w, other.h))
        for option in one.options:
            assert rect.x - 0.01 <= option.x
            assert option.x + option.w <= rect.right + 0.02
            assert rect.y - 0.01 <= option.y
            assert option.y + option.h <= rect.bottom + 0.02


@_any_document
def test_pictures_keep_their_proportions_and_stay_in_their_frames(written: BlockDocument) -> None:
    for body in laid_out(written, PICTURES).bodies:
        for placed in body.placed:
            for item in (item for item in placed.frame.items if isinstance(item, Image)):
                rect, file = item.rect, item.file
                assert abs(rect.w * file.height - rect.h * file.width) < TOLERANCE * max(file.width, file.height)
                assert rect.x >= -TOLERANCE
                assert rect.right <= CONTENT_WIDTH + TOLERANCE
                assert rect.bottom <= placed.frame.height + TOLERANCE


@_any_document
def test_bands_hold_their_texts_and_the_logo_side_by_side_above_the_body(written: BlockDocument) -> None:
    for band in (body.band for body in laid_out(written, PICTURES).bodies):
        parts = [at for at in band.frame.items if isinstance(at, Placed)] if band.frame else []
        for at in parts:
            assert at.y >= -TOLERANCE
            assert band.top + at.y + at.frame.height < band.body_top
            assert at.x + at.frame.width <= CONTENT_WIDTH + TOLERANCE
        edge = min((at.x for at in parts if at.frame.role is Role.FIGURE), default=CONTENT_WIDTH)
        ends = [at.x + item.x + item.width for at in parts for item in texts_in(at.frame)]
        assert all(end <= edge + TOLERANCE for end in ends)


@_any_document
def test_every_zone_lies_in_the_content_area_of_its_page(written: BlockDocument) -> None:
    rendered = render(written, KEYS, PICTURES)
    for zone in rendered.zones:
        assert 1 <= zone.page <= rendered.page_count
        assert zone.x >= MARGIN
        assert zone.x + zone.w <= MARGIN + CONTENT_WIDTH + 0.01  # zones are rounded to a hundredth
        assert zone.y >= 0
        assert zone.y + zone.h <= BODY_BOTTOM + 0.01


@_any_document
def test_every_input_and_signature_has_its_zones_unless_an_issue_says_so(written: BlockDocument) -> None:
    rendered = render(written, KEYS, PICTURES)
    named = {zone.path for zone in rendered.zones}
    reported = {block_of(issue.path) for issue in rendered.issues if issue.kind == "zone-out-of-bounds"}
    assert {block_of(path) for path in named} & reported == set()
    assert {path for path, _ in written.bound() if block_of(path) not in reported} == named


@_any_document
def test_checking_finds_what_rendering_finds(written: BlockDocument) -> None:
    assert check(written, KEYS, PICTURES) == replace(render(written, KEYS, PICTURES), pdf=None)


@_any_document
def test_every_document_ends_with_a_pdf_or_with_issues_and_the_same_each_time(written: BlockDocument) -> None:
    rendered = render(written, KEYS, PICTURES)
    assert (rendered.pdf is None) == bool(rendered.issues)
    assert render(written, KEYS, PICTURES) == rendered


SECTIONS = st.tuples(st.integers(0, 2), st.integers(0, 10), st.integers(1, 30))
"""Headings, points of a spacer, and lines of a paragraph: a page of 100 points holds its beginning in any case."""


@given(sections=st.lists(SECTIONS, min_size=1, max_size=12))
def test_headings_are_never_last_on_a_page(sections: list[tuple[int, int, int]]) -> None:
    blocks: list[object] = []
    for headings, gap, lines in sections:
        blocks += [heading(len(blocks) + at) for at in range(headings)]
        if gap:
            blocks.append(Spacer(f"/blocks/{len(blocks)}", gap))
        blocks.append(paragraph(len(blocks), lines))
    for body in paginated(*blocks).bodies:
        shown = [placed.frame for placed in body.placed if placed.frame.role is not Role.GAP]
        assert shown[-1].role is not Role.HEADING
