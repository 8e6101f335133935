"""The number of reported issues of a JSON body."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from application import parse_json
from application.parse_json import MAX_DEPTH, MAX_VALUES, exceeded_limit
from tests.api.service import Service, document, session_request


@pytest.mark.parametrize(
    ("mistakes", "number"),
    [(400, "more than 100 issues, of which the first 100 are listed"), (100, "100 issues")],
)
async def test_the_first_hundred_issues_of_a_body_are_listed(service: Service, mistakes: int, number: str) -> None:
    request = session_request(files=[{"type": "blocks", "document": document(blocks=[1] * mistakes)}])

    answer = (await service.http().post("/api/v1/Session", json=request)).json()

    assert [issue["path"] for issue in answer["issues"]] == [f"/files/0/document/blocks/{at}" for at in range(100)]
    assert answer["message"] == f"The request is not valid: {number}."


async def test_the_first_hundred_issues_of_a_query_are_listed(service: Service) -> None:
    query = "&".join(f"unknown{number}=1" for number in range(200))

    assert len((await service.http().get(f"/api/v1/Sessions?{query}")).json()["issues"]) == 100


VALUES = some.recursive(
    some.none() | some.booleans() | some.integers() | some.text('[]{},"\\a', max_size=8),
    lambda inner: some.lists(inner, max_size=4) | some.dictionaries(some.text('[,"\\a', max_size=3), inner, max_size=4),
    max_leaves=30,
)


def depth_of(value: Any) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if inner is None else 1 + max(map(depth_of, inner), default=0)


def size_of(value: Any) -> int:
    """Counts arrays, objects and commas."""
    inner = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if inner is None else 1 + max(len(inner) - 1, 0) + sum(map(size_of, inner))


@given(VALUES, some.sampled_from([None, 1]))
def test_the_content_of_strings_is_not_counted(value: Any, indent: int | None) -> None:
    body = json.dumps(value, indent=indent).encode()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(parse_json, "MAX_VALUES", size_of(value))
        patched.setattr(parse_json, "MAX_DEPTH", depth_of(value))
        assert exceeded_limit(body) is None
        patched.setattr(parse_json, "MAX_VALUES", size_of(value) - 1)
        assert exceeded_limit(body)
        patched.setattr(parse_json, "MAX_VALUES", size_of(value))
        patched.setattr(parse_json, "MAX_DEPTH", depth_of(value) - 1)
        assert exceeded_limit(body)


@pytest.mark.parametrize(
    "body",
    [b"[" * (MAX_DEPTH + 1), b"[1" + b",1" * (MAX_VALUES + 1), b"[]" * (MAX_VALUES + 1), b"]" * 3 * MAX_VALUES],
    ids=["deep", "many", "no JSON", "closed only"],
)
def test_a_limit_is_found_in_invalid_json_too(body: bytes) -> None:
    assert exceeded_limit(body)


async def test_the_largest_valid_session_is_within_the_limits(service: Service) -> None:
    blocks = [{"type": "paragraph", "text": "The consultant advises the client, as agreed."} for _ in range(500)]
    request = session_request(files=[{"type": "blocks", "document": document(blocks=blocks)}] * 10)

    answer = await service.http().post("/api/v1/Session", json={**request, "name": ""})

    assert [issue["path"] for issue in answer.json()["issues"]] == ["/name"]
