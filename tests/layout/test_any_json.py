"""Whatever JSON comes in: it is refused with its mistakes, or it is laid out. Nothing else ever happens."""

import json
from copy import deepcopy
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from application.validation_issues import issues_of
from layout.engine import check
from layout.schema.block_document import BlockDocument
from tests.layout.documents import KEYS
from tests.layout.image_files import PICTURES
from tests.layout.strategies import documents

_ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**30), 10**30),
    st.floats(),
    st.text(max_size=20),
    st.sampled_from(["blocks", "heading", "field", "fieldRow", "radio", "\u0000", "\u202e", "{{{x}}}", "x" * 9999]),
)
_JSON = st.recursive(
    _ODD,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.one_of(st.text(max_size=5), st.sampled_from(["type", "text", "fields", "blocks"])), inner),
    ),
    max_leaves=12,
)


def places(value: Any, at: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Every place in a JSON value."""
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [at, *(found for step, inner in steps for found in places(inner, (*at, step)))]


def with_another(whole: Any, at: tuple[str | int, ...], other: Any) -> Any:
    """`whole` with `other` at that place, or without what is there if `other` is the ellipsis."""
    if not at:
        return None if other is ... else other
    changed = deepcopy(whole)
    here = changed
    for step in at[:-1]:
        here = here[step]
    if other is ...:
        del here[at[-1]]
    else:
        here[at[-1]] = other
    return changed


def refused_or_laid_out(written: object) -> None:
    try:
        document = BlockDocument.model_validate_json(json.dumps(written), strict=True, by_alias=True, by_name=False)
    except ValidationError as error:
        found = error.errors(include_url=False)
        told = issues_of(found, json.loads(json.dumps(written)))
        assert told
        assert all(issue.message.endswith(".") for issue in told)
        return
    laid_out = check(document, KEYS, PICTURES)
    assert laid_out.page_count >= 1
    for issue in laid_out.issues:
        assert 1 <= issue.page <= laid_out.page_count
        assert issue.message
        assert issue.path.startswith("/")


@settings(max_examples=150)
@given(written=_JSON)
def test_any_json_is_refused_or_laid_out(written: object) -> None:
    refused_or_laid_out(written)


@settings(max_examples=60)
@given(blocks=st.lists(_JSON, max_size=3))
def test_any_blocks_are_refused_or_laid_out(blocks: list[object]) -> None:
    refused_or_laid_out({"format": "blocks", "title": "x", "blocks": blocks})


@settings(max_examples=100)
@given(data=st.data(), document=documents())
def test_a_document_with_anything_in_it_is_refused_or_laid_out(data: st.DataObject, document: BlockDocument) -> None:
    written = document.model_dump(mode="json", by_alias=True, exclude_unset=True)
    at = data.draw(st.sampled_from(places(written)))
    refused_or_laid_out(with_another(written, at, data.draw(st.one_of(st.just(...), _JSON))))
