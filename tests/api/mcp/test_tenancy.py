"""Tools answer identifiers of another organisation like unknown ones."""

import json
from typing import Any

import pytest

from api.mcp.server import TOOLS
from tests.api.belongings import make_belongings, stored
from tests.api.mcp.assistant import call
from tests.api.mcp.test_previewing import look
from tests.api.service import OWN, STRANGER, Service, document, session_request
from tests.builders import identifier

UNKNOWN = identifier("unknown")
NO_RECIPIENT = identifier("no recipient")


def with_image(file_id: str) -> dict[str, Any]:
    return document(logo={"fileId": file_id})


ABOUT: dict[str, list[tuple[str, Any]]] = {
    **{
        tool: [("sessionId", lambda name: {"sessionId": name})]
        for tool in ("get_session", "get_values", "send_session", "get_documents", "get_certificate", "archive_session",
                     "restore_session", "delete_session", "send_invitation", "send_reminder", "update_session")
    },
    **{
        tool: [("templateId", lambda name: {"templateId": name})]
        for tool in ("get_template", "create_session_from_template", "archive_template", "restore_template",
                     "delete_template")
    },
    "update_recipient": [("sessionId", lambda name: {"sessionId": name, "recipientId": NO_RECIPIENT, "name": "A"})],
    "save_next_version": [
        ("templateId", lambda name: {
            "templateId": name, "name": "A", "document": document(), "recipients": [{"key": "ada"}]}),
    ],
    "rename_template": [("templateId", lambda name: {"templateId": name, "name": "A"})],
    "create_session": [
        ("imageId", lambda name: session_request(files=[{"type": "blocks", "document": with_image(name)}])),
        ("uploadedFileId", lambda name: session_request(
            files=[{"type": "blocks", "document": document()}, {"type": "uploadedPdf", "fileId": name}])),
    ],
    **{
        tool: [("batchId", lambda name: {"batchId": name})]
        for tool in ("get_batch", "list_results", "pause_batch", "resume_batch", "cancel_batch")
    },
    "create_batch": [
        ("templateId", lambda name: {"templateId": name, "name": "A", "rows": [{}]}),
    ],
    "create_template": [
        ("imageId", lambda name: {"name": "A", "document": with_image(name), "recipients": [{"key": "ada"}]}),
    ],
    "preview_document": [("imageId", lambda name: look(with_image(name)))],
}  # fmt: skip
"""For each tool the kinds of identifiers that it takes, each with an input."""

NOTHING = {"upload_image", "list_sessions", "list_templates"}
"""Tools without identifiers."""

CASES = [pytest.param(tool, kind, made, id=f"{tool} {kind}") for tool, about in ABOUT.items() for kind, made in about]


def test_every_tool_is_here() -> None:
    assert set(ABOUT) | NOTHING == set(TOOLS)


@pytest.mark.parametrize(("tool", "kind", "made"), CASES)
async def test_an_identifier_of_another_organisation_is_unknown_and_nothing_changes(
    service: Service, tool: str, kind: str, made: Any
) -> None:
    theirs = await make_belongings(service, OWN)
    before = await stored(service)

    async def ask(name: str) -> tuple[bool, str]:
        result = await call(service, tool, made(name), client=STRANGER)
        return result.is_error, json.dumps(result.structured_content).replace(name, "<identifier>")

    foreign = await ask(theirs[kind])

    assert await stored(service) == before
    assert foreign == await ask(UNKNOWN)
    assert any(code in foreign[1] for code in ("NOT_FOUND", "unknown-image", "INVALID_REQUEST"))


@pytest.mark.parametrize("tool", ["list_sessions", "list_templates"])
async def test_lists_show_nothing_of_another_organisation(service: Service, tool: str) -> None:
    theirs = await make_belongings(service, OWN)

    own = await call(service, tool, {})
    foreign = await call(service, tool, {}, client=STRANGER)

    assert [name for name, value in theirs.items() if value in str(foreign.structured_content)] == []
    assert [name for name, value in theirs.items() if value in str(own.structured_content)] != []
