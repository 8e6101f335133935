"""An HTTP server that verifies and prints callbacks."""

import json
from http.server import BaseHTTPRequestHandler, HTTPServer

from standardwebhooks import Webhook, WebhookVerificationError
from standardwebhooks.webhooks import EmptyWebhookSecretError

from cli.errors import InvalidInput, PortTaken

MAX_BODY = 1_000_000
"""The largest number of bytes that is read of a callback; those of the service are far smaller."""


def listen_on(port: int, secret: str, status: int) -> None:
    """Prints each genuine callback, and the reason for which another one is rejected, until Ctrl-C.

    Raises:
        InvalidInput: `secret` is not a webhook secret.
        PortTaken: another program listens on the port.
    """
    try:
        webhook = Webhook(secret)
    except (ValueError, EmptyWebhookSecretError) as error:
        raise InvalidInput("That is no secret. Show it: undersign webhook secret show") from error

    class Receiver(BaseHTTPRequestHandler):
        timeout = 10

        def do_POST(self) -> None:  # the name is http.server's
            body = self.rfile.read(min(int(self.headers.get("content-length") or 0), MAX_BODY))
            self.send_response(_print_callback(webhook, body, dict(self.headers.items()), status))
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """Logs nothing: callbacks are printed."""

    try:
        server = HTTPServer(("127.0.0.1", port), Receiver)
    except OSError as error:
        raise PortTaken(f"Cannot listen on port {port}: {error.strerror}.") from error
    print(f"Listening on http://127.0.0.1:{port}/ until Ctrl-C", flush=True)
    with server:
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print("Stopped.")


def _print_callback(webhook: Webhook, body: bytes, headers: dict[str, str], status: int) -> int:
    """Prints a callback as two lines and an empty one; returns the status of the response."""
    try:
        callback = webhook.verify(body, headers)
    except (WebhookVerificationError, ValueError) as error:
        print(f"refused: {error}\n", flush=True)
        return 401
    data = callback.get("data", {})
    event = next((value for name, value in headers.items() if name.lower() == "webhook-id"), "")
    print(f"{callback.get('timestamp')}  {callback.get('type')}  event {event}, number {data.get('sequence', '-')}")
    print(json.dumps(data, ensure_ascii=False) + "\n", flush=True)
    return status
