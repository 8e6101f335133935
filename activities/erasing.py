"""Erasing: nothing but a tombstone remains of a session."""

from temporalio import activity

from activities.interface import EraseRequest
from adapters.database.port import SessionRows
from adapters.object_store.port import ObjectStore
from domain.objects import session_prefix


class Erasing:
    """Deletes rows first, so that the session is out of sight, then objects."""

    def __init__(self, rows: SessionRows, objects: ObjectStore) -> None:
        self._rows = rows
        self._objects = objects

    @activity.defn
    async def erase_session(self, request: EraseRequest) -> None:
        """See `interface.erase_session`."""
        await self._rows.erase(request.organisation_id, request.session_id, request.erased_at)
        await self._objects.delete_prefix(session_prefix(request.organisation_id, request.session_id))
