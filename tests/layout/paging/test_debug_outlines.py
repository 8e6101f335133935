"""The debug view shows every frame and its pointer."""

import pytest

from layout.engine import outline, render
from tests.layout.documents import KEYS, checkbox, document, heading, paragraph, signature, text_field
from tests.layout.reading import check, structure_of, text_of

pytestmark = pytest.mark.poppler

AGREEMENT = document(
    heading("1. Services"),
    paragraph("Text"),
    {"type": "spacer", "height": 20},
    text_field("Company"),
    checkbox("Agreed"),
    signature(),
)


def test_every_block_is_named_by_its_pointer() -> None:
    shown = outline(AGREEMENT, KEYS)
    assert shown.pdf is not None
    text = text_of(shown.pdf)
    assert [path for path in (f"/blocks/{at}" for at in range(6)) if path not in text] == []
    assert "/title title" in text
    check(shown.pdf)


def test_what_is_there_without_it_stays() -> None:
    shown, plain = outline(AGREEMENT, KEYS), render(AGREEMENT, KEYS)
    assert shown.pdf is not None
    assert plain.pdf is not None
    assert (shown.page_count, shown.zones, shown.issues) == (plain.page_count, plain.zones, plain.issues)
    assert structure_of(shown.pdf) == structure_of(plain.pdf)


def test_a_document_with_issues_can_be_looked_at() -> None:
    shown = outline(document(text_field("Company"), text_field("Company")), KEYS)
    assert shown.issues
    assert shown.pdf is not None
    assert "/blocks/1 input" in text_of(shown.pdf)
