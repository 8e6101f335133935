"""Numbers of clauses, and references to them. Specification 2.7."""

from typing import Any

import pytest
from pydantic import ValidationError

from layout.engine import render
from layout.frames import Text
from layout.pdf.pymupdf_file import open_file
from layout.schema.clauses import clauses_of, letters
from layout.schema.issues import IssueKind
from tests.layout.documents import document, heading, laid_out, paragraph, rendered_pdf
from tests.layout.reading import check


def labels(*levels: int | None) -> list[str]:
    """The numbers of blocks of these levels; None for a block without."""
    blocks = (paragraph("x") if level is None else paragraph("x", number=True, level=level) for level in levels)
    return [clause.label for clause in clauses_of(document(*blocks).blocks)]


@pytest.mark.parametrize(
    ("levels", "expected"),
    [
        ((1, 1, None, 1), ["1.", "2.", "3."]),
        ((1, 2, 2, 1, 2), ["1.", "1.1", "1.2", "2.", "2.1"]),
        ((1, 2, 3, 3, 2, 3), ["1.", "1.1", "1.1.1", "1.1.2", "1.2", "1.2.1"]),
        ((1, 2, 4, 4, 2, 4, 1, 4), ["1.", "1.1", "(a)", "(b)", "1.2", "(a)", "2.", "(a)"]),
        ((2, 1, 3), ["1.1", "2.", "2.1.1"]),  # a level that is left out counts as begun
        ((4,) * 28, [f"({letters(at)})" for at in range(1, 29)]),
    ],
)
def test_a_level_starts_again_under_the_one_above(levels: tuple[int | None, ...], expected: list[str]) -> None:
    assert labels(*levels) == expected


def test_letters_go_on_after_z() -> None:
    assert [letters(number) for number in (1, 26, 27, 52, 53, 702, 703)] == ["a", "z", "aa", "az", "ba", "zz", "aaa"]


def texts_at(*blocks: dict[str, object]) -> list[list[str]]:
    placed = laid_out(document(*blocks)).bodies[0].placed
    return [[item.text for item in at.frame.items if isinstance(item, Text)] for at in placed]


def test_a_reference_prints_the_number_of_a_block_before_or_after_it() -> None:
    found = texts_at(
        paragraph([{"text": "See "}, {"ref": "late"}, {"text": "."}], number=True),
        heading("Rent", number=True, id="rent"),
        paragraph([{"ref": "rent"}, {"text": ", "}, {"ref": "letter"}], number=True, level=2, id="late"),
        paragraph("x", number=True, level=4, id="letter"),
    )
    assert found == [["1. ", "See ", "2.1", "."], ["2. ", "Rent"], ["2.1 ", "2", ", ", "(a)"], ["(a) ", "x"]]


def issues(*blocks: dict[str, object]) -> list[tuple[str, str]]:
    found = render(document(*blocks), ()).issues
    assert {issue.kind for issue in found} <= {IssueKind.INVALID_REFERENCE}
    return [(issue.path, issue.message) for issue in found]


def test_references_to_nothing_and_repeated_ids_are_told_at_once() -> None:
    found = issues(
        paragraph("x", number=True, id="a"),
        paragraph([{"text": "x "}, {"ref": "none"}, {"ref": "plain"}]),
        paragraph("x", id="plain"),
        heading("x", id="a"),
        {"type": "bulletList", "items": ["x", [{"ref": "none"}]]},
    )
    assert [path for path, _ in found] == [
        "/blocks/1/text/1/ref",
        "/blocks/1/text/2/ref",
        "/blocks/3/id",
        "/blocks/4/items/1/0/ref",
    ]
    assert "There are: a." in found[0][1]
    assert "/blocks/2 has no number" in found[1][1]
    assert "/blocks/0 has this id too" in found[2][1]


@pytest.mark.parametrize(
    "members",
    [
        {"level": 2},
        {"number": True, "level": 5},
        {"number": True, "level": 0},
        {"id": "a b"},
        {"id": "{{{x}}}"},
        {"text": [{"ref": "a", "bold": True}]},
        {"text": [{"ref": ""}]},
    ],
)
def test_wrong_members_are_refused(members: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        document({"type": "paragraph", "text": "x", **members})


def test_links_lead_to_the_page_of_the_block_and_bookmarks_have_its_number() -> None:
    filler = [paragraph("Text. " * 300) for _ in range(4)]
    pdf = rendered_pdf(
        heading("Premises", number=True),
        paragraph([{"text": "See "}, {"ref": "rent"}]),
        *filler,
        heading("Rent", number=True, id="rent"),
        paragraph("x", number=True, level=2),
    )
    check(pdf)
    with open_file(pdf) as file:
        (link,) = file[0].get_links()
        assert link["page"] == file.page_count - 1
        assert [entry[1] for entry in file.get_toc()] == ["1. Premises", "2. Rent"]


def test_a_document_of_five_hundred_clauses_is_numbered_through() -> None:
    blocks = [paragraph("x", number=True, level=1 + at % 3) for at in range(500)]
    assert labels(*(1 + at % 3 for at in range(500)))[-1] == "167.1"
    assert render(document(*blocks), ()).pdf
