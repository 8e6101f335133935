"""Limits of requests, and lifetimes: recipients, documents, uploads, batches, signing URLs, idempotency keys.

`domain.shared.sending_limit` has those of clients, `api.body_limits` those of request bodies.
"""

from datetime import timedelta

MAX_RECIPIENTS = 20
"""Maximum recipients of a session or template."""

MAX_FILES = 10
"""Maximum documents of a session."""

MAX_IMAGE = 2 * 1024 * 1024
"""Maximum bytes of an uploaded image."""

MAX_PDF = 7 * 1024 * 1024
"""Maximum bytes of an uploaded PDF."""

MAX_MESSAGE = 1000
"""Maximum characters of a sender's message, and of the reason of an archived, declined or delegated session."""

MAX_BATCH_ROWS = 1000
"""Maximum rows of a batch."""

MAX_BATCH_ISSUES = MAX_BATCH_ROWS
"""Maximum issues of a batch that are listed: one for each row."""

MAX_ROWS_PER_MINUTE = 600
"""Maximum pace of a batch, in rows per minute."""

USUAL_ROWS_PER_MINUTE = 60
"""Default pace of a batch."""

SIGNING_URL_LIFETIME = timedelta(minutes=10)
"""Lifetime of a signing URL that is not opened."""

KEY_LIFETIME = timedelta(hours=24)
"""Lifetime of an idempotency key (Specification 10.5)."""

CLAIM_LIFETIME = timedelta(seconds=10)
"""Lifetime of a claim on an idempotency key. The process that holds it renews it, so only a crash lets it expire."""
