"""A receiver of callbacks that checks and prints them."""

import json
from http.server import BaseHTTPRequestHandler, HTTPServer

from standardwebhooks import Webhook, WebhookVerificationError
from standardwebhooks.webhooks import EmptyWebhookSecretError

from cli.errors import InvalidInput, PortTaken

MAX_BODY = 1_000_000
"""Bytes of a callback that are read; ours are far smaller."""


def listen_on(port: int, secret: str, status: int) -> None:
    """Prints every genuine callback as two lines and an empty one, and why others are not, until Ctrl-C.

    Raises:
        InvalidInput: that is no secret.
        PortTaken: something else listens there.
    """
    try:
        webhook = Webhook(secret)
    except (ValueError, EmptyWebhookSecretError) as error:
        raise InvalidInput("That is no secret. Show it: undersign webhook secret show") from error
    try:
        server = HTTPServer(("127.0.0.1", port), _receiver(webhook, status))
    except OSError as error:
        raise PortTaken(f"Port {port} cannot be listened on: {error.strerror}.") from error
    print(f"Listening on http://127.0.0.1:{port}/ until Ctrl-C", flush=True)
    with server:
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print("Stopped.")


def _receiver(webhook: Webhook, status: int) -> type[BaseHTTPRequestHandler]:
    class Receiver(BaseHTTPRequestHandler):
        timeout = 10

        def do_POST(self) -> None:  # the name is http.server's
            body = self.rfile.read(min(int(self.headers.get("content-length") or 0), MAX_BODY))
            try:
                told = webhook.verify(body, dict(self.headers.items()))
            except (WebhookVerificationError, ValueError) as error:
                print(f"refused: {error}\n", flush=True)
                self._answer(401)
                return
            sequence = told.get("data", {}).get("sequence", "-")
            print(f"{told.get('timestamp')}  {told.get('type')}  event {self.headers['webhook-id']}, number {sequence}")
            print(json.dumps(told.get("data"), ensure_ascii=False) + "\n", flush=True)
            self._answer(status)

        def log_message(self, format: str, *args: object) -> None:
            """Nothing: what matters is printed above."""

        def _answer(self, code: int) -> None:
            self.send_response(code)
            self.send_header("content-length", "0")
            self.end_headers()

    return Receiver
