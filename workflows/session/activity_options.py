"""How long effects may take and how they are tried again, with the reason beside each number.

No effect ever gives up: a session heals by itself when what failed works again. Every retry is visible in the
Temporal UI with its last error.
"""

from datetime import timedelta

from temporalio.common import RetryPolicy
from temporalio.workflow import ActivityCancellationType

FINISH_BEFORE_CANCEL = ActivityCancellationType.WAIT_CANCELLATION_COMPLETED
"""What is no longer due: a try that is under way ends before the same effect may begin again; one that waits for its
next try ends at once."""

RECORD_TIMEOUT = timedelta(seconds=15)
"""One transaction; longer means that the database is in trouble, or the worker dead. Most of it is for a worker that
is busy, where a step waits its turn for seconds: to begin it again for that would be more work for who has too much."""

RECORD_RETRY = RetryPolicy(initial_interval=timedelta(milliseconds=200), maximum_interval=timedelta(seconds=5))
"""Soon again, since lists and reads show the row."""

RECORD_AND_SEND_TIMEOUT = timedelta(seconds=90)
"""A mail server that takes its time, and two transactions."""

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

AUGMENT_RETRY = RetryPolicy(initial_interval=timedelta(seconds=5), maximum_interval=timedelta(minutes=15))
"""The documents are out already; a timestamp authority that is down for a day is asked some hundred times."""

RECEIPT_TIMEOUT = timedelta(seconds=30)
"""One signature and one transaction."""

ERASE_TIMEOUT = timedelta(minutes=5)
"""Deleting some hundreds of objects one after another."""

IN_FLIGHT_GRACE = timedelta(minutes=2)
"""Longer than a request may take: one that had found the session before it was deleted may store an object yet."""

ERASE_RETRY = RetryPolicy(initial_interval=timedelta(seconds=1), maximum_interval=timedelta(minutes=10))
"""Nobody waits, and it must happen."""

DELIVER_TIMEOUT = timedelta(seconds=45)
"""One try takes 15 s at most; the rest is for a database that is slow to write down what came of it."""

DELIVER_RETRY = RetryPolicy(initial_interval=timedelta(seconds=1), maximum_interval=timedelta(minutes=1))
"""For a database or a worker that is down. A try that a receiver failed sets the time of the next one itself."""
