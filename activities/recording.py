"""Recording: the projection of a session in the database, written and read."""

from temporalio import activity

from activities.announcing import Beginning, Health, announce
from activities.interface import LoadedSession, LoadRequest, RecordRequest
from adapters.database.port import SessionRows
from domain.callbacks import receiver_of


class Recording:
    """Writes what the workflow decided. The rows refuse to go back in time, so late tries do no harm."""

    def __init__(self, rows: SessionRows, deliveries: Beginning, health: Health) -> None:
        self._rows = rows
        self._deliveries = deliveries
        self._health = health

    @activity.defn
    async def record_session(self, request: RecordRequest) -> None:
        """See `interface.record_session`."""
        session = request.session
        await self._rows.record(session, request.events, request.callbacks)
        if not request.callbacks:
            return
        receivers = {receiver_of(callback.url) for callback in request.callbacks}
        failing = await self._health.failing(session.organisation_id, receivers)
        await announce(self._deliveries, (session.organisation_id, session.session_id), request.callbacks, failing)

    @activity.defn
    async def load_session(self, request: LoadRequest) -> LoadedSession:
        """See `interface.load_session`."""
        return LoadedSession(session=await self._rows.find(request.organisation_id, request.session_id))
