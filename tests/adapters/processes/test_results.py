"""Results come back as they were, and bytes that no job wrote create nothing but data."""

import json
import pickle
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from enum import Enum
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from adapters.processes.results import ResultUnreadable, decode_result, run_job


class Colour(Enum):
    RED = "red"
    ONE = 1


@dataclass(frozen=True, slots=True)
class Point:
    x: Any
    y: Any


class Pair(NamedTuple):
    left: Any
    right: Any


class Model(BaseModel):
    name: str


class Refused(Exception):
    def __init__(self, message: str, pointer: str = "") -> None:
        super().__init__(message)
        self.pointer = pointer


class Booby:
    def __init__(self) -> None:
        raise AssertionError("its code has run")


SIMPLE = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False),
    st.text(),
    st.binary(),
    st.dates(),
    st.timedeltas(),
    st.datetimes(timezones=st.just(UTC)),
    st.sampled_from(Colour),
)
VALUES = st.recursive(
    SIMPLE,
    lambda inner: st.one_of(
        st.lists(inner),
        st.lists(inner).map(tuple),
        st.frozensets(SIMPLE),
        st.dictionaries(st.text(), inner),
        st.builds(Point, inner, inner),
        st.builds(Pair, inner, inner),
        st.builds(Model, name=st.text()),
    ),
    max_leaves=12,
)


def give(value: object) -> object:
    return value


def fail(error: Exception) -> None:
    raise error


def through(work: Any, argument: object) -> Any:
    return decode_result(run_job(pickle.dumps((work, (argument,), {}))))


@given(VALUES)
def test_a_result_comes_back(value: object) -> None:
    result = through(give, value)
    assert result == value
    assert type(result) is type(value)


def test_an_error_comes_back() -> None:
    with pytest.raises(Refused, match="not this one") as refused:
        through(fail, Refused("not this one", "/blocks/1"))
    assert refused.value.pointer == "/blocks/1"
    with pytest.raises(PermissionError, match="no"):
        through(fail, PermissionError(13, "no"))


def test_what_is_no_data_is_an_error() -> None:
    with pytest.raises(TypeError, match="a job cannot return a function"):
        through(give, give)


def packed(content: object) -> bytes:
    text = json.dumps(content).encode()
    return len(text).to_bytes(8, "big") + text


HERE = __name__

HOSTILE = (
    *({"value": {"object": [module, name, {}]}} for module, name in (("os", "system"), ("builtins", "object"))),
    {"value": {"object": ["subprocess", "Popen", {"args": ["true"]}]}},
    {"value": {"object": [HERE, "Booby", {}]}},
    {"value": {"object": [HERE, "Point", {"x": 1}]}},
    {"value": {"object": [HERE, "Point", {"x": 1, "y": 2, "__class__": 3}]}},
    {"value": {"object": [HERE, "Point.__init__.__globals__", {}]}},
    {"value": {"object": [HERE, "Colour", "blue"]}},
    {"value": {"object": [HERE, "Colour", True]}},
    {"value": {"object": [HERE, "Pair", [1]]}},
    {"value": {"object": ["antigravity", "Point", {}]}},
    {"value": {"bytes": 5}},
    {"value": {"bytes": -1}},
    {"value": {"eval": "1"}},
    {"value": {"dict": [[[], 1]]}},
    {"error": 1},
    {"error": {"object": ["builtins", "SystemExit", [{"tuple": []}, {"dict": []}]]}},
    {"value": 1, "error": 2},
    [],
    7,
)


@pytest.mark.parametrize("content", HOSTILE)
def test_bytes_that_no_job_writes_are_refused(content: object) -> None:
    with pytest.raises(ResultUnreadable):
        decode_result(packed(content))


@given(st.binary(max_size=60), st.recursive(st.none() | st.text(max_size=9), lambda x: st.lists(x, max_size=3)))
def test_any_bytes_are_a_result_or_refused(junk: bytes, value: object) -> None:
    data = run_job(pickle.dumps((give, (value,), {})))
    for written in (junk, data[: len(junk)], data[:9] + junk, packed({"value": {"object": value}})):
        with suppress(ResultUnreadable):
            decode_result(written)


def test_times_keep_their_kind() -> None:
    for value in (datetime.now(UTC), date(2026, 1, 2), timedelta(days=1, microseconds=5)):
        assert through(give, value) == value
