"""The limits of one-time codes by email (Specification 12.1)."""

from datetime import timedelta

CODE_LIFETIME = timedelta(minutes=10)
"""Lifetime of a one-time code."""

CODE_ATTEMPTS = 5
"""Maximum wrong attempts at a code; after these it is invalid."""

MAX_WRONG_CODES = 100
"""Maximum wrong codes of a recipient since the last correct one. There are a million possible codes."""

CODE_PAUSE = timedelta(seconds=60)
"""Minimum time between two codes for a recipient."""

CODE_WINDOW = timedelta(hours=1)
CODES_PER_WINDOW = 5
"""Maximum number of codes within `CODE_WINDOW`."""
