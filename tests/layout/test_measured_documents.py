"""The documents that the engine is measured with are good ones, and as long as they are said to be."""

import pytest

from layout.engine import Rendered, check
from layout.schema.block_document import BlockDocument
from tests.bench import documents


def checked(written: documents.Document) -> Rendered:
    return check(BlockDocument.model_validate(written), ("client",))


@pytest.mark.parametrize(("size", "fewest", "most"), [("1 page", 1, 2), ("10 pages", 9, 12), ("100 pages", 90, 110)])
def test_a_mixed_document_has_no_issue_and_about_its_pages(size: str, fewest: int, most: int) -> None:
    found = checked(documents.mixed(size, seed=1))
    assert found.issues == ()
    assert fewest <= found.page_count <= most


@pytest.mark.parametrize("language", documents.SYLLABLES)
def test_running_text_in_every_language_has_no_issue(language: str) -> None:
    found = checked(documents.running(language, seed=1, paragraphs=5))
    assert found.issues == ()
    assert found.page_count >= 1


def test_every_seed_gives_a_document_of_its_own() -> None:
    assert documents.mixed("1 page", seed=1) == documents.mixed("1 page", seed=1)
    assert documents.mixed("1 page", seed=1) != documents.mixed("1 page", seed=2)
