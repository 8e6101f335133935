"""Callbacks in the log of a session, as deliveries leave them."""

from adapters.database.tables.callbacks import CallbackAttemptRow, CallbackReceiverRow, CallbackRow
from domain.callbacks.callback import CallbackStatus
from domain.callbacks.delivery_schedule import CallbackLogEntry
from domain.shared.ids import EventId, OrganisationId
from tests.builders import NOON
from tests.databases import MemoryDatabase


def held_callback(event: EventId, receiver: str) -> CallbackLogEntry:
    """A callback that is held since noon, when its receiver was paused."""
    return CallbackLogEntry(
        event_id=event,
        type="session.sent",
        receiver=receiver,
        status=CallbackStatus.PENDING,
        attempts=(),
        next_attempt_at=None,
        paused_since=NOON,
    )


async def keep_log(
    database: MemoryDatabase, owner: OrganisationId, session_id: str, *callbacks: CallbackLogEntry
) -> None:
    """The session of `owner` has these callbacks, in that order; a receiver that is paused has failed since then."""
    for sequence, callback in enumerate(callbacks, 1):
        await database.add(
            CallbackRow(
                organisation_id=owner,
                event_id=callback.event_id,
                session_id=session_id,
                sequence=sequence,
                type=callback.type,
                url=f"{callback.receiver}/",
                receiver=callback.receiver,
                body="{}",
                status=callback.status.value,
                next_attempt_at=callback.next_attempt_at,
                is_held=callback.paused_since is not None,
            )
        )
        for number, attempt in enumerate(callback.attempts, 1):
            await database.add(
                CallbackAttemptRow(
                    organisation_id=owner,
                    event_id=callback.event_id,
                    run_id="run",
                    number=number,
                    session_id=session_id,
                    at=attempt.at,
                    status_code=attempt.status_code,
                    error=attempt.error,
                    duration_ms=attempt.duration_ms,
                )
            )
    paused = {callback.receiver: callback.paused_since for callback in callbacks if callback.paused_since is not None}
    for receiver, since in paused.items():
        await database.add(
            CallbackReceiverRow(
                organisation_id=owner,
                receiver=receiver,
                failing_since=since,
                last_failed_at=since,
                paused_since=since,
            )
        )
