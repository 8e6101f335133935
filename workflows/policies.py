"""How long effects may take and how they are tried again, with the reason beside each number.

No effect ever gives up: a session heals by itself when what failed works again. Every retry is visible in the
Temporal UI with its last error.
"""

from datetime import timedelta

from temporalio.common import RetryPolicy
from temporalio.workflow import ActivityCancellationType

TO_ITS_END = ActivityCancellationType.WAIT_CANCELLATION_COMPLETED
"""What is no longer due: a try that is under way ends before the same effect may begin again; one that waits for its
next try ends at once."""

PROJECTION_WAIT = timedelta(seconds=2)
"""How long an answer waits for the projection: a list read right after a write is normally current, and a dead
database delays answers but stops nothing."""

RECORD_TIMEOUT = timedelta(seconds=15)
"""One transaction; longer means that the database is in trouble, or the worker dead. Most of it is for a worker that
is busy, where a step waits its turn for seconds: to begin it again for that would be more work for who has too much."""

AWAITED_TIMEOUT = timedelta(seconds=5)
"""The same where the answer to somebody has to wait for it, and another worker should begin it again in time."""

RECORD_RETRY = RetryPolicy(initial_interval=timedelta(milliseconds=200), maximum_interval=timedelta(seconds=30))
"""Soon again, since others wait for the row."""

LINK_TIMEOUT = timedelta(seconds=5)
"""Pure arithmetic; the time is for a worker that is busy."""

MAIL_TIMEOUT = timedelta(seconds=60)
"""A slow mail server may take half a minute to answer."""

MAIL_RETRY = RetryPolicy(initial_interval=timedelta(seconds=1), maximum_interval=timedelta(minutes=5))
"""At once for a hiccup, every five minutes for an outage."""

GENERATE_TIMEOUT = timedelta(minutes=10)
"""A hundred pages take under a second; the rest is for slow storage and a queue in the process pool."""

HEARTBEAT = timedelta(seconds=15)
"""A worker that died over a mail or a document is noticed within this time."""

GENERATE_RETRY = RetryPolicy(initial_interval=timedelta(seconds=1), maximum_interval=timedelta(minutes=1))
"""People wait for their copy."""

RAISE_RETRY = RetryPolicy(initial_interval=timedelta(seconds=5), maximum_interval=timedelta(minutes=15))
"""The documents are out already; a timestamp authority that is down for a day is asked some hundred times."""

BURY_TIMEOUT = timedelta(seconds=30)
"""One transaction, or one signature."""

BURY_RETRY = RetryPolicy(initial_interval=timedelta(milliseconds=200), maximum_interval=timedelta(minutes=1))
"""Somebody waits for the answer."""

CLOSING_GRACE = timedelta(minutes=1)
"""How long a session whose story is over keeps its run, for the reads and acts that follow at once."""

ERASE_TIMEOUT = timedelta(minutes=5)
"""Deleting some hundreds of objects one after another."""

LATECOMERS = timedelta(minutes=2)
"""Longer than a request may take: one that had found the session before it was deleted may store an object yet."""

ERASE_RETRY = RetryPolicy(initial_interval=timedelta(seconds=1), maximum_interval=timedelta(minutes=10))
"""Nobody waits, and it must happen."""

DELIVER_TIMEOUT = timedelta(seconds=45)
"""One try takes 15 s at most; the rest is for a database that is slow to write down what came of it."""

DELIVER_RETRY = RetryPolicy(initial_interval=timedelta(seconds=1), maximum_interval=timedelta(minutes=1))
"""For a database or a worker that is down. A try that a receiver failed sets the time of the next one itself."""
