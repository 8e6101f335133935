"""A footer label stands whole on one line beside the page numbers, or is an issue. Specification 2.5, 2.12."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from layout.engine import check, render
from layout.paging.margin_boxes import footer_line
from layout.schema.block_document import BlockDocument
from layout.schema.issues import IssueKind
from layout.text.fonts import ShippedFonts
from tests.layout.documents import KEYS, document, paragraph

NOTICE = "Confidential: for the use of the parties named in this agreement only, and not to be copied or passed on. "


def found(written: BlockDocument) -> list[tuple[IssueKind, int, str]]:
    return [(issue.kind, issue.page, issue.path) for issue in check(written, KEYS).issues]


def test_a_label_that_does_not_fit_on_one_line_is_out_of_bounds_and_the_message_says_what_fits() -> None:
    rendered = render(document(paragraph("Text"), footerLabel=NOTICE * 3), KEYS)
    (issue,) = rendered.issues
    assert (issue.kind, issue.page, issue.path) == (IssueKind.OUT_OF_BOUNDS, 1, "/footerLabel")
    assert issue.snippet.startswith("Confidential")
    room = int(issue.message.partition("about ")[2].split()[0])
    assert found(document(paragraph("Text"), footerLabel=(NOTICE * 3)[:room])) == []
    assert rendered.pdf is None


def test_more_pages_leave_less_room() -> None:
    pages = [paragraph("Text"), {"type": "pageBreak"}] * 120
    labels = [("m" * length) for length in range(40, 90)]
    fits = [label for label in labels if found(document(paragraph("Text"), footerLabel=label)) == []]
    on_many = [label for label in labels if found(document(*pages, footerLabel=label)) == []]
    assert 0 < len(on_many) < len(fits) < len(labels)


@given(st.text(alphabet="ab iMW0 é字ل", min_size=1, max_size=200).filter(str.strip))
def test_what_is_not_refused_is_printed_whole(label: str) -> None:
    written = document(paragraph("Text"), footerLabel=label)
    if not found(written):
        line = footer_line(label, 1, 1, ShippedFonts())
        assert "…" not in line.text
        assert line.text.endswith(" — page 1 of 1")


def test_a_label_with_a_variable_is_measured_when_it_has_its_value() -> None:
    written = document(paragraph("Text"), footerLabel="{{{notice}}} " * 40)
    assert check(written, KEYS, variables={"notice"}).issues == ()


@pytest.mark.parametrize("title", ["Agreement", "W" * 21])
def test_the_title_fits_wherever_it_is_the_label(title: str) -> None:
    assert found(document(paragraph("Text"), title=title)) == []
