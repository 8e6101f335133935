"""The short form of `make chaos`, and the receiver of callbacks that it uses."""

import socket
from base64 import b64encode
from pathlib import Path
from urllib.parse import urlsplit

from tests import http_requests
from tests.chaos.run import run
from tests.chaos.webhook_receiver import FailingReceiver

SEED = 3
SESSIONS = 20
FAULT_SECONDS = 12.0
SECRET = "whsec_" + b64encode(bytes(24)).decode()


def test_every_guarantee_holds_while_everything_breaks(tmp_path: Path) -> None:
    report = run(tmp_path / "cluster", SEED, SESSIONS, FAULT_SECONDS)

    assert report.findings == [], "\n".join(report.lines())
    assert len(report.outcomes) == SESSIONS
    assert report.faulted > 0


def test_a_callback_whose_sender_was_killed_on_the_way_is_ignored() -> None:
    with FailingReceiver() as receiver:
        receiver.secret = SECRET
        place = urlsplit(receiver.url)
        with socket.create_connection((place.hostname, place.port or 0)) as sender:
            sender.sendall(b"POST / HTTP/1.1\r\nwebhook-id: half\r\ncontent-length: 100\r\n\r\n{")
            sender.shutdown(socket.SHUT_WR)
            assert sender.recv(1) == b""

    assert (receiver.calls.total(), receiver.forged, receiver.received) == (0, set(), set())


def test_a_callback_with_a_wrong_signature_is_reported() -> None:
    with FailingReceiver() as receiver:
        receiver.secret = SECRET
        http_requests.post(receiver.url, headers={"webhook-id": "false"}, json={"type": "session.sent"})

    assert receiver.forged == {"false"}
