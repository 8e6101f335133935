"""When a callback is tried again (contract 11), as Standard Webhooks proposes it."""

from datetime import timedelta

WAITS = (
    timedelta(seconds=5),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=2),
    timedelta(hours=5),
    timedelta(hours=10),
    timedelta(hours=14),
    timedelta(hours=20),
    timedelta(hours=24),
)
"""Between the first try, which comes at once, and each further one. In all a little over three days."""

LONGER_BY = 0.1
"""Each wait is lengthened by up to this part of it, so that those who failed together do not come back together."""
