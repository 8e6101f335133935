"""A story that uses every tool for assistants, for MCP clients of any make."""

import asyncio
import json
from base64 import b64decode, b64encode
from collections.abc import Awaitable, Callable
from io import BytesIO
from typing import Any
from uuid import uuid4

from PIL import Image

from application.schemas.session_read import SessionRead
from cli.demo.command import read_example
from tests import ROOT, http_requests
from tests.end_to_end.agreement import Agreement
from tests.end_to_end.installation import Installation
from tests.end_to_end.waiting import eventually
from tests.layout.pictures import encoded, shades

Result = dict[str, Any]
"""The result of a tool as JSON: `content`, `structuredContent`, `isError`."""


def example(name: str) -> dict[str, Any]:
    return dict(json.loads((ROOT / "examples" / f"{name}.json").read_text(encoding="utf-8")))


class Tools:
    """Calls tools by `ask`, and notes their names in `called`."""

    def __init__(self, ask: Callable[[str, dict[str, Any]], Awaitable[Result]]) -> None:
        self._ask = ask
        self.called: set[str] = set()

    async def call(self, tool: str, **arguments: Any) -> Result:
        self.called.add(tool)
        return await self._ask(tool, arguments)

    async def done(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Returns the structured content of a call that succeeds."""
        result = await self.call(tool, **arguments)
        assert not result.get("isError"), result
        return dict(result["structuredContent"])

    async def refused(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Returns the structured content of a call that fails."""
        result = await self.call(tool, **arguments)
        assert result["isError"] is True
        return dict(result["structuredContent"])


async def use_every_tool(tools: Tools, installation: Installation) -> None:
    await _draft_and_send(tools, installation)
    await _use_a_template(tools, installation)


async def _draft_and_send(tools: Tools, installation: Installation) -> None:
    """From a document to a certificate."""
    body = example("consulting-agreement")
    picture = b64encode(encoded(shades(40, 20))).decode()
    image = await tools.done("upload_image", fileName="logo.png", data=picture)
    document = {**body["files"][0]["document"], "logo": {"fileId": image["fileId"]}}
    recipients = [{"key": "client"}, {"key": "consultant"}]
    shown = await tools.call("preview_document", kind="session", document=document, recipients=recipients)
    pages = [part for part in shown["content"] if part["type"] == "image"]
    assert [page["mimeType"] for page in pages] == ["image/png"] * 3
    assert [Image.open(BytesIO(b64decode(page["data"]))).width for page in pages] == [794] * 3
    unknown = [{"type": "signatureBlock", "label": "Signed", "recipient": "nobody"}]
    broken = [{"type": "blocks", "document": {**document, "blocks": unknown}}]
    (issue,) = (await tools.refused("create_session", **{**body, "files": broken}))["issues"]
    assert issue["path"] == "/files/0/document/blocks/0/recipient"

    service, key = installation.service, f"draft {uuid4()}"
    draft = await tools.done("create_session", **body, idempotencyKey=key)
    again = await tools.done("create_session", **body, idempotencyKey=key)
    assert (draft["status"], again["sessionId"]) == ("draft", draft["sessionId"])
    assert [event.type for event in service.list_events(draft["sessionId"]).events] == ["session.created"]

    named = {"sessionId": draft["sessionId"]}
    changed = await tools.done("update_session", **named, expiryDays=30)
    assert (changed["status"], changed["expiryDays"]) == ("draft", 30)
    sent = await tools.call("send_session", **named)
    assert '"Renée Østergård <renee.ostergard@harbourfinch.example>" now' in sent["content"][0]["text"]
    assert sent["structuredContent"]["status"] == "pending"
    await asyncio.to_thread(
        eventually, lambda: "signature" in service.get_session(draft["sessionId"]).waiting_for, "the invitation left"
    )
    reminded = await tools.done("send_reminder", **named)
    invited = await tools.done("send_invitation", **named)
    for mailed in (reminded, invited):
        assert (mailed["success"], mailed["recipientEmail"]) == (True, "renee.ostergard@harbourfinch.example")
    moved = await tools.done(
        "update_recipient", **named, recipientId=invited["recipientId"], email="renee@harbourfinch.example"
    )
    assert "renee@harbourfinch.example" in [recipient["email"] for recipient in moved["recipients"]]

    session = SessionRead.model_validate_json(json.dumps(await tools.done("get_session", **named)))
    agreement = Agreement(installation, session, read_example()[1])
    await asyncio.to_thread(agreement.complete)
    await _read_documents(tools, named)
    actors = {event.type: event.actor for event in service.list_events(draft["sessionId"]).events}
    assert (actors["session.sent"].kind, actors["session.sent"].id) == ("client", installation.dev_info.client_id)


async def _read_documents(tools: Tools, named: dict[str, str]) -> None:
    (document,) = (await tools.done("get_documents", **named))["documents"]
    assert (await asyncio.to_thread(http_requests.get, document["url"])).content.startswith(b"%PDF")
    values = await tools.done("get_values", **named)
    assert "Renée Østergård" not in str(values)
    assert {value["recipientKey"] for file in values["files"] for value in file["values"]} == {"client", "consultant"}
    certificate = await tools.call("get_certificate", **named)
    (attached,) = [part["resource"] for part in certificate["content"] if part["type"] == "resource"]
    assert b64decode(attached["blob"]).startswith(b"%PDF")
    listed = await tools.done("list_sessions", status="completedAndGenerated", limit=1)
    assert listed["sessions"][0]["sessionId"] == named["sessionId"]
    assert listed["pagination"]["total"] >= 1


async def _use_a_template(tools: Tools, installation: Installation) -> None:
    """From a template to a session that is archived, restored and deleted; then the same with the template."""
    template = await tools.done("create_template", **example("lease-template"), activate=True)
    named = {"templateId": template["templateId"]}
    assert (await tools.done("list_templates", limit=1))["templates"][0]["templateId"] == named["templateId"]
    assert await tools.done("get_template", **named) == template
    values = {name: value for name, value in example("lease-values").items() if name != "sendImmediately"}
    created = await tools.done("create_session_from_template", **named, **values)
    assert (created["status"], created["name"]) == ("draft", "Lease of Ingrid Solheim")
    await _use_a_batch(tools, installation, named, {name: values[name] for name in ("recipients", "variableValues")})
    draft = {"sessionId": created["sessionId"]}
    assert (await tools.done("archive_session", **draft))["restorable"] is True
    assert (await tools.done("restore_session", **draft))["status"] == "draft"
    token = {"confirmationToken": (await tools.done("delete_session", **draft))["confirmationToken"]}
    assert (await tools.done("delete_session", **draft, **token))["permanent"] is True
    assert (await tools.refused("delete_session", **draft, **token))["error"] == "NOT_FOUND"
    assert (await tools.done("rename_template", **named, name="Lease 2027"))["name"] == "Lease 2027"
    await tools.done("save_next_version", **named, **{**example("lease-template"), "name": "Lease 2028"})
    kept = await tools.done("get_template", **named)
    assert (kept["name"], kept["version"], kept["hasNextVersion"]) == ("Lease 2027", 1, True)
    assert (await tools.done("archive_template", **named))["permanent"] is False
    assert (await tools.done("restore_template", **named))["status"] == "active"
    await tools.done("archive_template", **named)
    assert (await tools.done("delete_template", **named))["permanent"] is True


async def _use_a_batch(tools: Tools, installation: Installation, template: dict[str, str], row: dict[str, Any]) -> None:
    """From a batch of two rows to its first session; then it is interrupted."""
    batch = await tools.done("create_batch", **template, name="Leases", perMinute=1, rows=[row, row])
    named = {"batchId": batch["batchId"]}
    service = installation.service
    await asyncio.to_thread(
        eventually, lambda: service.get_batch(batch["batchId"]).created == 1, "a session is created"
    )
    assert (await tools.done("get_batch", **named))["nextRow"] == 2
    assert [row["status"] for row in (await tools.done("list_results", **named))["results"]][1:] == ["waiting"]
    assert (await tools.done("pause_batch", **named))["state"] == "paused"
    assert (await tools.done("resume_batch", **named))["state"] == "running"
    assert (await tools.done("cancel_batch", **named))["state"] == "cancelled"
