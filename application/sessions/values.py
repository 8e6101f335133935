"""Reads the values that recipients entered."""

from application.services import Services
from application.sessions.download import record_access
from domain.audit.events import AuditContext
from domain.session.downloads import values_item
from domain.session.session import Session
from schemas.values import FileValuesRead, ValuesRead
from stamping import inputs


async def read_values(services: Services, session: Session, audit: AuditContext) -> ValuesRead:
    """Returns the values of all recipients who have signed, in the order of the documents.

    The first read of a recipient's values by the actor of `audit` is recorded as an event before.

    Raises:
        Unavailable: the event cannot be recorded now.
    """
    signed = [person for person in session.recipients if person.submission is not None]
    await record_access(services, session, [values_item(person.recipient_id) for person in signed], audit)
    files = await inputs.read_values(services.objects.get, session, signed)
    return ValuesRead(
        session_id=session.session_id,
        session_status=session.status,
        files=tuple(FileValuesRead.model_validate(file.facts()) for file in files),
    )
