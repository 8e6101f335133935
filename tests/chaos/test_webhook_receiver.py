"""The receiver of callbacks: what was cut off is no callback, and what somebody else signed is none of ours."""

import socket
from base64 import b64encode
from contextlib import closing
from urllib.parse import urlsplit

from tests import http_requests
from tests.chaos.webhook_receiver import WebhookReceiver

SECRET = "whsec_" + b64encode(bytes(24)).decode()


def test_a_callback_whose_sender_was_killed_on_the_way_is_not_judged() -> None:
    with closing(WebhookReceiver()) as receiver:
        receiver.secret = SECRET
        place = urlsplit(receiver.url)
        with socket.create_connection((place.hostname, place.port or 0)) as sender:
            sender.sendall(b"POST / HTTP/1.1\r\nwebhook-id: half\r\ncontent-length: 100\r\n\r\n{")
            sender.shutdown(socket.SHUT_WR)
            assert sender.recv(1) == b""

    assert (receiver.calls, receiver.forged, receiver.received) == (0, set(), set())


def test_a_callback_that_is_signed_by_nobody_we_know_is_told_of() -> None:
    with closing(WebhookReceiver()) as receiver:
        receiver.secret = SECRET
        http_requests.post(receiver.url, headers={"webhook-id": "false"}, json={"type": "session.sent"})

    assert receiver.forged == {"false"}
