"""A request that is wrong in its shape and in its documents is refused with the mistakes of both kinds at once."""

from typing import Any

import pytest

from tests.api.mcp.assistant import refused as refused_tool
from tests.api.service import Service, document, issues_by_path, session_request
from tests.api.templates import template_request

LONG = "Agreement on the supply of services of every imaginable kind and more"
WRONG = document(title=LONG)


async def refused(service: Service, path: str, body: dict[str, Any]) -> set[str]:
    answer = await service.http().post(f"/api/v1/{path}", json=body)
    assert (answer.status_code, answer.json()["error"]) == (400, "INVALID_REQUEST")
    assert (
        answer.json()["message"].endswith(f"{len(answer.json()['issues'])} issues.") or len(issues_by_path(answer)) == 1
    )
    return set(issues_by_path(answer))


def files(*documents: Any) -> list[dict[str, Any]]:
    return [{"type": "blocks", "document": written} for written in documents]


async def test_a_session_is_refused_with_both(service: Service) -> None:
    found = await refused(service, "Session", session_request(name="", expiryDays=0, files=files(document(), WRONG)))
    assert found == {"/name", "/expiryDays", "/files/1/document/title"}


async def test_a_template_is_refused_with_both(service: Service) -> None:
    wrong = document(title=LONG, subtitle="{{{unknown}}} {{{tenant}}}")
    request = template_request(name="", document=wrong, recipients=[{"key": "ada"}])
    assert await refused(service, "Template", request) == {"/name", "/document/title", "/document/subtitle"}


@pytest.mark.parametrize("kind", ["session", "template"])
async def test_a_preview_is_refused_with_both(service: Service, kind: str) -> None:
    body = {"kind": kind, "document": WRONG, "recipients": [{"key": "ada"}], "unknown": 1}
    assert await refused(service, "Document/Preview", body) == {"/unknown", "/document/title"}


@pytest.mark.parametrize(
    ("tool", "asked", "place"),
    [
        ("create_session", session_request(name="", files=files(WRONG)), "/files/0/document/title"),
        ("create_template", template_request(name="", document=WRONG, recipients=[{"key": "ada"}]), "/document/title"),
    ],
)
async def test_a_tool_is_refused_with_both(service: Service, tool: str, asked: dict[str, Any], place: str) -> None:
    answer = await refused_tool(service, tool, asked)
    assert {issue["path"] for issue in answer["issues"]} == {"/name", place}


async def test_tokens_are_left_alone_in_a_preview_without_a_kind(service: Service) -> None:
    body = {"document": document(subtitle="{{{unknown}}}", title=LONG), "recipients": [{"key": "ada"}]}
    assert await refused(service, "Document/Preview", body) == {"/kind", "/document/title"}


async def test_other_documents_are_checked_beside_one_whose_shape_is_wrong(service: Service) -> None:
    broken = document(blocks=[{"type": "paragraph"}], title=LONG)
    found = await refused(service, "Session", session_request(files=files(broken, WRONG)))
    assert found == {"/files/0/document/blocks/0/text", "/files/1/document/title"}


@pytest.mark.parametrize(
    "recipients", [None, {}, [], "x", [None], [{"key": 7, "name": "Ada", "email": "ada@example.com"}]]
)
async def test_no_recipient_is_unknown_where_the_recipients_are_wrong(service: Service, recipients: Any) -> None:
    found = await refused(service, "Session", session_request(recipients=recipients, files=files(WRONG)))
    assert all(path.startswith("/recipients") for path in found - {"/files/0/document/title"})
    assert "/files/0/document/title" in found


async def test_a_recipient_is_unknown_where_the_recipients_are_right(service: Service) -> None:
    people = [{"key": "bob", "name": "Bob", "email": "bob@example.com"}]
    found = await refused(service, "Session", session_request(name="", recipients=people))
    assert found == {"/name", "/files/0/document/blocks/2/recipient", "/files/0/document/blocks/3/recipient"}


@pytest.mark.parametrize("wrong", [None, {}, [], "x", [None], [[]], [{}], [{"type": "blocks"}]])
async def test_what_has_no_document_is_refused_by_its_shape(service: Service, wrong: Any) -> None:
    found = await refused(service, "Session", session_request(files=wrong))
    assert all(path.startswith("/files") for path in found)


async def test_more_files_than_are_taken_are_not_laid_out(service: Service) -> None:
    assert await refused(service, "Session", session_request(files=files(*[WRONG] * 11))) == {"/files"}
