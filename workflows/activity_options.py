"""Calls of activities, and their timeouts and retry policies with reasons. Activities are retried without limit."""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import TypeVar

from temporalio import workflow
from temporalio.common import RetryPolicy
from temporalio.exceptions import ActivityError, ApplicationError
from temporalio.workflow import ActivityCancellationType

from activities import interface
from activities.interface import (
    DOCUMENTS_QUEUE,
    MAIL_REJECTED,
    AugmentedDocument,
    AugmentRequest,
    GeneratedDocument,
    RecordAndSendRequest,
    RecordedAndSent,
    RecordRequest,
)
from domain.session.materials import Materials
from domain.session.session import Session
from domain.session.snapshot import SessionFile

T = TypeVar("T")

FINISH_BEFORE_CANCEL = ActivityCancellationType.WAIT_CANCELLATION_COMPLETED
"""Cancellation of a task that is no longer due: a running attempt ends before the same task may start again; an attempt
that waits for its retry ends at once."""

RECORD_TIMEOUT = timedelta(seconds=15)
"""Timeout of one transaction. A shorter one would add retries to a busy worker; only an outage takes longer."""

RECORD_RETRY = RetryPolicy(initial_interval=timedelta(milliseconds=200), maximum_interval=timedelta(seconds=5))
"""Retries are frequent, because lists and reads show the row."""

RECORD_AND_SEND_TIMEOUT = timedelta(seconds=90)
"""Allows for a slow mail server and two transactions."""

MAIL_TIMEOUT = timedelta(seconds=60)
"""A slow mail server may take half a minute to answer."""

MAIL_RETRY = RetryPolicy(initial_interval=timedelta(seconds=1), maximum_interval=timedelta(minutes=5))
"""Retries follow soon after a short failure, and every five minutes during an outage."""

GENERATE_TIMEOUT = timedelta(minutes=10)
"""A hundred pages take under a second; the rest is for slow storage and a queue in the process pool."""

HEARTBEAT = timedelta(seconds=15)
"""Time after which Temporal detects the death of a worker during a mail or a document."""

GENERATE_RETRY = RetryPolicy(initial_interval=timedelta(seconds=1), maximum_interval=timedelta(minutes=1))
"""Retries are at most a minute apart, because recipients wait for their copy."""

AUGMENT_RETRY = RetryPolicy(initial_interval=timedelta(seconds=5), maximum_interval=timedelta(minutes=15))
"""Retries are rare, because the documents are available already: about a hundred in an outage of one day."""

RECEIPT_TIMEOUT = timedelta(seconds=30)
"""Allows for one signature and one transaction."""

ERASE_TIMEOUT = timedelta(minutes=5)
"""Allows for the deletion of some hundreds of objects, one after another."""

IN_FLIGHT_GRACE = timedelta(minutes=2)
"""Wait before the second erasure, longer than any request: a request that began before the deletion may still store an
object."""

ERASE_RETRY = RetryPolicy(initial_interval=timedelta(seconds=1), maximum_interval=timedelta(minutes=10))
"""Retries are up to ten minutes apart, and without limit: no caller waits, but the erasure must succeed."""

DELETION_MAILS_TIMEOUT = timedelta(minutes=10)
"""Allows for a hundred recipients, one after another, on a slow mail server."""

DELETION_MAILS_LIMIT = timedelta(days=1)
"""Limit of all attempts: a longer outage of the mail server does not delay the erasure of the addresses."""

ROWS_TIMEOUT = timedelta(minutes=10)
"""Allows for rows of five seconds each, on a busy machine."""

ROWS_RETRY = RetryPolicy(initial_interval=timedelta(seconds=1), maximum_interval=timedelta(minutes=1))
"""For an outage of a dependency: the batch waits for its end."""

DELIVER_TIMEOUT = timedelta(seconds=45)
"""An attempt takes 15 s at most; the rest is for a slow database that stores its result."""

DELIVER_RETRY = RetryPolicy(initial_interval=timedelta(seconds=1), maximum_interval=timedelta(minutes=1))
"""For an outage of the database or of a worker. After a failed attempt at the receiver, the activity sets the delay."""


async def record_and_send(request: RecordAndSendRequest, summary: str) -> RecordedAndSent:
    """Records the session and sends its emails. Failures of either are part of the result."""
    return await workflow.execute_activity(
        interface.record_and_send,
        request,
        start_to_close_timeout=RECORD_AND_SEND_TIMEOUT,
        heartbeat_timeout=HEARTBEAT,
        retry_policy=RECORD_RETRY,
        cancellation_type=FINISH_BEFORE_CANCEL,
        summary=summary,
    )


async def record_session(request: RecordRequest, summary: str) -> None:
    """Records the session; returns once that has succeeded."""
    await workflow.execute_activity(
        interface.record_session,
        request,
        start_to_close_timeout=RECORD_TIMEOUT,
        retry_policy=RECORD_RETRY,
        cancellation_type=FINISH_BEFORE_CANCEL,
        summary=summary,
    )


async def generate(session: Session, file: SessionFile) -> GeneratedDocument:
    """Generates the signed PDF of `file`; returns once it is stored."""
    return await workflow.execute_activity(
        interface.generate_document,
        Materials.of(session, file),
        task_queue=DOCUMENTS_QUEUE,
        start_to_close_timeout=GENERATE_TIMEOUT,
        heartbeat_timeout=HEARTBEAT,
        retry_policy=GENERATE_RETRY,
        cancellation_type=FINISH_BEFORE_CANCEL,
        summary=f"Generate {file.file_name}",
    )


async def augment_seal(session: Session, file: SessionFile) -> AugmentedDocument:
    """Augments the seal of `file` as far as possible now."""
    return await workflow.execute_activity(
        interface.augment_seal,
        AugmentRequest(organisation_id=session.organisation_id, session_id=session.session_id, file=file),
        task_queue=DOCUMENTS_QUEUE,
        start_to_close_timeout=GENERATE_TIMEOUT,
        heartbeat_timeout=HEARTBEAT,
        retry_policy=AUGMENT_RETRY,
        cancellation_type=FINISH_BEFORE_CANCEL,
        summary=f"Raise the seal of {file.file_name}",
    )


async def send_mail(send: Callable[[T], Awaitable[None]], request: T, summary: str) -> str | None:
    """Sends a mail. Returns None, or the response of the mail server if it rejected the mail permanently."""
    try:
        await workflow.execute_activity(
            send,
            request,
            start_to_close_timeout=MAIL_TIMEOUT,
            heartbeat_timeout=HEARTBEAT,
            retry_policy=MAIL_RETRY,
            cancellation_type=FINISH_BEFORE_CANCEL,
            summary=summary,
        )
    except ActivityError as error:
        if isinstance(error.cause, ApplicationError) and error.cause.type == MAIL_REJECTED:
            return error.cause.message
        raise
    return None
