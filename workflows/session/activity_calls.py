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
from domain.seal.materials import Materials
from domain.session.session import Session
from domain.session.snapshot import SessionFile

T = TypeVar("T")

FINISH_BEFORE_CANCEL = ActivityCancellationType.WAIT_CANCELLATION_COMPLETED
"""Cancellation of a task that is no longer due: a running attempt ends before the same task may start again; an attempt
that waits for its retry ends at once."""

RECORD_TIMEOUT = timedelta(seconds=15)
"""One transaction. A retry would add load to a busy worker; a longer wait means that the database is in trouble."""

RECORD_RETRY = RetryPolicy(initial_interval=timedelta(milliseconds=200), maximum_interval=timedelta(seconds=5))
"""Retries follow soon, since lists and reads show the row."""

RECORD_AND_SEND_TIMEOUT = timedelta(seconds=90)
"""A slow mail server, and two transactions."""

MAIL_TIMEOUT = timedelta(seconds=60)
"""A slow mail server may take half a minute to answer."""

MAIL_RETRY = RetryPolicy(initial_interval=timedelta(seconds=1), maximum_interval=timedelta(minutes=5))
"""Soon after a short failure, every five minutes in an outage."""

GENERATE_TIMEOUT = timedelta(minutes=10)
"""A hundred pages take under a second; the rest is for slow storage and a queue in the process pool."""

HEARTBEAT = timedelta(seconds=15)
"""The time in which a worker's death during a mail or a document is detected."""

GENERATE_RETRY = RetryPolicy(initial_interval=timedelta(seconds=1), maximum_interval=timedelta(minutes=1))
"""Recipients wait for their copy."""

AUGMENT_RETRY = RetryPolicy(initial_interval=timedelta(seconds=5), maximum_interval=timedelta(minutes=15))
"""The documents are published already. A timestamp authority that is down for a day is asked about a hundred times."""

RECEIPT_TIMEOUT = timedelta(seconds=30)
"""One signature and one transaction."""

ERASE_TIMEOUT = timedelta(minutes=5)
"""Deleting some hundreds of objects one after another."""

IN_FLIGHT_GRACE = timedelta(minutes=2)
"""Longer than any request: a request that read the session before its deletion may still store an object."""

ERASE_RETRY = RetryPolicy(initial_interval=timedelta(seconds=1), maximum_interval=timedelta(minutes=10))
"""No caller waits, and it must succeed."""

DELETION_MAILS_TIMEOUT = timedelta(minutes=10)
"""A hundred recipients, one after another, on a slow mail server."""

DELETION_MAILS_LIMIT = timedelta(days=1)
"""An outage of the mail server that lasts longer does not keep addresses from being erased."""

ROWS_TIMEOUT = timedelta(minutes=10)
"""Rows of five seconds, on a machine that has other work."""

ROWS_RETRY = RetryPolicy(initial_interval=timedelta(seconds=1), maximum_interval=timedelta(minutes=1))
"""For a dependency that is down: the batch waits for it."""

DELIVER_TIMEOUT = timedelta(seconds=45)
"""An attempt takes 15 s at most; the rest is for a slow database that stores its result."""

DELIVER_RETRY = RetryPolicy(initial_interval=timedelta(seconds=1), maximum_interval=timedelta(minutes=1))
"""For a database or a worker that is down. After an attempt that the receiver failed, the activity sets the delay."""


async def record_and_send(request: RecordAndSendRequest, summary: str) -> RecordedAndSent:
    """Returns when the session is recorded and its emails are sent, or one of these has failed."""
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
    """Returns when the session is recorded."""
    await workflow.execute_activity(
        interface.record_session,
        request,
        start_to_close_timeout=RECORD_TIMEOUT,
        retry_policy=RECORD_RETRY,
        cancellation_type=FINISH_BEFORE_CANCEL,
        summary=summary,
    )


async def generate(session: Session, file: SessionFile) -> GeneratedDocument:
    """Returns when the signed PDF is stored."""
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
    """Returns when the seal is augmented as far as possible now."""
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
    """Returns None when the mail was sent, or the mail server's response when it was permanently rejected."""
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
