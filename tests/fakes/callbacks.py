"""The log of callbacks and the feed in memory, as far as the API reads them."""

from collections.abc import Sequence
from datetime import datetime

from adapters.database.callback_port import FeedEvent, Outgoing, PausedReceiver, Tried
from domain.deliveries import Delivery, LoggedCallback
from domain.ids import EventId, OrganisationId, SessionId
from tests.fakes.database import MemorySessionRows


class MemoryCallbacks:
    """Keeps `Callbacks` for readers of the log; what deliveries write is for the real database to keep."""

    def __init__(self) -> None:
        self.logged: dict[tuple[OrganisationId, SessionId], tuple[LoggedCallback, ...]] = {}
        self.pauses: dict[tuple[OrganisationId, str], PausedReceiver] = {}
        self.held: list[Delivery] = []

    async def log(self, organisation_id: OrganisationId, session_id: SessionId) -> tuple[LoggedCallback, ...]:
        return self.logged.get((organisation_id, session_id), ())

    async def find(self, organisation_id: OrganisationId, event_id: EventId) -> Outgoing | None:
        raise NotImplementedError

    async def hold(self, delivery: Delivery) -> None:
        raise NotImplementedError

    async def suspect(self, delivery: Delivery, at: datetime) -> None:
        raise NotImplementedError

    async def keep_attempt(self, tried: Tried) -> datetime | None:
        raise NotImplementedError

    async def paused(self, organisation_id: OrganisationId) -> tuple[PausedReceiver, ...]:
        return tuple(paused for (owner, _), paused in sorted(self.pauses.items()) if owner == organisation_id)

    async def resume(self, organisation_id: OrganisationId, receiver: str | None = None) -> Sequence[Delivery]:
        ended = [key for key in self.pauses if key[0] == organisation_id and receiver in (None, key[1])]
        for key in ended:
            del self.pauses[key]
        return [delivery for delivery in self.held if (organisation_id, delivery.receiver) in ended]


class MemoryFeed:
    """Keeps `Feed`: the histories of all sessions one after another."""

    def __init__(self, rows: MemorySessionRows) -> None:
        self._rows = rows

    async def after(self, organisation_id: OrganisationId, position: int, limit: int) -> tuple[FeedEvent, ...]:
        histories = ((key, events) for key, events in self._rows.history.items() if key[0] == organisation_id)
        found = [(key[1], events[number]) for key, events in histories for number in sorted(events)]
        numbered = [FeedEvent(place, session, event) for place, (session, event) in enumerate(found, start=1)]
        return tuple(numbered[position : position + limit])
