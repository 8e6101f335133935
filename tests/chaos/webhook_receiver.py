"""A receiver of callbacks that fails often, and checks signatures."""

import json

from domain.callbacks.callback import SESSION_DELETED
from tests.fakes.standard_webhooks import is_genuine
from tests.webhook_receiver import WebhookReceiver

MAX_FAILURES = 5
"""Failures of one callback. The service gives up after ten attempts."""


class FailingReceiver(WebhookReceiver):
    """Answers every third call with 503, up to `MAX_FAILURES` times for one callback.

    `forged` has the identifiers of callbacks with a wrong signature, `deleted` those of deleted sessions.
    """

    def __init__(self, host: str = "127.0.0.1") -> None:
        self.secret = ""
        self.forged: set[str] = set()
        self.deleted: set[str] = set()
        super().__init__(host)

    def judge(self, callback: str, headers: dict[str, str], body: bytes) -> int:
        if not is_genuine(self.secret, headers, body):
            self.forged.add(callback)
        if self.calls.total() % 3 == 0 and self.calls[callback] <= MAX_FAILURES:
            return 503
        content = json.loads(body)
        if content["type"] == SESSION_DELETED:
            self.deleted.add(content["data"]["sessionId"])
        return 204
