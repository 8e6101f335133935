"""Maps the pending activities of a run that have failed to the retries of a session.

`workflows.client.runs` asks Temporal for them.
"""

from collections.abc import Iterable
from datetime import UTC, datetime

from temporalio.api.enums.v1 import PendingActivityState
from temporalio.api.failure.v1 import Failure
from temporalio.api.workflow.v1 import PendingActivityInfo
from temporalio.converter import DataConverter
from temporalio.exceptions import FailureError

from domain.session.waiting_for import RetryStatus, SideEffect

_EFFECTS = {
    "send_invitation": SideEffect.INVITATION,
    "send_reminder": SideEffect.REMINDER,
    "send_outcome_mail": SideEffect.NOTICE,
    "generate_document": SideEffect.DOCUMENT,
    "augment_seal": SideEffect.SEAL,
}

_WRITTEN_FOR_READERS = frozenset(
    {
        "",
        "EvidenceFailed",
        "MailNotSent",
        "NotWhole",
        "ObjectConflict",
        "ObjectDamaged",
        "ObjectMissing",
        "NotSealable",
        "ProcessDied",
        "SealKeyFailed",
        "SealNotValid",
        "StoreUnwritable",
        "TimestampsFailed",
    }
)
"""Error types whose messages this project writes.

Messages of other errors may contain personal data, so only their type is shown.
"""

MAX_ERROR = 200
"""Maximum characters of an error message."""


async def retries_among(pending: Iterable[PendingActivityInfo], converter: DataConverter) -> tuple[RetryStatus, ...]:
    """Returns the pending activities that have failed and that a session waits for. Raises `PayloadUnreadable`."""
    return tuple(
        [
            RetryStatus(
                effect=_EFFECTS[activity.activity_type.name],
                failed=activity.attempt - 1,
                error=_describe(activity.last_failure, await _message(activity.last_failure, converter)),
                next_at=_next_attempt(activity),
            )
            for activity in pending
            if activity.activity_type.name in _EFFECTS and activity.attempt > 1 and activity.HasField("last_failure")
        ]
    )


async def _message(failure: Failure, converter: DataConverter) -> str:
    if not failure.HasField("encoded_attributes"):
        return failure.message
    decoded = await converter.decode_failure(failure)
    return decoded.message if isinstance(decoded, FailureError) else ""


def _describe(failure: Failure, message: str) -> str:
    if failure.HasField("timeout_failure_info"):
        return "it took too long, or its worker ended"
    kind = failure.application_failure_info.type
    if kind in _WRITTEN_FOR_READERS and message:
        return " ".join(message.split())[:MAX_ERROR]
    return f"an unexpected error ({kind or 'unnamed'}); the log of the worker says more"


def _next_attempt(activity: PendingActivityInfo) -> datetime | None:
    if activity.state != PendingActivityState.PENDING_ACTIVITY_STATE_SCHEDULED:
        return None
    known = activity.HasField("next_attempt_schedule_time")
    at = activity.next_attempt_schedule_time if known else activity.scheduled_time
    return at.ToDatetime(tzinfo=UTC) if at.seconds else None
