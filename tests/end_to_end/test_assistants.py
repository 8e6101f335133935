"""Assistants on a running service: the official MCP client, by HTTP and by `undersign mcp`."""

import asyncio
import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import StdioServerParameters
from mcp.client import Client as Assistant
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from tests import http_requests
from tests.end_to_end.access import access_token
from tests.end_to_end.installation import COMMAND, Installation
from tests.end_to_end.tools import Result, Tools, example, use_every_tool
from undersign import Client


def tools_of(assistant: Assistant) -> Tools:
    async def ask(tool: str, arguments: dict[str, Any]) -> Result:
        result = await assistant.call_tool(tool, arguments)
        return result.model_dump(mode="json", by_alias=True)  # type: ignore[no-any-return]  # the library is untyped

    return Tools(ask)


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


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
async def test_the_official_client_uses_every_tool(installation: Installation, mode: str) -> None:
    async with by_http(installation, mode) as assistant:
        tools = tools_of(assistant)
        listed = {tool.name for tool in (await assistant.list_tools()).tools}

        await use_every_tool(tools, installation)

    assert tools.called == listed
    assert len(listed) == 31


async def test_a_draft_made_by_a_tool_is_byte_for_byte_the_one_made_by_the_api(
    installation: Installation, service: Client
) -> None:
    body = example("consulting-agreement")
    by_api = service.create_session(body)
    async with by_http(installation, "auto") as assistant:
        created = await tools_of(assistant).done("create_session", **body)
    by_tool = type(by_api).model_validate_json(json.dumps(created))

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
        created = await tools_of(assistant).done("create_session", **example("new-starter-form"))
        read = await tools_of(direct).done("get_session", sessionId=created["sessionId"])
        assert read == {member: value for member, value in created.items() if member != "warnings"}


async def test_an_assistant_goes_on_when_the_service_has_died_and_is_back(own_installation: Installation) -> None:
    async with by_command(own_installation) as assistant:
        tools = tools_of(assistant)
        named = {"sessionId": (await tools.done("create_session", **example("new-starter-form")))["sessionId"]}
        token = {"confirmationToken": (await tools.done("delete_session", **named))["confirmationToken"]}

        own_installation.kill_api()

        read, messages = await once_it_is_back(tools, "get_session", **named)
        assert read["status"] == "draft"
        assert messages <= {f"No service answers at {own_installation.dev_info.api_url}."}
        assert (await tools.done("delete_session", **named, **token))["permanent"] is True


async def once_it_is_back(tools: Tools, tool: str, **arguments: Any) -> tuple[dict[str, Any], set[str]]:
    """Returns what the tool answers once the service answers, and the messages of the errors before."""
    messages: set[str] = set()
    async with asyncio.timeout(http_requests.PATIENCE):
        while True:
            try:
                return await tools.done(tool, **arguments), messages
            except MCPError as error:
                messages.add(error.message)
                await asyncio.sleep(0.2)


@pytest.mark.parametrize(
    ("environment", "said"),
    [
        ({"UNDERSIGN_URL": "http://127.0.0.1:9", "UNDERSIGN_TOKEN": "x"}, "No service answers at http://127.0.0.1:9."),
        ({"UNDERSIGN_TOKEN": "x"}, "The access token is invalid"),
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
