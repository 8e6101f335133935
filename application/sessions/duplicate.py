"""Duplicates a session as a draft: its documents, recipients and settings, without values and signatures."""

from collections.abc import Callable

from application.caller import Caller, get_organisation
from application.idempotency import Attempt
from application.schemas.session_create import SessionSettings
from application.scopes import Scope
from application.services import Services
from application.sessions.create import part_id
from application.sessions.organisation_actions import find_sending_user, find_user_as_sender
from application.uploads.session_copies import copy_images_of
from domain.ports.object_store import ObjectStore
from domain.session.recipients import AddressedRecipient, Recipient
from domain.session.session import Session, SessionDraft, SessionFile
from domain.shared.errors import SessionNotFound
from domain.shared.frozen_model import members_of
from domain.shared.ids import FileId, RecipientId, SessionId
from domain.shared.object_names import ObjectReference, rendered_name, session_prefix, source_name, zones_name

_Naming = Callable[[str, FileId, bytes], str]
"""Returns the name of an object for a prefix, the id of its file, and its content."""

_OWN = {"send_immediately", "external_id", "external_id_unique"}
"""Settings that a copy does not take over."""


async def duplicate_session(services: Services, caller: Caller, session: Session, attempt: Attempt) -> Session:
    """Creates a draft with the documents, recipients and settings of `session`, and returns it.

    The documents are copied as they were sent, so they look the same. The copy has no external id, and callbacks with
    values only if the caller may read values. A repeated attempt returns the existing draft.

    Raises `Unauthorized` if the organisation does not exist, or `SessionNotFound` if an earlier copy was deleted.
    """
    organisation = await get_organisation(services.organisations, caller)
    session_id = attempt.session_id
    if attempt.is_repeated:
        if await services.rows.is_erased(caller.organisation_id, session_id):
            raise SessionNotFound
        if existing := await services.rows.find(caller.organisation_id, session_id):
            return existing
    prefix = session_prefix(caller.organisation_id, session_id)
    files = [  # sequential, since each file may have 7 MB
        await _copy_file(services.objects, prefix, part_id(session_id, "file", number), file)
        for number, file in enumerate(session.files)
    ]
    settings = {name: getattr(session, name) for name in SessionSettings.model_fields.keys() - _OWN}
    user_id = await find_sending_user(services, caller.audit)
    settings["sender"] = await find_user_as_sender(services, user_id) or session.sender
    settings["callback_values"] = session.callback_values and Scope.READ_VALUES in caller.scopes
    draft = SessionDraft(
        **settings,
        created_by=user_id,
        session_id=session_id,
        organisation_id=session.organisation_id,
        organisation_name=organisation.name,
        name=session.name,
        files=tuple(files),
        recipients=tuple(_without_progress(session_id, n, r) for n, r in enumerate(session.recipients, start=1)),
        sender_email=services.sender_email,
        completion_mails=services.completion_mails,
    )
    return await services.sessions.create(Session.create(draft, caller.audit))


def _without_progress(session_id: SessionId, position: int, recipient: Recipient) -> Recipient:
    return Recipient(
        recipient_id=RecipientId(part_id(session_id, "recipient", position)),
        **members_of(AddressedRecipient, recipient),
    )


async def _copy_file(objects: ObjectStore, prefix: str, new_id: str, file: SessionFile) -> SessionFile:
    """Copies the objects of one file as it was sent, under the `prefix` of another session."""
    file_id = FileId(new_id)

    async def copy(name: _Naming, reference: ObjectReference, media_type: str) -> ObjectReference:
        content = await objects.get(reference)
        return await objects.put(name(prefix, file_id, content), content, media_type)

    return SessionFile(
        type=file.type,
        file_id=file_id,
        file_name=file.file_name,
        title=file.title,
        page_count=file.page_count,
        source=file.source and await copy(source_name, file.source, "application/json"),
        zones=file.zones and await copy(zones_name, file.zones, "application/json"),
        rendered=await copy(rendered_name, file.rendered, "application/pdf"),
        images=await copy_images_of(objects, prefix, file_id, file),
    )
