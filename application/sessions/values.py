"""What recipients entered, for programs that may read it."""

from application.services import Services
from application.sessions.download import record_copies
from domain.audit.events import AuditContext
from domain.session.downloads import values_item
from domain.session.session import Session
from schemas.values import FileValuesRead, ValuesRead
from stamping import inputs


async def read_values(services: Services, session: Session, audit: AuditContext) -> ValuesRead:
    """The values of all recipients who have signed, in the order of the documents.

    The first time that the actor of `audit` gets those of a recipient is an event, which is recorded before.

    Raises:
        Unavailable: the event cannot be recorded now.
    """
    signed = [person for person in session.recipients if person.submission is not None]
    await record_copies(services, session, [values_item(person.recipient_id) for person in signed], audit)
    files = await inputs.read_values(services.objects.get, session, signed)
    return ValuesRead(
        session_id=session.session_id,
        session_status=session.status,
        files=tuple(FileValuesRead.model_validate(file.facts()) for file in files),
    )
