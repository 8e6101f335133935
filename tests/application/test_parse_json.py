"""The number of reported issues of a JSON body."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from application import parse_json
from application.parse_json import MAX_DEPTH, MAX_VALUES, exceeded_limit, find_json_fault
from application.validation_issues import errors_of
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


@pytest.mark.parametrize(
    ("body", "place"),
    [
        (b'{"name": 1,\n "name": 2}', 'the member "name" is given twice, see line 2, column 2'),
        (b'{"a": [{"b": 1, "\\u0062": 2}]}', 'the member "\\u0062" is given twice, see line 1, column 17'),
        (b'{"a": NaN}', "NaN is no number of JSON, see line 1, column 7"),
        (b"[1,\n-Infinity]", "-Infinity is no number of JSON, see line 2, column 1"),
        (b"\xef\xbb\xbf{}", "it begins with a byte-order mark"),
    ],
)
def test_what_only_some_readers_take_is_no_json(body: bytes, place: str) -> None:
    fault = find_json_fault(body)

    assert fault
    assert place in fault.message
    assert "see" not in place or f"line {fault.line}," in place


@given(some.recursive(some.none() | some.text() | some.floats(allow_nan=False, allow_infinity=False), some.lists))
def test_json_has_no_fault(value: object) -> None:
    assert find_json_fault(json.dumps({"a": value, "b": {"a": value}}).encode()) is None


async def test_a_member_given_twice_is_refused(service: Service) -> None:
    body = json.dumps(session_request()).replace('"name":', '"name": "Other", "name":', 1)
    answer = await service.http().post("/api/v1/Session", content=body, headers={"Content-Type": "application/json"})
    assert (answer.status_code, answer.json()["error"]) == (400, "INVALID_REQUEST")
    assert "is given twice, see line 1" in answer.text


@pytest.mark.parametrize("text", ["a\u202egpj.exe", "a\u2066b", "W" + "\u0305" * 9, "W" + "\u0305\u200d" * 9, "a\x07b"])
async def test_names_that_can_mislead_are_refused_by_code_point(service: Service, text: str) -> None:
    answer = await service.http().post("/api/v1/Session", json=session_request(name=text))
    (issue,) = answer.json()["issues"]
    assert issue["path"] == "/name"
    assert "U+" in issue["message"] or "combining marks" in issue["message"]
    assert not set(text) & set("\u202e\u2066\u0305\x07") & set(issue["message"])


async def test_the_files_of_a_session_have_two_thousand_pages_together(service: Service) -> None:
    lines = {"type": "paragraph", "text": "x" + "\n" * 50_000 + "x"}
    file = {"type": "blocks", "document": document(blocks=[lines])}
    answer = await service.http().post("/api/v1/Session", json=session_request(files=[file, file]))
    assert [issue["path"] for issue in answer.json()["issues"]] == ["/files"]
    assert "A session has at most 2,000" in answer.text


class _Item(BaseModel):
    model_config = ConfigDict(extra="forbid")
    text: str
    number: int = Field(0, le=3)


class _Items(BaseModel):
    items: list[_Item]


def test_of_very_many_errors_the_first_ones_are_read() -> None:
    odd = [{"text": 1, "number": 7}, {"más": [1, '"\\']}, {}, 5]
    with pytest.raises(ValidationError) as raised:
        _Items.model_validate({"items": odd * 4_000})
    everything = raised.value.errors(include_url=False, include_input=False)

    first = errors_of(raised.value)

    assert 500 < len(first) < len(everything)
    assert first == everything[: len(first)]
