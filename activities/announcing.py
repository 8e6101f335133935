"""What activities need to have callbacks delivered."""

import asyncio
from collections.abc import Collection, Iterable
from typing import Protocol

from domain.callbacks import Callback, receiver_of
from domain.deliveries import Delivery
from domain.ids import OrganisationId, SessionId


class Beginning(Protocol):
    """Begins deliveries."""

    async def begin(self, delivery: Delivery) -> None:
        """Has the callback delivered. Durable when this returns; a second time has no effect."""
        ...


class Health(Protocol):
    """Knows which receivers fail."""

    async def failing(self, organisation_id: OrganisationId, receivers: Collection[str]) -> frozenset[str]:
        """Those of the receivers whose last try failed."""
        ...


async def announce(
    deliveries: Beginning,
    session: tuple[OrganisationId, SessionId],
    callbacks: Iterable[Callback],
    failing: Collection[str] = (),
) -> None:
    """Begins the delivery of callbacks of that session that are in the database, all at once: the session waits."""
    receivers = ((callback, receiver_of(callback.url)) for callback in callbacks)
    beginning = (
        Delivery(
            organisation_id=session[0],
            session_id=session[1],
            event_id=callback.event_id,
            receiver=receiver,
            is_failing=receiver in failing,
        )
        for callback, receiver in receivers
    )
    await asyncio.gather(*map(deliveries.begin, beginning))
