"""Titles of about 30 characters fit beside a logo of the default width too. Specification 2.5."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from layout.engine import check
from layout.paging.margin_boxes import Header, HeaderDesign, build_header_band, title_lines, title_style
from layout.schema.image_file import fit_logo
from layout.schema.issues import IssueKind
from layout.text.fonts import ShippedFonts
from layout.theme_styles import Theme
from tests.layout.documents import KEYS, document, paragraph
from tests.layout.pictures import image_file

LOGO = image_file(1200, 600)
FONTS = ShippedFonts()
TITLES = [
    "Employment Contract Amendments",
    "COMMERCIAL PROPERTY MANAGEMENT",
    "MUTUAL NON-DISCLOSURE CONTRACT",
    "MEMORANDUM OF UNDERSTANDING 26",
    "Website Maintenance Agreement",
    "STATEMENT OF WORK AND PRICING",
    "Договор аренды жилого дома № 7",
]


def beside(width: float | None) -> HeaderDesign:
    return HeaderDesign(Theme(), None if width is None else fit_logo(LOGO, width))


def fits(title: str, design: HeaderDesign) -> bool:
    return len(title_lines(Header(title, None, ""), design, FONTS)) == 1


@pytest.mark.parametrize("title", TITLES)
def test_ordinary_titles_of_thirty_characters_fit_beside_the_default_logo(title: str) -> None:
    assert len(title) in {28, 29, 30}
    assert check(document(paragraph("x"), title=title, logo={"fileId": "logo"}), KEYS, {"logo": LOGO}).issues == ()


def test_a_title_that_fits_keeps_its_size_and_another_is_set_no_smaller_than_it_must() -> None:
    sizes = [title_style(Header(title, None, ""), beside(None), FONTS).size for title in ("Lease", *TITLES)]
    smaller = [title_style(Header(title, None, ""), beside(130), FONTS).size for title in ("Lease", *TITLES)]
    assert set(sizes) == {22}
    assert smaller[0] == 22
    assert all(18 <= size < 22 for size in smaller[1:3])
    assert smaller[1] > smaller[2]


def test_the_body_begins_where_it_begins_below_a_title_of_the_full_size() -> None:
    tops = {build_header_band(Header(title, None, ""), beside(130), FONTS).body_top for title in ("Lease", *TITLES)}
    assert len(tops) == 1


def test_a_title_that_is_too_long_in_the_smallest_size_is_refused() -> None:
    written = document(paragraph("x"), title="Agreement on the Management of Property", logo={"fileId": "logo"})
    (issue,) = check(written, KEYS, {"logo": LOGO}).issues
    assert issue.kind is IssueKind.TITLE_TOO_LONG


@given(st.text(alphabet="abimMW É", min_size=1, max_size=60).filter(str.strip), st.integers(20, 130))
def test_no_title_fits_beside_a_logo_that_does_not_fit_without_one(title: str, width: int) -> None:
    if fits(title, beside(width)):
        assert fits(title, beside(None))
