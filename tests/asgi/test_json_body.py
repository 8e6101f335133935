"""How long a body is said to be."""

import sys

import pytest
from starlette.datastructures import Headers

from asgi.json_body import announced_length


@pytest.mark.parametrize(
    ("said", "read"),
    [("0", 0), ("7340032", 7_340_032), ("007", 7), ("9" * 5000, sys.maxsize)],
)
def test_a_number_is_read_however_long(said: str, read: int) -> None:
    assert announced_length(Headers({"Content-Length": said})) == read


@pytest.mark.parametrize("said", ["", "-5", "0x10", "many", "\u00b2", "5, 5"])
def test_what_is_no_number_says_nothing(said: str) -> None:
    assert announced_length(Headers(raw=[(b"content-length", said.encode("latin-1"))])) == 0


def test_no_header_says_nothing() -> None:
    assert announced_length(Headers({})) == 0
