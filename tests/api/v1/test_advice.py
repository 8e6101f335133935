"""Refusals say what to do, in words and not in patterns."""

import re

import pytest

from application.validation_issues import issues_of
from tests.api.operations import DESCRIPTION
from tests.api.service import GRANT, OWN, SECRET, Service, document, issues_by_path, session_request

PATTERNS = set(re.findall(r"'pattern': '(\^\[[^']*\]\+\$|\^#[^']*\$)'", str(DESCRIPTION["components"]["schemas"])))


@pytest.mark.parametrize("pattern", sorted(PATTERNS))
def test_every_pattern_is_said_in_words(pattern: str) -> None:
    error = {"type": "string_pattern_mismatch", "loc": ("x",), "msg": "should match", "ctx": {"pattern": pattern}}

    (issue,) = issues_of([error], {})

    assert pattern not in issue.message
    assert issue.message.endswith(".")


async def test_a_colour_that_is_none_is_answered_with_how_to_write_one(service: Service) -> None:
    files = [{"type": "blocks", "document": document(theme={"primaryColor": "teal"})}]

    answer = await service.http().post("/api/v1/Session", json=session_request(files=files))

    assert issues_by_path(answer) == {
        "/files/0/document/theme/primaryColor": "Write a colour as # and six hexadecimal digits, as in #0f6a73."
    }


async def test_a_time_without_a_zone_is_answered_with_one_that_has_it(service: Service) -> None:
    answer = await service.http().get("/api/v1/Sessions?createdAfter=2026-06-12T10:30:00")

    assert "with its zone: 2026-06-12T10:30:00Z" in issues_by_path(answer)["/createdAfter"]


async def test_a_form_without_a_boundary_is_told_of_it(service: Service) -> None:
    answer = await service.http().post("/api/v1/Image", content=b"--x", headers={"Content-Type": "multipart/form-data"})

    assert (answer.status_code, answer.json()["error"]) == (400, "INVALID_REQUEST")
    assert "boundary" in issues_by_path(answer)[""]


async def test_a_token_request_in_json_is_told_to_be_a_form(service: Service) -> None:
    answer = await service.http(None).post("/oidc/token", json=GRANT, auth=(OWN.client_id, SECRET))

    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_request")
    assert "application/x-www-form-urlencoded" in answer.json()["error_description"]
    assert answer.headers["cache-control"] == "no-store"
