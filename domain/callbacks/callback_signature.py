"""Secrets and signatures of callbacks, as in Standard Webhooks."""

import secrets
from base64 import b64encode
from collections.abc import Sequence
from datetime import datetime
from math import floor

from standardwebhooks import Webhook

from domain.shared.ids import EventId

_SECRET_BYTES = 32


def new_secret() -> str:
    """Returns a new secret of 256 random bits, in the format of Standard Webhooks."""
    return "whsec_" + b64encode(secrets.token_bytes(_SECRET_BYTES)).decode()


def signed_headers(event_id: EventId, at: datetime, body: str, signing: Sequence[str]) -> dict[str, str]:
    """Returns the headers of an attempt at `at` (UTC), with one signature per secret."""
    return {
        "webhook-id": event_id,
        "webhook-timestamp": str(floor(at.timestamp())),
        "webhook-signature": " ".join(Webhook(secret).sign(event_id, at, body) for secret in signing),
    }
