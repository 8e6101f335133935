"""The header bands that page breaks ask for. Specification 2.7 (pageBreak), 2.12."""

import pytest

from layout.frames import Placed, Text, frames_of
from layout.geometry import MARGIN
from layout.paging.margin_boxes import NO_BAND
from layout.paging.pagination import PageBody
from tests.layout.documents import Written, document, laid_out, paragraph, rendered_pdf
from tests.layout.reading import text_of

LONG = paragraph("long " * 2000)
OWN = ["Agreement", "Subtitle"]


def page_break(**members: object) -> Written:
    return {"type": "pageBreak", **members}


def section(title: str, scope: str = "section") -> Written:
    return page_break(header={"title": title}, headerScope=scope)


def bodies(*blocks: Written) -> tuple[PageBody, ...]:
    return laid_out(document(*blocks, subtitle="Subtitle")).bodies


def band(body: PageBody) -> list[str]:
    if body.band.frame is None:
        return []
    inner = frames_of(Placed(0, 0, body.band.frame))
    return [item.text for at in inner for item in at.frame.items if isinstance(item, Text)]


@pytest.mark.parametrize(
    ("members", "second"), [({}, OWN), ({"header": None}, []), ({"header": {"title": "Schedule 1"}}, ["Schedule 1"])]
)
def test_a_break_keeps_removes_or_retitles_the_band(members: Written, second: list[str]) -> None:
    before, after = bodies(paragraph("before"), page_break(**members), paragraph("after"))
    assert (band(before), band(after)) == (OWN, second)
    assert (after.band is NO_BAND) == (second == [])
    assert after.placed[0].y == (MARGIN if second == [] else after.band.body_top)


def test_the_page_after_a_retitled_one_has_the_band_of_the_document_again() -> None:
    shown = [band(body)[0] for body in bodies(paragraph("before"), section("Schedule 1", "page"), LONG)]
    assert shown[:3] == ["Agreement", "Schedule 1", "Agreement"]


@pytest.mark.parametrize(("header", "own"), [({"title": "Schedule 1"}, ["Schedule 1"]), (None, [])])
def test_the_header_of_a_section_stays_up_to_the_next_break(header: object, own: list[str]) -> None:
    first, last = page_break(header=header, headerScope="section"), ["Schedule 2"]
    bands = [band(body) for body in bodies(LONG, first, LONG, page_break(), LONG, section("Schedule 2"), LONG)]
    at = [bands.index(own), len(bands) - bands[::-1].index(own), bands.index(last)]
    assert bands == [OWN] * at[0] + [own] * (at[1] - at[0]) + [OWN] * (at[2] - at[1]) + [last] * (len(bands) - at[2])
    assert min(at[0], at[1] - at[0], at[2] - at[1], len(bands) - at[2]) > 1


def test_a_header_for_one_page_ends_a_section() -> None:
    bands = [band(body)[0] for body in bodies(section("Schedule 1"), LONG, section("Cover", "page"), LONG)]
    assert bands[:2] == ["Schedule 1", "Schedule 1"]
    assert bands[bands.index("Cover") :][:3] == ["Cover", "Agreement", "Agreement"]


def test_of_breaks_in_a_row_the_last_one_counts_and_a_first_break_changes_the_first_page() -> None:
    assert {band(body)[0] for body in bodies(section("Schedule 1"), page_break(), LONG)} == {"Agreement"}
    (body,) = bodies(section("Cover", "page"), paragraph("text"))
    assert band(body) == ["Cover"]


@pytest.mark.poppler
def test_every_page_says_which_of_how_many_it_is() -> None:
    first, second, _ = text_of(rendered_pdf(paragraph("before"), page_break(), paragraph("after"))).split("\f")
    assert first.rstrip().endswith("Agreement — page 1 of 2")
    assert second.rstrip().endswith("Agreement — page 2 of 2")
