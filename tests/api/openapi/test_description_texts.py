"""Texts of the description."""

import json
import re
from typing import Any

import pytest

from api.body_limits import MAX_BODY
from application.schemas.uploads import EXAMPLE
from domain.shared.limits import MAX_IMAGE, MAX_PDF
from tests.api.operations import DESCRIPTION, nodes
from tests.api.service import Service

SCHEMAS: dict[str, Any] = DESCRIPTION["components"]["schemas"]
SNAKE = re.compile(r"\b[a-z]+(?:_[a-z]+)+\b")
OF_RFCS = {
    *("client_credentials", "invalid_client", "invalid_request", "invalid_scope", "unsupported_grant_type"),
    *("invalid_token", "insufficient_scope", "invalid_grant", "invalid_target", "authorization_code"),
    *("invalid_redirect_uri", "invalid_client_metadata", "client_secret_basic", "client_secret_post"),
}
"""Words with underscores of OAuth, besides its members."""


TEXTS = [str(node[name]) for node in nodes(DESCRIPTION) for name in ("summary", "description") if name in node]


def test_no_attribute_name_is_in_a_text() -> None:
    members = {member for node in nodes(DESCRIPTION) for member in node.get("properties", ())}
    assert {name for text in TEXTS for name in SNAKE.findall(text)} <= OF_RFCS | members


@pytest.mark.parametrize("word", ["Specification", "contract", "The comment", "pydantic", "docstring"])
def test_no_word_of_the_source_code_is_in_a_text(word: str) -> None:
    assert [text for text in TEXTS if word in text] == []


def test_a_page_break_distinguishes_left_out_and_null() -> None:
    header = SCHEMAS["PageBreak"]["properties"]["header"]
    assert "default" not in header
    assert all(case in header["description"].lower() for case in ("left out", "null", "object"))


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
