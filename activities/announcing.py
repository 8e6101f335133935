"""What activities need to have callbacks delivered."""

from collections.abc import Iterable
from typing import Protocol

from domain.callbacks import Callback, receiver_of
from domain.deliveries import Delivery
from domain.ids import OrganisationId, SessionId


class Beginning(Protocol):
    """Begins deliveries."""

    async def begin(self, delivery: Delivery) -> None:
        """Has the callback delivered. Durable when this returns; a second time has no effect."""
        ...


async def announce(
    deliveries: Beginning, organisation_id: OrganisationId, session_id: SessionId, callbacks: Iterable[Callback]
) -> None:
    """Begins the delivery of callbacks that are in the database."""
    for callback in callbacks:
        await deliveries.begin(
            Delivery(
                organisation_id=organisation_id,
                session_id=session_id,
                event_id=callback.event_id,
                receiver=receiver_of(callback.url),
            )
        )
