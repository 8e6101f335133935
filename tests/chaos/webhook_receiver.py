"""A receiver of callbacks that fails often, and checks signatures."""

from domain.callbacks.callback import SESSION_DELETED
from tests.fakes.standard_webhooks import is_genuine
from tests.webhook_receiver import WebhookReceiver

MAX_FAILURES = 5
"""Failures of one callback. The service gives up after ten attempts."""


class FailingReceiver(WebhookReceiver):
    """Answers every third call with 503, up to `MAX_FAILURES` times for one callback.

    `forged` has the identifiers of callbacks with a wrong signature.
    """

    def __init__(self, host: str = "127.0.0.1") -> None:
        self.secret = ""
        self.forged: set[str] = set()
        super().__init__(host)

    @property
    def deleted(self) -> set[str]:
        """The identifiers of sessions that were announced as deleted."""
        return {body["data"]["sessionId"] for body in list(self.bodies) if body["type"] == SESSION_DELETED}

    def judge(self, callback: str, headers: dict[str, str], body: bytes) -> int:
        if not is_genuine(self.secret, headers, body):
            self.forged.add(callback)
        return 503 if self.calls.total() % 3 == 0 and self.calls[callback] <= MAX_FAILURES else 204
