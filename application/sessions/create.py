"""Creates a session. The whole request is checked before any object is stored (Specification 4.6)."""

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID, uuid5

import rfc8785
import structlog

from application.caller import Caller, get_organisation
from application.charge_sending_limit import invitations_of, spend
from application.documents.collect_issues import misplaced_placeholders, signer_keys, with_role_issues
from application.documents.render_jobs import RenderedDocument, render_document, undrawable_names
from application.errors import DocumentValidationFailed, InvalidRequest, RequestIssue
from application.idempotency import Attempt
from application.schemas.errors import FiledIssue
from application.schemas.previews import WarningRead
from application.schemas.session_create import (
    AnyFile,
    FileCreate,
    RecipientCreate,
    SessionCreate,
    SessionSettings,
    UploadedFileCreate,
)
from application.scopes import Scope
from application.services import Services, SessionServices
from application.sessions.organisation_actions import find_sending_user, find_user_as_sender
from application.uploads.session_copies import (
    ShownImage,
    copy_file,
    copy_images,
    find_files,
    find_images,
    image_files,
    images_of,
    missing_files,
    use_files,
)
from domain.ports.database import Organisation
from domain.ports.object_store import ObjectStore
from domain.ports.uploads import UploadKind
from domain.session.labels import ExternalIdTaken
from domain.session.recipients import AddressedRecipient, Recipient
from domain.session.sender import Sender
from domain.session.session import Session, SessionDraft, SessionFile
from domain.shared.errors import SessionNotFound
from domain.shared.file_names import free_name, safe_file_name
from domain.shared.frozen_model import members_of
from domain.shared.ids import FileId, OrganisationId, RecipientId, SessionId
from domain.shared.object_names import rendered_name, session_prefix, source_name, zones_name
from domain.texts.code_points import named
from layout.geometry import MAX_PAGES
from layout.schema.block_document import BlockDocument, SignatureBlock
from layout.schema.issues import WarningKind
from layout.zone import ZONES

NO_VALUES = f"This needs a token with the scope {Scope.READ_VALUES}. Get one, or leave this out."


class CreatedSession(NamedTuple):
    """A created session, and the warnings about its documents."""

    session: Session
    warnings: tuple[WarningRead, ...]


class RenderedFile(NamedTuple):
    """A valid block document of the request, rendered, with its images by file id."""

    request: FileCreate
    rendered: RenderedDocument
    pdf: bytes
    images: Mapping[str, ShownImage]


class CheckedSession(NamedTuple):
    """A valid request: the organisation, and the rendered documents by number of file (from 0)."""

    organisation: Organisation
    rendered: Mapping[int, RenderedFile]


@dataclass(frozen=True, slots=True)
class DocumentSource:
    """The source of the documents of a new session.

    `files` is the JSON pointer of the files in the request or template, and `place` the JSON pointer of a document,
    with `{}` for the number of its file. `is_filled`: the documents come from a template with variables substituted,
    and placeholders are plain text. `recipients` are JSON pointers, set if the request orders recipients differently.
    """

    files: str
    place: str
    is_filled: bool
    recipients: tuple[str, ...] = ()

    def name_of(self, number: int) -> str:
        """Returns the JSON pointer of the name of recipient `number` (from 0)."""
        place = self.recipients[number] if self.recipients else f"/recipients/{number}"
        return place if place == "/recipients" else f"{place}/name"


POSTED = DocumentSource("/files", "/files/{}/document", is_filled=False)
"""The request that creates the session contains the documents."""

TEMPLATE = DocumentSource("/document", "/document", is_filled=True)
"""The document comes from a template. Issues point into the template as Get Template returns it."""


async def create_session(
    services: Services, caller: Caller, request: SessionCreate, attempt: Attempt, origin: DocumentSource = POSTED
) -> CreatedSession:
    """Creates the session of `request`, sends it if `send_immediately` is set, and returns it with its warnings.

    All identifiers derive from the attempt, so a repeated attempt stores the same objects and finds the same session.
    Objects remain if the session could not be stored, since the response of the database may have been lost.

    Raises:
        InvalidRequest: unprintable texts, missing PDFs, too large images, or no scope for values in callbacks.
        DocumentValidationFailed: the issues of all documents.
        RecipientBudgetSpent, RecipientDomainNotAllowed: the client exceeds its sending limits.
        ExternalIdTaken: another session has the unique external id.
        SessionNotFound: the session of an earlier attempt was deleted permanently.
        DatabaseUnavailable: the session cannot be stored.
    """
    organisation_id, session_id = caller.organisation_id, attempt.session_id
    if attempt.is_repeated and (existing := await _find_existing(services, organisation_id, session_id)):
        same = _in_language(request, existing.language)
        return CreatedSession(existing, await _warnings_of_existing(services, organisation_id, same, origin))
    checked = await check_session(services, caller, request, origin)
    structlog.contextvars.bind_contextvars(session_id=session_id)
    if request.send_immediately:
        await spend(services, caller.audit, invitations_of(session_id, [r.email for r in request.recipients]))
    session = await store_session(services, caller, request, session_id, checked)
    return CreatedSession(session, warnings_of(checked.rendered, request, origin))


async def store_session(
    services: SessionServices, caller: Caller, request: SessionCreate, session_id: SessionId, checked: CheckedSession
) -> Session:
    """Stores the session of `request`, which was `checked` and charged, and sends it if `send_immediately` is set.

    Returns an existing session of that id unchanged. Raises the errors of `create_session`.
    """
    organisation_id, (organisation, rendered) = caller.organisation_id, checked
    requested = _uploaded(request)
    uploaded = await use_files(services, caller, session_id, requested)
    images = {image_id for file in rendered.values() for image_id in file.images}
    await services.uploads.use(UploadKind.IMAGE, organisation_id, images, session_id, caller.audit.at)
    prefix = session_prefix(organisation_id, session_id)
    ids = [FileId(part_id(session_id, "file", number)) for number in range(len(request.files))]
    stored = await asyncio.gather(
        *(_store(services.objects, prefix, ids[number], file) for number, file in rendered.items())
    )
    files = dict(zip(rendered, stored, strict=True))
    for number, file in uploaded.items():  # sequential, since each file may have 7 MB
        files[number] = await copy_file(services.objects, prefix, ids[number], requested[number], file)
    settings = {
        name: getattr(request, name) for name in SessionSettings.model_fields if name in SessionDraft.model_fields
    }
    user_id = await find_sending_user(services, caller.audit)
    sender = Sender(**dict(request.sender)) if request.sender else await find_user_as_sender(services, user_id)
    draft = SessionDraft(
        **{**settings, "language": request.language or organisation.language, "sender": sender},
        created_by=user_id,
        session_id=session_id,
        organisation_id=organisation_id,
        organisation_name=organisation.name,
        name=request.name,
        files=_with_names_of_their_own([files[number] for number in range(len(ids))]),
        recipients=tuple(_recipient(session_id, position, r) for position, r in enumerate(request.recipients, start=1)),
        sender_email=services.sender_email,
        completion_mails=services.completion_mails,
    )
    created = Session.create(draft, caller.audit)
    send = caller.audit if request.send_immediately else None
    return await services.sessions.create(created, send, user_id if send else None)


async def check_session(
    services: SessionServices, caller: Caller, request: SessionCreate, origin: DocumentSource = POSTED
) -> CheckedSession:
    """Returns the organisation and the rendered documents of `request`. Stores nothing.

    Raises the errors of `create_session`, except those of sending limits.
    """
    organisation = await _check_caller(services, caller, request)
    request = _in_language(request, organisation.language)
    requested = _uploaded(request)
    found = await find_files(services, caller.organisation_id, requested)
    rendered = await _render(services, caller.organisation_id, request, origin, missing_files(requested, found))
    pages = [*(file.rendered.page_count for file in rendered.values()), *(file.page_count for file in found.values())]
    if sum(pages) > MAX_PAGES:
        message = f"The documents have {sum(pages):,} pages together. A session has at most {MAX_PAGES:,}: divide it."
        raise InvalidRequest([RequestIssue("/files", message)])
    return CheckedSession(organisation, rendered)


def _in_language(request: SessionCreate, default: str | None) -> SessionCreate:
    """Returns the request; its documents that name no language are in that of the session, else in `default`."""
    language = request.language or default

    def localised(file: AnyFile) -> AnyFile:
        if not isinstance(file, FileCreate):
            return file
        return file.model_copy(update={"document": file.document.in_language(language)})

    return request.model_copy(update={"files": tuple(map(localised, request.files))})


def _uploaded(request: SessionCreate) -> dict[int, UploadedFileCreate]:
    return {number: file for number, file in enumerate(request.files) if isinstance(file, UploadedFileCreate)}


async def _find_existing(
    services: SessionServices, organisation_id: OrganisationId, session_id: SessionId
) -> Session | None:
    """Returns the session of an earlier attempt, None if there is none. Raises `SessionNotFound` if it was deleted."""
    if await services.rows.is_erased(organisation_id, session_id):
        raise SessionNotFound
    return await services.rows.find(organisation_id, session_id)


async def _warnings_of_existing(
    services: Services, organisation_id: OrganisationId, request: SessionCreate, origin: DocumentSource
) -> tuple[WarningRead, ...]:
    """Returns the warnings of an existing session; none if its documents now have issues."""
    try:
        return warnings_of(await _render(services, organisation_id, request, origin), request, origin)
    except (InvalidRequest, DocumentValidationFailed):
        return ()


def warnings_of(
    rendered: Mapping[int, RenderedFile], request: SessionCreate, origin: DocumentSource = POSTED
) -> tuple[WarningRead, ...]:
    """Returns the warnings of all documents. A recipient without a signature block in any document is reported once."""
    return tuple(_warnings(rendered, request, origin))


def _warnings(
    rendered: Mapping[int, RenderedFile], request: SessionCreate, origin: DocumentSource
) -> Iterator[WarningRead]:
    signers = {number: _signers(file.request.document) for number, file in rendered.items()}
    first = min(rendered)
    for number, file in rendered.items():
        unnamed = (key for key in signer_keys(request.recipients) if key not in signers[number])
        for warning in file.rendered.warnings:
            if warning.kind is WarningKind.NO_SIGNATURE_BLOCK:
                key = next(unnamed)  # the engine reports them in this order
                if number != first or any(key in named for named in signers.values()):
                    continue
            yield WarningRead.from_warning(warning, origin.place.format(number))


def _signers(document: BlockDocument) -> set[str]:
    return {part.recipient for _, part in document.bound() if isinstance(part, SignatureBlock)}


async def _check_caller(services: SessionServices, caller: Caller, request: SessionCreate) -> Organisation:
    """Returns the organisation. Raises `Unauthorized`, `InvalidRequest` without a scope, or `ExternalIdTaken`.

    The database checks the external id again when it stores the session.
    """
    organisation = await get_organisation(services.organisations, caller)
    if request.callback_values and Scope.READ_VALUES not in caller.scopes:
        raise InvalidRequest([RequestIssue("/callbackValues", NO_VALUES)])
    if request.external_id is not None and request.external_id_unique:
        holder = await services.rows.find_external_id(caller.organisation_id, request.external_id)
        if holder is not None:
            raise ExternalIdTaken(holder)
    return organisation


async def _render(
    services: SessionServices,
    organisation_id: OrganisationId,
    request: SessionCreate,
    origin: DocumentSource,
    missing: Sequence[RequestIssue] = (),
) -> dict[int, RenderedFile]:
    """Renders all documents, by number of file (from 0). Raises `InvalidRequest` or `DocumentValidationFailed`.

    `missing` are the issues of uploaded PDFs.
    """
    blocks = {number: file for number, file in enumerate(request.files) if isinstance(file, FileCreate)}
    images = await find_images(services, organisation_id, [file.document for file in blocks.values()], origin.files)
    names = tuple(recipient.name for recipient in request.recipients)

    async def render(document: BlockDocument) -> RenderedDocument:
        keys, files = signer_keys(request.recipients), image_files(document, images)
        result = await services.pool.run(render_document, document, keys, files, None, origin.is_filled)
        return with_role_issues(result, document, request.recipients)

    unprintable, results = await asyncio.gather(
        services.pool.run(undrawable_names, names), asyncio.gather(*(render(file.document) for file in blocks.values()))
    )
    rendered = dict(zip(blocks, results, strict=True))
    texts = [(origin.name_of(number), characters) for number, characters in enumerate(unprintable) if characters]
    texts += [
        (f"{origin.place.format(number)}{path}", characters)
        for number, result in rendered.items()
        for path, characters in result.undrawable
    ]
    refuse_unprintable(texts, missing)
    issues = [
        FiledIssue(number, f"{origin.place.format(number)}{issue.path}", issue)
        for number, result in rendered.items()
        for issue in result.issues
    ]
    if not origin.is_filled:
        issues += misplaced_placeholders(request.recipients, None)
    if issues:
        raise DocumentValidationFailed(issues)
    return {
        number: RenderedFile(file, rendered[number], _pdf(rendered[number]), images_of(file.document, images))
        for number, file in blocks.items()
    }


def _pdf(rendered: RenderedDocument) -> bytes:
    if rendered.pdf is None:
        raise RuntimeError("the engine returned neither issues nor a PDF for a document")
    return rendered.pdf


def refuse_unprintable(found: Iterable[tuple[str, str]], others: Sequence[RequestIssue] = ()) -> None:
    """Raises `InvalidRequest` if there are issues in `others` or pairs in `found` (JSON pointer, unprintable text)."""
    message = "Replace these characters, which cannot be printed:"
    issues = [RequestIssue(path, f"{message} {named(characters)}.") for path, characters in found]
    if others or issues:
        raise InvalidRequest([*others, *issues])


def _with_names_of_their_own(files: Sequence[SessionFile]) -> tuple[SessionFile, ...]:
    """Returns the files; equal names get a number, so that a client can save all of them in one folder."""
    taken: set[str] = set()
    return tuple(file.model_copy(update={"file_name": free_name(file.file_name, taken)}) for file in files)


async def _store(objects: ObjectStore, prefix: str, file_id: FileId, document: RenderedFile) -> SessionFile:
    """Stores the source, zones, PDF and images of one file. Returns the file with references to these objects."""
    source_json, zones_json = canonical(document.request.document), ZONES.dump_json(document.rendered.zones)
    source, zones, rendered, images = await asyncio.gather(
        objects.put(source_name(prefix, file_id, source_json), source_json, "application/json"),
        objects.put(zones_name(prefix, file_id, zones_json), zones_json, "application/json"),
        objects.put(rendered_name(prefix, file_id, document.pdf), document.pdf, "application/pdf"),
        copy_images(objects, prefix, file_id, document.images),
    )
    title = document.request.document.title
    return SessionFile(
        file_id=file_id,
        file_name=document.request.file_name or safe_file_name(title),
        title=title,
        page_count=document.rendered.page_count,
        source=source,
        zones=zones,
        rendered=rendered,
        images=images,
    )


def canonical(document: BlockDocument) -> bytes:
    """Returns the document as canonical JSON (RFC 8785), without the members that the request omitted."""
    return rfc8785.dumps(document.model_dump(mode="json", by_alias=True, exclude_unset=True))


def part_id(session_id: SessionId, kind: str, number: int) -> str:
    """Returns the id of the file or recipient `number`; it is the same in every attempt."""
    return str(uuid5(UUID(session_id), f"{kind} {number}"))


def _recipient(session_id: SessionId, position: int, request: RecipientCreate) -> Recipient:
    return Recipient(
        recipient_id=RecipientId(part_id(session_id, "recipient", position)),
        **{**members_of(AddressedRecipient, request), "signing_order": request.signing_order or position},
    )
