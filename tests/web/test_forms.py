"""Parsing of posted forms."""

from urllib.parse import parse_qsl

import pytest
from fastapi import Request
from hypothesis import example, given
from hypothesis import strategies as st
from starlette.types import Message

from web.errors import NotAForm
from web.forms import MAX_INPUTS, read_form

FORM = "application/x-www-form-urlencoded"
PIECES = st.sampled_from(
    ["a", "b=", "&", "+", "%", "%4", "%41", "%4g", "%c3%a4", "%C3", "%00", "\n", "ä", "=", "%%41", "%2B"]
)


def posted(content: bytes, kind: str = FORM) -> Request:
    async def receive() -> Message:
        return {"type": "http.request", "body": content}

    return Request({"type": "http", "method": "POST", "headers": [(b"content-type", kind.encode())]}, receive)


@given(st.lists(PIECES, max_size=30).map("".join))
@example("a=%41%4")
async def test_forms_are_parsed_as_the_standard_library_does(content: str) -> None:
    try:
        expected = parse_qsl(content, keep_blank_values=True, errors="strict")
    except UnicodeDecodeError:
        with pytest.raises(NotAForm):
            await read_form(posted(content.encode()))
    else:
        assert (await read_form(posted(content.encode()))).multi_items() == expected


@pytest.mark.parametrize("content", [b"a=\xff", b"a=%ff", b"&" * MAX_INPUTS])
async def test_what_is_no_text_or_has_too_many_inputs_is_refused(content: bytes) -> None:
    with pytest.raises(NotAForm):
        await read_form(posted(content))


@pytest.mark.parametrize("kind", ["multipart/form-data", "application/json", ""])
async def test_other_types_are_refused(kind: str) -> None:
    with pytest.raises(NotAForm):
        await read_form(posted(b"a=b", kind))
