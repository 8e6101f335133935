"""Runs docs/api.md from top to bottom: its calls by curl, those by the Python client, and its receivers."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

import undersign
from cli.demo.command import read_example
from domain.callbacks.callback_signature import new_secret, signed_headers
from domain.shared.ids import EventId
from tests import ROOT
from tests.end_to_end.agreement import Agreement
from tests.end_to_end.installation import Installation
from tests.end_to_end.waiting import eventually
from tests.programs import program
from tests.tcp_ports import free_port

DOCUMENT = ROOT / "docs" / "api.md"
RECEIVERS, SIGNED = "Callbacks", "Downloads"
"""The section of the receivers, and the first section about signed documents."""


def blocks(language: str) -> Iterator[tuple[str, str]]:
    """Yields the heading and the text of each block of code."""
    for section in re.split(r"^## ", DOCUMENT.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        heading = section.partition("\n")[0]
        for block in re.findall(rf"^```{language}\n(.*?)^```", section, re.MULTILINE | re.DOTALL):
            yield heading, block


def halves(language: str) -> tuple[str, str]:
    """Returns the code before the section `SIGNED`, and the rest; without receivers."""
    found = [(heading, block) for heading, block in blocks(language) if heading != RECEIVERS]
    at = next(number for number, (heading, _) in enumerate(found) if heading == SIGNED)
    return "".join(block for _, block in found[:at]), "".join(block for _, block in found[at:])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of the sources, as far as the examples need one."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    return tmp_path


def sign_all(installation: Installation, session_id: str) -> None:
    session = installation.service.get_session(session_id)
    Agreement(installation, session, read_example()[1]).complete()


def on(installation: Installation, text: str) -> str:
    return text.replace("http://127.0.0.1:8080", installation.dev_info.api_url)


def access(installation: Installation) -> dict[str, str]:
    dev_info = installation.dev_info
    return {"CLIENT_ID": dev_info.client_id, "CLIENT_SECRET": dev_info.client_secret}


@pytest.mark.curl
def test_every_call_by_curl_succeeds(installation: Installation, folder: Path) -> None:
    program("curl"), program("jq")

    def run(text: str) -> str:
        script = f'set -euo pipefail\ncurl() {{ command curl --fail-with-body "$@"; }}\n{text}'
        done = subprocess.run(
            ["bash", "-c", on(installation, script)],
            cwd=folder,
            env={**os.environ, **access(installation)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{done.stderr}\n{done.stdout[-2000:]}"
        return done.stdout

    before, after = halves("sh")
    for _ in range(2):  # a second time on one day too
        stored = run(f"{before}\ndeclare -p api token auth session > kept.sh; printf '\\n%s' $session").splitlines()[-1]
        sign_all(installation, stored)
        run(f"source kept.sh\n{after}")

    assert (folder / "preview.pdf").read_bytes().startswith(b"%PDF")
    assert (folder / "certificate.pdf").read_bytes().startswith(b"%PDF")
    assert list(folder.glob("Consulting*.pdf"))


def test_every_call_of_the_client_succeeds(
    installation: Installation, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    for name, value in access(installation).items():
        monkeypatch.setenv(name, value)
    names: dict[str, Any] = {}
    before, after = halves("python")

    for _ in range(2):  # a second time on one day too
        exec(on(installation, before), names)  # noqa: S102  # our own document
        sign_all(installation, names["session"].session_id)
        exec(on(installation, after), names)  # noqa: S102  # our own document
        names["undersign"].close()

    assert (folder / "Consulting Agreement.pdf").read_bytes().startswith(b"%PDF")
    assert "400 INVALID_REQUEST" in capsys.readouterr().out


def test_the_names_of_the_client_in_the_text_exist() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    (policy,) = re.findall(r"Client\(\.\.\.,\s+(\w+=\w+\(.*?\))\)", text)
    names = {name: getattr(undersign, name) for name in undersign.__all__}

    assert eval(f"Client('http://127.0.0.1', '', '', {policy})", names)  # noqa: S307  # our own document


@pytest.mark.node
@pytest.mark.parametrize(("language", "command"), [("python", (sys.executable, "-")), ("javascript", ("node", "-"))])
def test_a_receiver_takes_what_is_signed_and_nothing_else(language: str, command: tuple[str, ...]) -> None:
    [text] = [block for heading, block in blocks(language) if heading == RECEIVERS]
    secret, port = new_secret(), free_port()
    body = json.dumps({"type": "recipient.completed", "data": {"name": "Łukasz"}})
    event_id = EventId(str(uuid4()))
    signed = signed_headers(event_id, datetime.now(UTC), body, [new_secret(), secret])
    others = signed_headers(event_id, datetime.now(UTC), body, [new_secret()])
    old = signed_headers(event_id, datetime(2026, 1, 1, tzinfo=UTC), body, [secret])

    def post(headers: dict[str, str], text: str = body) -> int | None:
        connection = HTTPConnection("127.0.0.1", port, timeout=60)
        try:
            connection.request("POST", "/", text.encode(), {**headers, "content-type": "application/json"})
            return connection.getresponse().status
        except ConnectionRefusedError:
            return None
        finally:
            connection.close()

    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, "SECRET": secret}
    ) as receiver:
        assert receiver.stdin
        assert receiver.stdout
        receiver.stdin.write(text.replace("9000", str(port)).encode())
        receiver.stdin.close()
        try:
            assert eventually(lambda: post(signed), "it listens") == 204
            assert "recipient.completed" in receiver.stdout.readline().decode()
            assert [post(others), post(old), post(signed, body.replace("ukasz", "oser"))] == [400, 400, 400]
        finally:
            receiver.kill()
