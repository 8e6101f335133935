"""Assistants on a running service: the official client, by HTTP and by `undersign mcp`, uses every tool."""

import asyncio
import json
import os
from base64 import b64decode, b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from io import BytesIO
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx2
import pytest
from mcp import StdioServerParameters
from mcp.client import Client as Assistant
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp.types import CallToolResult
from PIL import Image

from schemas.session_read import SessionRead
from tests import ROOT, http_requests
from tests.end_to_end.agreement import Agreement
from tests.end_to_end.installation import COMMAND, Installation
from tests.end_to_end.tokens import access_token
from tests.layout.image_files import encoded, shades
from undersign import Client

pytestmark = pytest.mark.installation

EXAMPLES = ROOT / "examples"


class Tools:
    """Calls tools, and notes which."""

    def __init__(self, assistant: Assistant) -> None:
        self._assistant = assistant
        self.called: set[str] = set()

    async def call(self, tool: str, **arguments: Any) -> CallToolResult:
        self.called.add(tool)
        return await self._assistant.call_tool(tool, arguments)

    async def done(self, tool: str, **arguments: Any) -> dict[str, Any]:
        result = await self.call(tool, **arguments)
        assert not result.is_error, result.structured_content
        return dict(result.structured_content)


@asynccontextmanager
async def by_http(installation: Installation, mode: str) -> AsyncIterator[Assistant]:
    headers = {"Authorization": f"Bearer {access_token(installation.dev_info)}"}
    async with (
        httpx2.AsyncClient(headers=headers, trust_env=False, timeout=http_requests.PATIENCE) as http,
        Assistant(
            streamable_http_client(f"{installation.dev_info.api_url}/mcp", http_client=http), mode=mode
        ) as assistant,
    ):
        yield assistant


@asynccontextmanager
async def by_command(installation: Installation, **environment: str) -> AsyncIterator[Assistant]:
    command = StdioServerParameters(
        command=COMMAND[0],
        args=[*COMMAND[1:], "mcp"],
        env={**os.environ, **installation.environment(), **environment},
    )
    async with Assistant(stdio_client(command)) as assistant:
        yield assistant


def example(name: str) -> dict[str, Any]:
    return dict(json.loads((EXAMPLES / f"{name}.json").read_text(encoding="utf-8")))


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
async def test_the_official_client_uses_every_tool(installation: Installation, service: Client, mode: str) -> None:
    async with by_http(installation, mode) as assistant:
        tools = Tools(assistant)
        listed = {tool.name for tool in (await assistant.list_tools()).tools}
        await draft_send_and_sign(tools, installation, service)
        await use_a_template(tools)
        await put_away_and_delete(tools)

        assert tools.called == listed
        assert len(listed) == 21


async def draft_send_and_sign(tools: Tools, installation: Installation, service: Client) -> None:
    """From a document to a certificate."""
    asked = example("consulting-agreement")
    picture = encoded(shades(40, 20))
    image = await tools.done("upload_image", fileName="logo.png", data=b64encode(picture).decode())
    document = {**asked["files"][0]["document"], "logo": {"fileId": image["fileId"]}}
    shown = await tools.call(
        "preview_document", kind="session", document=document, recipients=[{"key": "client"}, {"key": "consultant"}]
    )
    pages = [part for part in shown.content if part.type == "image"]
    assert [Image.open(BytesIO(b64decode(page.data))).width for page in pages] == [794] * 3

    key = f"draft {uuid4()}"
    made = await tools.done("create_session", **asked, idempotencyKey=key)
    again = await tools.done("create_session", **asked, idempotencyKey=key)
    assert (made["status"], again["sessionId"]) == ("draft", made["sessionId"])
    assert [event.type for event in service.list_events(made["sessionId"]).events] == ["session.created"]

    named = {"sessionId": made["sessionId"]}
    sent = await tools.call("send_session", **named)
    assert "Renée Østergård <renee.ostergard@harbourfinch.example> now" in sent.content[0].text
    invited = await tools.done("send_invitation", **named)
    assert invited["recipientEmail"] == "renee.ostergard@harbourfinch.example"

    session = SessionRead.model_validate_json(json.dumps(await tools.done("get_session", **named)))
    agreement = Agreement(installation.dev_info, service, session)
    agreement.sign("client")
    agreement.sign("consultant")
    agreement.await_documents()

    documents = await tools.done("get_documents", **named)
    (url,) = [entry["url"] for entry in documents["documents"]]
    assert (await asyncio.to_thread(http_requests.get, url)).content.startswith(b"%PDF")
    values = await tools.done("get_values", **named)
    assert "Renée Østergård" not in str(values)
    assert {value["recipientKey"] for file in values["files"] for value in file["values"]} == {"client", "consultant"}
    certificate = await tools.call("get_certificate", **named)
    (attached,) = [part.resource for part in certificate.content if part.type == "resource"]
    assert b64decode(attached.blob).startswith(b"%PDF")
    listed = await tools.done("list_sessions", status="completedAndGenerated", limit=1)
    assert listed["sessions"][0]["sessionId"] == made["sessionId"]

    actors = {event.type: event.actor for event in service.list_events(made["sessionId"]).events}
    assert (actors["session.sent"].kind, actors["session.sent"].id) == ("client", installation.dev_info.client_id)


async def use_a_template(tools: Tools) -> None:
    template = await tools.done("create_template", **example("lease-template"), activate=True)
    named = {"templateId": template["templateId"]}
    assert (await tools.done("list_templates", limit=1))["templates"][0]["templateId"] == named["templateId"]
    assert await tools.done("get_template", **named) == template
    values = {name: value for name, value in example("lease-values").items() if name != "sendImmediately"}
    made = await tools.done("create_session_from_template", **named, **values)
    assert (made["status"], made["name"]) == ("draft", "Lease of Ingrid Solheim")
    assert (await tools.done("rename_template", **named, name="Lease 2027"))["name"] == "Lease 2027"
    assert (await tools.done("archive_template", **named))["permanent"] is False
    assert (await tools.done("restore_template", **named))["status"] == "active"
    await tools.done("archive_template", **named)
    assert (await tools.done("delete_template", **named))["permanent"] is True


async def put_away_and_delete(tools: Tools) -> None:
    made = await tools.done("create_session", **example("new-starter-form"))
    named = {"sessionId": made["sessionId"]}
    assert (await tools.done("archive_session", **named))["restorable"] is True
    assert (await tools.done("restore_session", **named))["status"] == "draft"
    token = {"confirmationToken": (await tools.done("delete_session", **named))["confirmationToken"]}
    assert (await tools.done("delete_session", **named, **token))["permanent"] is True
    replayed = await tools.call("delete_session", **named, **token)
    assert (replayed.is_error, replayed.structured_content["error"]) == (True, "NOT_FOUND")


async def test_a_draft_made_by_a_tool_is_byte_for_byte_the_one_made_by_the_api(
    installation: Installation, service: Client
) -> None:
    asked = example("consulting-agreement")
    by_api = service.create_session(asked)
    async with by_http(installation, "auto") as assistant:
        by_tool = SessionRead.model_validate_json(json.dumps(await Tools(assistant).done("create_session", **asked)))

    assert [file.sha256 for file in by_tool.files] == [file.sha256 for file in by_api.files]
    chance = {"session_id", "created_at", "updated_at", "draft_url", "files", "recipients", "warnings"}
    assert by_tool.model_dump(exclude=chance) == by_api.model_dump(exclude=chance)


@pytest.mark.parametrize("says", ["nothing", "a token", "a client"])
async def test_the_command_passes_everything_on(installation: Installation, tmp_path: Path, says: str) -> None:
    dev_info, secret = installation.dev_info, tmp_path / "secret"
    secret.write_text(f"{dev_info.client_secret}\n", encoding="utf-8")
    environment = {
        "nothing": {},
        "a token": {"UNDERSIGN_URL": dev_info.api_url, "UNDERSIGN_TOKEN": access_token(dev_info)},
        "a client": {
            "UNDERSIGN_URL": dev_info.api_url,
            "UNDERSIGN_CLIENT_ID": dev_info.client_id,
            "UNDERSIGN_CLIENT_SECRET_FILE": str(secret),
        },
    }[says]

    async with by_http(installation, "auto") as direct, by_command(installation, **environment) as assistant:
        assert (await assistant.list_tools()).tools == (await direct.list_tools()).tools
        assert (await assistant.list_resources()).resources == (await direct.list_resources()).resources
        assert (await assistant.list_prompts()).prompts == (await direct.list_prompts()).prompts
        assert assistant.instructions == direct.instructions
        guide = await assistant.read_resource("undersign://guide")
        assert guide.contents[0].text.startswith("# Writing block documents")
        prompt = await assistant.get_prompt("draft_agreement", {"subject": "A lease"})
        assert "A lease" in prompt.messages[0].content.text
        bad = await assistant.call_tool("create_session", {"name": "x"})
        assert {issue["path"] for issue in bad.structured_content["issues"]} == {"/files", "/recipients"}
        made = await Tools(assistant).done("create_session", **example("new-starter-form"))
        read = await Tools(direct).done("get_session", sessionId=made["sessionId"])
        assert read == {member: value for member, value in made.items() if member != "warnings"}


async def test_an_assistant_goes_on_when_the_service_has_died_and_is_back(own_installation: Installation) -> None:
    async with by_command(own_installation) as assistant:
        tools = Tools(assistant)
        named = {"sessionId": (await tools.done("create_session", **example("new-starter-form")))["sessionId"]}
        token = {"confirmationToken": (await tools.done("delete_session", **named))["confirmationToken"]}

        own_installation.kill_api()

        found, told = await once_it_is_back(tools, "get_session", **named)
        assert found["status"] == "draft"
        assert told <= {f"No service answers at {own_installation.dev_info.api_url}."}
        assert (await tools.done("delete_session", **named, **token))["permanent"] is True


async def once_it_is_back(tools: Tools, tool: str, **arguments: Any) -> tuple[dict[str, Any], set[str]]:
    """What the tool answers as soon as there is somebody to answer, and what the assistant was told before."""
    told: set[str] = set()
    async with asyncio.timeout(http_requests.PATIENCE):
        while True:
            try:
                return await tools.done(tool, **arguments), told
            except MCPError as away:
                told.add(away.message)


@pytest.mark.parametrize(
    ("environment", "said"),
    [
        ({"UNDERSIGN_URL": "http://127.0.0.1:9", "UNDERSIGN_TOKEN": "x"}, "No service answers at http://127.0.0.1:9."),
        ({"UNDERSIGN_TOKEN": "x"}, "The access token is not valid"),
        ({"UNDERSIGN_CLIENT_ID": "x"}, "Set UNDERSIGN_TOKEN, or UNDERSIGN_CLIENT_ID and UNDERSIGN_CLIENT_SECRET."),
        ({"UNDERSIGN_CLIENT_ID": "x", "UNDERSIGN_CLIENT_SECRET": "y"}, "The service gives no token to this client."),
        ({"UNDERSIGN_DATA_DIR": "/nonexistent"}, "No service runs here. Set UNDERSIGN_URL"),
    ],
    ids=["nothing there", "a bad token", "half a client", "a bad client", "no service"],
)
def test_the_command_says_in_one_line_why_it_cannot_begin(
    installation: Installation, environment: dict[str, str], said: str
) -> None:
    ended = installation.run("mcp", **environment)

    assert (ended.returncode in {1, 2}, ended.stdout) == (True, "")
    assert said in ended.stderr
    assert ended.stderr.count("\n") == 1
