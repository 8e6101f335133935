"""The announced length of a body."""

import sys

import pytest
from starlette.datastructures import Headers

from web.asgi.json_body import announced_length

INVALID = ["", "-5", "0x10", "many", "\u00b2", "5, 5"]


@pytest.mark.parametrize(
    ("header", "length"),
    [("0", 0), ("7340032", 7_340_032), ("007", 7), ("9" * 5000, sys.maxsize), *((text, 0) for text in INVALID)],
)
def test_only_digits_are_a_length(header: str, length: int) -> None:
    assert announced_length(Headers(raw=[(b"content-length", header.encode("latin-1"))])) == length
    assert announced_length(Headers({})) == 0
