"""A receiver of callbacks that fails often, and checks signatures."""

import json
from collections import Counter

from domain.callbacks.callback import SESSION_DELETED
from tests.fakes.standard_webhooks import is_genuine
from tests.webhook_receiver import WebhookReceiver

MAX_FAILURES = 5
"""Failures of one callback. The service gives up after ten attempts."""


class FailingReceiver(WebhookReceiver):
    """Answers every third call with 503.

    `forged` has the identifiers of callbacks with a wrong signature, and `deleted` those of deleted sessions.
    """

    def __init__(self, host: str = "127.0.0.1") -> None:
        self.secret = ""
        self.forged: set[str] = set()
        self.deleted: set[str] = set()
        self.calls = 0
        self._failures: Counter[str] = Counter()
        super().__init__(host)

    def take(self, headers: dict[str, str], body: bytes) -> int:
        event = headers.get("webhook-id", "")
        with self._lock:
            self.calls += 1
            if not is_genuine(self.secret, headers, body):
                self.forged.add(event)
            if self.calls % 3 == 0 and self._failures[event] < MAX_FAILURES:
                self._failures[event] += 1
                return 503
            callback = json.loads(body)
            if callback["type"] == SESSION_DELETED:
                self.deleted.add(callback["data"]["sessionId"])
        return super().take(headers, body)
