"""Redelivers callbacks on request: one of a session, or all of paused receivers."""

from datetime import UTC, datetime

from application.errors import CallbackNotFound
from domain.callbacks.callback import CallbackStatus
from domain.callbacks.delivery_schedule import CallbackLogEntry, Delivery
from domain.ports.callbacks import Callbacks, Deliveries
from domain.shared.ids import EventId, OrganisationId, SessionId
from domain.shared.times import to_milliseconds


async def redeliver(
    callbacks: Callbacks, deliveries: Deliveries, session: tuple[OrganisationId, SessionId], event_id: EventId
) -> CallbackLogEntry:
    """Delivers one callback of the session now, also a delivered or paused one, and returns it.

    Raises `CallbackNotFound` or `Unavailable`.
    """
    entry = next((entry for entry in await callbacks.log(*session) if entry.event_id == event_id), None)
    if entry is None:
        raise CallbackNotFound
    if not entry.is_first_try:
        members = {"event_id": event_id, "type": entry.type, "receiver": entry.receiver}
        await deliveries.retry_now(Delivery(organisation_id=session[0], session_id=session[1], **members))
    now = to_milliseconds(datetime.now(UTC))
    return entry.model_copy(update={"status": CallbackStatus.PENDING, "next_attempt_at": now})


async def resume(
    callbacks: Callbacks, deliveries: Deliveries, organisation_id: OrganisationId, receiver: str | None = None
) -> int:
    """Ends the pause of `receiver`, or of all receivers, and returns the number of callbacks that are delivered again.

    It can be repeated after `Unavailable`: callbacks that were not started are still paused.
    """
    paused = await callbacks.resume(organisation_id, receiver)
    for delivery in paused:
        await deliveries.retry_now(delivery)
    return len(paused)
