"""Sending one mail from a workflow: until it has left, or was refused for good."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from temporalio import workflow
from temporalio.exceptions import ActivityError, ApplicationError

from activities.interface import MAIL_REJECTED
from workflows.session import activity_options

T = TypeVar("T")


async def send_mail(send: Callable[[T], Awaitable[None]], request: T, summary: str) -> str | None:
    """Returns when the mail has left (None) or the mail server refused it for good: then with its answer."""
    try:
        await workflow.execute_activity(
            send,
            request,
            start_to_close_timeout=activity_options.MAIL_TIMEOUT,
            heartbeat_timeout=activity_options.HEARTBEAT,
            retry_policy=activity_options.MAIL_RETRY,
            cancellation_type=activity_options.FINISH_BEFORE_CANCEL,
            summary=summary,
        )
    except ActivityError as error:
        if isinstance(error.cause, ApplicationError) and error.cause.type == MAIL_REJECTED:
            return error.cause.message
        raise
    return None
