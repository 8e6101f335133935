"""What receivers do with a callback: check it by Standard Webhooks, with a library that is not the one we sign with."""

from collections.abc import Mapping

from replicate.webhook import Webhooks, WebhookSigningSecret, WebhookValidationError

OLDEST = 300
"""Seconds: what receivers take for a repetition of somebody else's is older."""


def is_genuine(secret: str, headers: Mapping[str, str], body: bytes) -> bool:
    """Whether who knows `secret` (`whsec_...`) takes the callback for ours, and for one of now."""
    try:
        Webhooks.validate(
            headers=dict(headers), body=body.decode(), secret=WebhookSigningSecret(key=secret), tolerance=OLDEST
        )
    except WebhookValidationError:
        return False
    return True
