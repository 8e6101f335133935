"""Redelivers callbacks on request: one of a session, or all that are held for paused receivers."""

from datetime import UTC, datetime

from application.errors import CallbackNotFound
from domain.callbacks.callback import CallbackStatus
from domain.callbacks.retries_and_pauses import CallbackLogEntry, Delivery
from domain.shared.ids import EventId, OrganisationId, SessionId
from domain.shared.times import to_milliseconds
from ports.callbacks import Callbacks, Deliveries


async def redeliver(
    callbacks: Callbacks,
    deliveries: Deliveries,
    session: tuple[OrganisationId, SessionId],
    event_id: EventId,
) -> CallbackLogEntry:
    """Delivers one callback of the session now, delivered or not, paused or not, and returns it.

    Raises:
        CallbackNotFound: the session has no such callback.
        Unavailable: Temporal does not answer; ask again.
    """
    logged = await callbacks.log(*session)
    found = next((callback for callback in logged if callback.event_id == event_id), None)
    if found is None:
        raise CallbackNotFound
    if not found.is_first_try:
        named = {"event_id": event_id, "type": found.type, "receiver": found.receiver}
        await deliveries.retry_now(Delivery(organisation_id=session[0], session_id=session[1], **named))
    now = to_milliseconds(datetime.now(UTC))
    return found.model_copy(update={"status": CallbackStatus.PENDING, "next_attempt_at": now})


async def resume(
    callbacks: Callbacks, deliveries: Deliveries, organisation_id: OrganisationId, receiver: str | None = None
) -> int:
    """Ends the pause of `receiver`, or of all receivers, and returns the number of callbacks that are delivered again.

    After an interruption, call it again: callbacks that were not started are still held.

    Raises:
        Unavailable: Temporal does not answer; ask again.
    """
    held = await callbacks.resume(organisation_id, receiver)
    for delivery in held:
        await deliveries.retry_now(delivery)
    return len(held)
