"""What recipients entered, for programs that may read it."""

import asyncio

from api.downloads import record_copies
from api.pages.documents import read_inputs, read_submissions
from api.services import Services
from api.v1.schemas.values import FileValuesRead, ValueRead, ValuesRead
from domain.copies import values_of
from domain.events import Occasion
from domain.fields import FieldValue
from domain.ids import FileId
from domain.recipients import Recipient
from domain.session import Session, SessionFile
from domain.values import typed


async def read_values(services: Services, session: Session, occasion: Occasion) -> ValuesRead:
    """The values of all recipients who have signed, in the order of the documents.

    The first time that the actor of `occasion` gets those of a recipient is an event, which is recorded before.

    Raises:
        Unavailable: the event cannot be recorded now.
    """
    signed = {person.key: person for person in session.recipients if person.submission is not None}
    wanted = [values_of(person.recipient_id) for person in signed.values()]
    await record_copies(services, session, wanted, occasion)
    submissions = await read_submissions(services.objects, session)
    kept = {(value.file_id, value.name): value for content in submissions.values() for value in content.values}
    files = await asyncio.gather(*(_read_file(services, file, signed, kept) for file in session.files))
    return ValuesRead(session_id=session.session_id, session_status=session.status, files=tuple(files))


async def _read_file(
    services: Services,
    file: SessionFile,
    signed: dict[str, Recipient],
    kept: dict[tuple[FileId, str], FieldValue],
) -> FileValuesRead:
    inputs = await read_inputs(services.objects, file) if signed else ()
    return FileValuesRead(
        file_id=file.file_id,
        file_name=file.file_name,
        values=tuple(
            ValueRead.of(field, typed(field, kept[field.file_id, field.name]), signed[zone.recipient])
            for field, zone in inputs
            if zone.recipient in signed
        ),
    )
