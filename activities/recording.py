"""Recording: the projection of a session in the database, written and read."""

from temporalio import activity

from activities.announcing import Announcing
from activities.interface import LoadedSession, LoadRequest, RecordRequest
from adapters.database.port import SessionRows


class Recording:
    """Writes what the workflow decided. The rows refuse to go back in time, so late tries do no harm."""

    def __init__(self, rows: SessionRows, announcing: Announcing) -> None:
        self._rows = rows
        self._announcing = announcing

    @activity.defn
    async def record_session(self, request: RecordRequest) -> None:
        """See `interface.record_session`."""
        await self._rows.record(request.session, request.events, request.callbacks)
        if request.callbacks:
            callbacks = [callback.event_id for callback in request.callbacks]
            self._announcing.announce(request.session.organisation_id, callbacks)

    @activity.defn
    async def load_session(self, request: LoadRequest) -> LoadedSession:
        """See `interface.load_session`."""
        return LoadedSession(session=await self._rows.find(request.organisation_id, request.session_id))
