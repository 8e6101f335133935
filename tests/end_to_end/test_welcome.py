"""What the service prints when it has started is true."""

import json
import shutil
import subprocess

import httpx

from api.cli.welcome import three_calls
from api.client import Client
from tests.end_to_end.installation import Installation


def test_the_three_calls_make_and_send_a_session_when_pasted(installation: Installation, service: Client) -> None:
    assert shutil.which("curl"), "curl is missing; `make test` installs it, or says what to install"
    calls = three_calls(installation.data_dir.resolve(), installation.handle)

    answer = subprocess.run(["/bin/sh"], input=calls, capture_output=True, text=True, timeout=60, check=True)

    assert calls in installation.output
    assert answer.stderr == ""
    sent = json.loads(answer.stdout)
    assert sent["status"] == "pending"
    assert service.read_session(sent["sessionId"]).name == "Consulting agreement"


def test_no_secret_is_printed(installation: Installation) -> None:
    assert installation.handle.client_secret not in installation.output


def test_every_address_that_is_printed_answers(installation: Installation) -> None:
    handle = installation.handle
    addresses = [handle.api_url, f"{handle.api_url}/docs", handle.outbox_url, handle.temporal_ui_url]

    assert [address for address in addresses if f" {address}\n" not in installation.output] == []
    assert [httpx.get(address, trust_env=False).status_code for address in addresses] == [200, 200, 200, 200]
