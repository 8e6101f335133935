"""What the description says in words: for whoever knows nothing else of the service."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from api.body_limits import MAX_BODY
from application.uploads.images.store import MAX_UPLOAD as MAX_IMAGE
from application.uploads.pdf.store import MAX_UPLOAD as MAX_PDF
from schemas.uploads import EXAMPLE
from tests.api.operations import DESCRIPTION
from tests.api.service import Service

SCHEMAS: dict[str, Any] = DESCRIPTION["components"]["schemas"]
SNAKE = re.compile(r"\b[a-z]+(?:_[a-z]+)+\b")
OF_RFCS = {
    *("client_credentials", "invalid_client", "invalid_request", "invalid_scope", "unsupported_grant_type"),
    *("invalid_token", "insufficient_scope", "invalid_grant", "invalid_target", "authorization_code"),
    *("invalid_redirect_uri", "invalid_client_metadata"),
}
"""Words with underscores that are not ours, beside the members that OAuth has."""


def texts(node: object) -> Iterator[str]:
    """Every summary, description and example of a message in `node`."""
    if isinstance(node, dict):
        yield from (str(node[name]) for name in ("summary", "description") if isinstance(node.get(name), str))
        for value in node.values():
            yield from texts(value)
    elif isinstance(node, list):
        for value in node:
            yield from texts(value)


def members(node: object) -> Iterator[str]:
    if isinstance(node, dict):
        properties = node.get("properties")
        yield from properties if isinstance(properties, dict) else ()
        for value in node.values():
            yield from members(value)
    elif isinstance(node, list):
        for value in node:
            yield from members(value)


def test_no_name_of_an_attribute_shows_in_a_description() -> None:
    known = OF_RFCS | set(members(DESCRIPTION))

    assert [found for text in texts(DESCRIPTION) for found in SNAKE.findall(text) if found not in known] == []


@pytest.mark.parametrize("word", ["Specification", "contract", "The comment", "pydantic", "docstring"])
def test_no_word_for_the_makers_of_the_service_shows_in_a_description(word: str) -> None:
    assert [text for text in texts(DESCRIPTION) if word in text] == []


def test_a_member_is_told_by_its_own_words_where_the_common_ones_would_be_wrong() -> None:
    of_errors = SCHEMAS["ErrorRead"]["properties"]["message"]["description"]

    for name in ("SessionCreate", "SessionFromTemplate", "TemplateCreate", "TemplateRead"):
        assert SCHEMAS[name]["properties"]["message"]["description"] != of_errors


def test_a_page_break_tells_left_out_from_null() -> None:
    header = SCHEMAS["PageBreak"]["properties"]["header"]

    assert "default" not in header
    assert all(case in header["description"] for case in ("left out", "null", "object"))


def test_limits_of_bodies_are_said_in_bytes_as_they_are() -> None:
    paths = DESCRIPTION["paths"]

    assert f"{MAX_BODY:,} bytes" in DESCRIPTION["info"]["description"]
    assert f"{MAX_IMAGE:,} bytes" in paths["/api/v1/Image"]["post"]["description"]
    assert f"{MAX_PDF:,} bytes" in paths["/api/v1/File"]["post"]["description"]
    too_large = json.dumps(paths["/api/v1/File"]["post"]["responses"]["413"])
    assert f"{MAX_IMAGE:,} bytes" in too_large
    assert f"{MAX_PDF:,} bytes" in too_large


async def test_the_example_of_an_upload_is_accepted(service: Service) -> None:
    answer = await service.http().post("/api/v1/Image", json=EXAMPLE)

    assert (answer.status_code, answer.json()["width"], answer.json()["height"]) == (200, 1, 1)
