"""A heading that no page holds together with its content is told in a warning. Specification 2.7, 2.12, 7.5."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from layout.engine import check
from layout.paging.frames import Role
from layout.schema.block_document import BlockDocument
from layout.schema.issues import DocumentWarning, WarningKind
from tests.layout.documents import KEYS, document, laid_out, paragraph
from tests.layout.image_files import image_file

TALL = image_file(420, 630)
BREAK: dict[str, Any] = {"type": "pageBreak"}
PICTURE: dict[str, Any] = {"type": "image", "fileId": "tall", "width": 420}


def heading(text: str) -> dict[str, object]:
    return {"type": "heading", "text": text}


def alone(written: BlockDocument) -> list[DocumentWarning]:
    found = check(written, KEYS, {"tall": TALL})
    assert found.issues == ()
    return [warning for warning in found.warnings if warning.kind is WarningKind.HEADING_ALONE]


def test_a_heading_before_an_image_that_takes_a_page_is_told_with_the_width_that_would_do() -> None:
    (warning,) = alone(document(paragraph("Text"), heading("Floor plan " * 8), PICTURE))

    assert warning.path == "/blocks/1"
    assert "at the end of page 2" in warning.message
    width = int(warning.message.partition("a width of ")[2].split()[0])
    assert alone(document(paragraph("Text"), heading("Floor plan " * 8), {**PICTURE, "width": width})) == []
    assert alone(document(paragraph("Text"), heading("Floor plan " * 8), {**PICTURE, "width": width + 2})) != []


def test_a_heading_before_a_page_break_is_told() -> None:
    (warning,) = alone(document(paragraph("Text"), heading("Annex"), BREAK, paragraph("Text")))

    assert warning.path == "/blocks/1"
    assert "after the page break" in warning.message


def test_a_spacer_between_them_changes_nothing() -> None:
    assert len(alone(document(heading("Plan"), {"type": "spacer", "height": 40}, PICTURE))) == 1


@pytest.mark.parametrize("blocks", [[heading("Annex")], [heading("Annex"), paragraph("Text")]])
def test_a_heading_with_its_content_or_with_none_is_not_told(blocks: list[dict[str, Any]]) -> None:
    assert alone(document(paragraph("Text"), *blocks)) == []


BLOCKS = st.sampled_from(
    [
        heading("Services"),
        heading("Services of every kind " * 8),
        paragraph("Text"),
        paragraph("A long paragraph of many words. " * 60),
        {"type": "spacer", "height": 300},
        PICTURE,
        {**PICTURE, "width": 300},
        BREAK,
    ]
)


@given(st.lists(BLOCKS, min_size=1, max_size=12))
def test_no_heading_is_last_on_a_page_without_a_warning(blocks: list[dict[str, Any]]) -> None:
    written = document(*blocks)
    last = max((at for at, block in enumerate(blocks) if block["type"] != "spacer"), default=-1)
    bodies = laid_out(written, {"tall": TALL}).bodies
    ends = [[placed.frame for placed in body.placed if placed.frame.role is not Role.GAP][-1:] for body in bodies]
    lonely = [frame.path for end in ends for frame in end if frame.role is Role.HEADING]

    assert [warning.path for warning in alone(written)] == [path for path in lonely if path != f"/blocks/{last}"]
