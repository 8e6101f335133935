"""Secrets of callbacks and the receiver for development on the command line."""

import hmac
import subprocess
import sys
from base64 import b64decode, b64encode
from datetime import UTC, datetime
from time import time

from domain.callbacks.callback_signature import new_secret, signed_headers
from domain.shared.ids import EventId
from tests import ROOT, http_requests
from tests.cli.conftest import Command
from tests.tcp_ports import free_port

BODY = "8a2e0c55-6f33-4c8f-9a1f-0b8f6f4d2c11"
BODY = '{"type":"session.sent","timestamp":"2026-06-12T12:00:00.000Z","data":{"name":"Ünïcode","sequence":2}}'


def test_a_secret_is_shown_again_and_rotated_with_an_overlap(command: Command, organisation: str) -> None:
    first = command("webhook", "secret", "show", "--organisation", organisation).out
    rotated = command("webhook", "secret", "rotate", "--organisation", organisation, "--json").json()
    both = command("webhook", "secret", "show", "--organisation", organisation, "--json").json()

    assert first.startswith("whsec_")
    assert both == {"secrets": [rotated["secret"], first.strip()]}


def test_without_paused_receivers_nothing_is_resumed(command: Command, organisation: str) -> None:
    assert command("webhook", "resume", "--organisation", organisation, "--json").json() == {"resumed": 0}
    assert command("webhook", "paused", "--organisation", organisation, "--json").json() == {"paused": []}


def test_the_receiver_prints_genuine_callbacks_and_refuses_others() -> None:
    secret, port = new_secret(), free_port()
    command = [sys.executable, "-m", "cli.main", "webhook", "listen", "--port", str(port), "--secret", secret]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as listening:
        assert listening.stdout is not None
        assert "Listening" in listening.stdout.readline()
        url, headers = f"http://127.0.0.1:{port}/", signed_headers(EventId("msg_1"), datetime.now(UTC), BODY, [secret])
        genuine = http_requests.post(url, content=BODY.encode(), headers=headers)
        forged = http_requests.post(url, content=BODY.replace("2", "3").encode(), headers=headers)
        bare = http_requests.post(url, content=b"{}")
        listening.terminate()
        printed = listening.stdout.read()
    assert (genuine.status_code, forged.status_code, bare.status_code) == (204, 401, 401)
    assert "session.sent  event msg_1, number 2" in printed
    assert "Ünïcode" in printed
    assert printed.count("refused") == 2


def test_signatures_are_those_of_the_specification() -> None:
    """By hand, from the text of Standard Webhooks: HMAC-SHA256 over id, time and body, joined by dots."""
    old, new = new_secret(), new_secret()
    now = datetime.now(UTC)
    headers = signed_headers(EventId("msg_1"), now, BODY, [new, old])
    signed = f"msg_1.{headers['webhook-timestamp']}.".encode() + BODY.encode()
    expected = [
        "v1," + b64encode(hmac.digest(b64decode(secret.removeprefix("whsec_")), signed, "sha256")).decode()
        for secret in (new, old)
    ]
    assert headers["webhook-signature"].split(" ") == expected
    assert abs(int(headers["webhook-timestamp"]) - time()) < 5
