"""What stands at the top of a page: spacers there, and the bands that page breaks ask for. Specification 2.7, 2.12."""

import pytest

from layout.blocks.image_and_spacer import Spacer
from layout.engine import render
from layout.paging.frames import Placed, Text, frames_of
from layout.paging.geometry import MARGIN
from layout.paging.header_and_footer import NO_BAND
from layout.paging.pagination import PageBody
from layout.schema.block_document import BlockDocument
from tests.layout.documents import document, laid_out
from tests.layout.flows import page_break, paginated, paragraph, places
from tests.layout.reading import text_of

SPACER = Spacer("/blocks/1", 30)


def test_a_spacer_parts_two_blocks_by_its_height_and_their_gap() -> None:
    result = paginated(paragraph(0, 1), SPACER, paragraph(2, 1))
    assert places(result) == [[("0", 0, 10), ("2", 47.5, 10)]]  # 10 + 30 + 7.5


def test_a_spacer_at_the_top_of_the_document_is_kept() -> None:
    assert places(paginated(SPACER, paragraph(2, 1))) == [[("2", 30, 10)]]


def test_a_spacer_at_a_page_top_after_an_automatic_break_is_swallowed() -> None:
    result = paginated(paragraph(0, 10), SPACER, paragraph(2, 1))
    assert places(result) == [[("0", 0, 100)], [("2", 0, 10)]]


def test_a_spacer_that_straddles_the_page_end_leaves_nothing_for_the_next_page() -> None:
    result = paginated(paragraph(0, 8), SPACER, paragraph(2, 1))
    assert places(result) == [[("0", 0, 80)], [("2", 0, 10)]]


def test_a_spacer_at_a_page_top_after_a_forced_break_is_kept() -> None:
    result = paginated(paragraph(0, 1), page_break(1), SPACER, paragraph(2, 1))
    assert places(result) == [[("0", 0, 10)], [("2", 30, 10)]]


def test_a_spacer_taller_than_a_page_does_not_make_an_empty_one() -> None:
    result = paginated(paragraph(0, 1), Spacer("/blocks/1", 600), paragraph(2, 1))
    assert places(result) == [[("0", 0, 10)], [("2", 0, 10)]]


@pytest.mark.parametrize("breaks", [1, 2, 5])
def test_breaks_in_a_row_leave_no_empty_page(breaks: int) -> None:
    result = paginated(paragraph(0, 1), *(page_break(at + 1) for at in range(breaks)), paragraph(9, 1))
    assert len(result.bodies) == 2


def test_a_break_at_the_end_leaves_no_empty_page() -> None:
    assert len(paginated(paragraph(0, 1), page_break(1)).bodies) == 1


def texts_of_band(body: PageBody) -> list[str]:
    if body.band.frame is None:
        return []
    inner = frames_of(Placed(0, 0, body.band.frame))
    return [item.text for at in inner for item in at.frame.items if isinstance(item, Text)]


def broken(break_: dict[str, object], *after: str) -> BlockDocument:
    paragraphs = [{"type": "paragraph", "text": text} for text in after or ("after",)]
    return document({"type": "paragraph", "text": "before"}, break_, *paragraphs, subtitle="Subtitle")


def test_a_break_without_header_keeps_the_band_of_the_document() -> None:
    first, second = laid_out(broken({"type": "pageBreak"})).bodies
    assert texts_of_band(first) == texts_of_band(second) == ["Agreement", "Subtitle"]


def test_a_break_with_null_as_header_removes_the_band() -> None:
    _, second = laid_out(broken({"type": "pageBreak", "header": None})).bodies
    assert second.band is NO_BAND
    assert second.placed[0].y == MARGIN


def test_a_break_with_a_header_retitles_the_page() -> None:
    _, second = laid_out(broken({"type": "pageBreak", "header": {"title": "Schedule 1"}})).bodies
    assert texts_of_band(second) == ["Schedule 1"]


def test_the_page_after_a_retitled_one_has_the_band_of_the_document_again() -> None:
    bodies = laid_out(broken({"type": "pageBreak", "header": {"title": "Schedule 1"}}, "long " * 2000)).bodies
    assert [texts_of_band(body)[0] for body in bodies[:3]] == ["Agreement", "Schedule 1", "Agreement"]


@pytest.mark.parametrize(("header", "band"), [({"title": "Schedule 1"}, ["Schedule 1"]), (None, [])])
def test_the_header_of_a_section_stays_up_to_the_next_break(header: object, band: list[str]) -> None:
    section = {"type": "pageBreak", "header": header, "headerScope": "section"}
    long = {"type": "paragraph", "text": "long " * 2000}
    own, last = ["Agreement", "Subtitle"], ["Schedule 2"]
    blocks = [long, section, long, {"type": "pageBreak"}, long, {**section, "header": {"title": "Schedule 2"}}, long]

    bodies = laid_out(document(*blocks, subtitle="Subtitle")).bodies

    bands = [texts_of_band(body) for body in bodies]
    at = [bands.index(band), len(bands) - bands[::-1].index(band), bands.index(last)]
    assert bands == [own] * at[0] + [band] * (at[1] - at[0]) + [own] * (at[2] - at[1]) + [last] * (len(bands) - at[2])
    assert min(at[0], at[1] - at[0], at[2] - at[1], len(bands) - at[2]) > 1


def test_a_header_for_one_page_ends_a_section() -> None:
    long = {"type": "paragraph", "text": "long " * 2000}
    section = {"type": "pageBreak", "header": {"title": "Schedule 1"}, "headerScope": "section"}
    page = {"type": "pageBreak", "header": {"title": "Cover"}, "headerScope": "page"}

    bodies = laid_out(document(section, long, page, long)).bodies

    bands = [texts_of_band(body)[0] for body in bodies]
    assert bands[:2] == ["Schedule 1", "Schedule 1"]
    assert bands[bands.index("Cover") :][:3] == ["Cover", "Agreement", "Agreement"]


def test_of_breaks_in_a_row_the_last_one_counts() -> None:
    long = {"type": "paragraph", "text": "long " * 2000}
    section = {"type": "pageBreak", "header": {"title": "Schedule 1"}, "headerScope": "section"}

    bodies = laid_out(document(section, {"type": "pageBreak"}, long)).bodies

    assert {texts_of_band(body)[0] for body in bodies} == {"Agreement"}


def test_a_break_before_anything_else_changes_the_first_page() -> None:
    only = document(
        {"type": "pageBreak", "header": {"title": "Cover"}},
        {"type": "paragraph", "text": "text"},
    )
    (body,) = laid_out(only).bodies
    assert texts_of_band(body) == ["Cover"]


@pytest.mark.poppler
def test_every_page_says_which_of_how_many_it_is() -> None:
    pdf = render(broken({"type": "pageBreak"}), {"client"}).pdf
    assert pdf is not None
    first, second = text_of(pdf).split("\f")[:2]
    assert first.rstrip().endswith("Agreement — page 1 of 2")
    assert second.rstrip().endswith("Agreement — page 2 of 2")
