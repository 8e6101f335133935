"""Lifetimes of idempotency keys and of the claims on them."""

from datetime import timedelta

KEY_LIFETIME = timedelta(hours=24)
"""Lifetime of a key (Specification 10.5)."""


CLAIM_LIFETIME = timedelta(seconds=10)
"""Lifetime of a claim that is not renewed. Then the process that held it is taken for dead."""
