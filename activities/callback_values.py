"""What recipients entered, put into the callbacks whose clients asked for it: for each try, and kept nowhere."""

from dataclasses import dataclass

from domain.callbacks.callback import signer_of, with_values
from domain.callbacks.delivery import Delivery
from ports.database import SessionRows
from ports.object_store import ObjectStore
from stamping.inputs import read_values


@dataclass(frozen=True, slots=True)
class CallbackValues:
    """Completes bodies of callbacks, from the submissions in the object store."""

    rows: SessionRows
    objects: ObjectStore

    async def complete(self, delivery: Delivery, body: str) -> str | None:
        """`body` with the values that belong into it, the same at every try; None if the session was erased.

        Raises:
            DatabaseUnavailable, ObjectStoreError: they cannot be read now.
        """
        recipient_id = signer_of(delivery.type, body)
        if recipient_id is None:
            return body
        session = await self.rows.find(delivery.organisation_id, delivery.session_id)
        if session is None:
            return None
        return with_values(body, await read_values(self.objects.get, session, [session.recipient(recipient_id)]))
