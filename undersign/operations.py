"""Every operation of the API as a value: what to send, and how to read the response.

The response models are the service's own. A body is a model, a mapping with the members of the description, or JSON.
"""

import json
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Generic, Literal, TypedDict, TypeVar, Unpack
from urllib.parse import quote
from uuid import uuid4

import httpx
from pydantic import BaseModel, TypeAdapter
from pydantic.alias_generators import to_camel

from domain.shared.times import rfc3339
from schemas.callbacks import CallbackRead, CallbacksRead
from schemas.events import EventsRead, FeedRead
from schemas.previews import PreviewRead
from schemas.session_actions import DeletedSession, InvitationSent, SentSession
from schemas.session_list import SessionsRead
from schemas.session_read import DownloadEntry, DownloadsRead, SessionCreated, SessionRead
from schemas.session_update import ReminderSent
from schemas.template_read import DeletedTemplate, TemplateRead, TemplatesRead
from schemas.uploads import FileUploaded, ImageRead, UploadDeleted
from schemas.values import ValuesRead

T = TypeVar("T")
Body = BaseModel | Mapping[str, Any] | bytes

_V1 = "/api/v1"
_JSON = {"Content-Type": "application/json"}
_NOTHING: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class Operation(Generic[T]):
    """One operation of the API with its arguments. `name` is the `operationId` of the description.

    `is_repeatable`: another attempt does nothing twice, even if the first succeeded and its response was lost.
    """

    name: str
    method: str
    path: str
    read: Callable[[httpx.Response], T]
    query: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    needs_token: bool = True

    @property
    def is_repeatable(self) -> bool:
        return self.method == "GET" or "Idempotency-Key" in self.headers


class SessionFilters(TypedDict, total=False):
    """Sessions that match all filters. Times need a time zone; the end of a range is excluded."""

    status: str | Sequence[str]
    name: str
    recipient_email: str
    external_id: str
    metadata: Mapping[str, str]
    created_after: datetime
    created_before: datetime
    updated_after: datetime
    updated_before: datetime
    sort_by: Literal["createdAt", "updatedAt", "completedDate", "name"]
    sort_order: Literal["asc", "desc"]


class TemplateFilters(TypedDict, total=False):
    """Templates in one of these statuses; by default active ones."""

    status: str | Sequence[str]


def create_session(session: Body, *, idempotency_key: str | None = None) -> Operation[SessionCreated]:
    """Creates a session from block documents, as a draft or sent at once."""
    return _post_once("createSession", _at("/Session"), SessionCreated, idempotency_key, session)


def get_session(session_id: str) -> Operation[SessionRead]:
    """Returns the current state of the session."""
    return _get("getSession", _at("/Session/{}", session_id), SessionRead)


def list_sessions(*, limit: int = 50, offset: int = 0, **filters: Unpack[SessionFilters]) -> Operation[SessionsRead]:
    """Returns a page of the sessions that match `filters`; by default the last changed come first."""
    return _get("listSessions", _at("/Sessions"), SessionsRead, _query_of(filters, limit, offset))


def send_session(session_id: str, *, idempotency_key: str | None = None) -> Operation[SentSession]:
    """Sends a draft."""
    return _post_once("sendSession", _at("/Session/{}/Send", session_id), SentSession, idempotency_key)


def send_invitation(
    session_id: str,
    *,
    recipient_id: str | None = None,
    recipient_email: str | None = None,
    idempotency_key: str | None = None,
) -> Operation[InvitationSent]:
    """Sends a new invitation to one recipient, by default to the next; the earlier link stops working."""
    body = _given({"recipientId": recipient_id, "recipientEmail": recipient_email})
    return _post_once(
        "sendInvitation", _at("/Session/{}/SendInvitation", session_id), InvitationSent, idempotency_key, body
    )


def update_session(session_id: str, changes: Body, *, idempotency_key: str | None = None) -> Operation[SessionRead]:
    """Changes a draft, or expiry and reminders of a session that is open for signing."""
    return _patch_once("updateSession", _at("/Session/{}", session_id), SessionRead, idempotency_key, changes)


def update_recipient(
    session_id: str,
    recipient_id: str,
    *,
    name: str | None = None,
    email: str | None = None,
    idempotency_key: str | None = None,
) -> Operation[SessionRead]:
    """Corrects a recipient who has not signed. Another address ends the earlier link and is invited."""
    body = _given({"name": name, "email": email})
    path = _at("/Session/{}/Recipient/{}", session_id, recipient_id)
    return _patch_once("updateRecipient", path, SessionRead, idempotency_key, body)


def send_reminder(
    session_id: str,
    *,
    recipient_id: str | None = None,
    recipient_email: str | None = None,
    idempotency_key: str | None = None,
) -> Operation[ReminderSent]:
    """Reminds one recipient now, by default the next, with the link of their invitation."""
    body = _given({"recipientId": recipient_id, "recipientEmail": recipient_email})
    return _post_once("sendReminder", _at("/Session/{}/SendReminder", session_id), ReminderSent, idempotency_key, body)


def duplicate_session(session_id: str, *, idempotency_key: str | None = None) -> Operation[SessionRead]:
    """Creates a draft with the documents, recipients and settings of a session."""
    return _post_once("duplicateSession", _at("/Session/{}/Duplicate", session_id), SessionRead, idempotency_key)


def restore_session(session_id: str) -> Operation[SessionRead]:
    """Restores an archived session to its previous status."""
    return _post("restoreSession", _at("/Session/{}/Restore", session_id), SessionRead)


def delete_session(session_id: str, *, permanent: bool = False, reason: str | None = None) -> Operation[DeletedSession]:
    """Archives a session, with a reason for its recipients, or deletes it permanently."""
    operation = _delete("deleteSession", _at("/Session/{}", session_id), DeletedSession, permanent=permanent)
    return operation if reason is None else replace(operation, body=_as_json({"reason": reason}), headers=_JSON)


def list_documents(session_id: str) -> Operation[DownloadsRead]:
    """Returns the pre-signed URLs of all signed PDFs, for `download`."""
    return _get("listDocuments", _at("/Session/{}/Documents", session_id), DownloadsRead)


def get_document(session_id: str, file_id: str) -> Operation[DownloadsRead]:
    """Returns the pre-signed URL of one signed PDF."""
    return _get("getDocument", _at("/Session/{}/Document/{}", session_id, file_id), DownloadsRead)


def get_certificate(session_id: str) -> Operation[bytes]:
    """Returns the certificate of completion as a PDF."""
    return Operation("getCertificate", "GET", _at("/Session/{}/Certificate", session_id), _content)


def get_values(session_id: str) -> Operation[ValuesRead]:
    """Returns the values that signed recipients entered. Needs the scope `read:values`."""
    return _get("getValues", _at("/Session/{}/Values", session_id), ValuesRead)


def list_events(session_id: str, *, limit: int = 50, offset: int = 0) -> Operation[EventsRead]:
    """Returns a page of the session's events, oldest first."""
    return _get("listEvents", _at("/Session/{}/Events", session_id), EventsRead, _query_of({}, limit, offset))


def list_callbacks(session_id: str, *, limit: int = 50, offset: int = 0) -> Operation[CallbacksRead]:
    """Returns a page of the callbacks to the `callbackUrl`, oldest first, with every attempt."""
    return _get("listCallbacks", _at("/Session/{}/Callbacks", session_id), CallbacksRead, _query_of({}, limit, offset))


def redeliver_callback(
    session_id: str, event_id: str, *, idempotency_key: str | None = None
) -> Operation[CallbackRead]:
    """Delivers one callback now, even if it was delivered before."""
    return _post_once(
        "redeliverCallback",
        _at("/Session/{}/Callback/{}/Redeliver", session_id, event_id),
        CallbackRead,
        idempotency_key,
    )


def get_feed(*, after: str | None = None, limit: int = 50) -> Operation[FeedRead]:
    """Returns events of all sessions, oldest first, after the `cursor` of an earlier response."""
    query = {"limit": str(limit)} if after is None else {"limit": str(limit), "after": after}
    return _get("getFeed", _at("/Events"), FeedRead, query)


def create_session_from_template(session: Body, *, idempotency_key: str | None = None) -> Operation[SessionCreated]:
    """Creates a session from an active template and values for its variables."""
    return _post_once(
        "createSessionFromTemplate", _at("/SessionFromTemplate"), SessionCreated, idempotency_key, session
    )


def create_template(template: Body, *, idempotency_key: str | None = None) -> Operation[TemplateRead]:
    """Creates a template, as a draft or active at once."""
    return _post_once("createTemplate", _at("/Template"), TemplateRead, idempotency_key, template)


def get_template(template_id: str) -> Operation[TemplateRead]:
    """Returns the template."""
    return _get("getTemplate", _at("/Template/{}", template_id), TemplateRead)


def get_next_version(template_id: str) -> Operation[TemplateRead]:
    """Returns the next version of a template, which is not activated yet."""
    return _get("getNextVersion", _at("/Template/{}/NextVersion", template_id), TemplateRead)


def save_next_version(template_id: str, template: Body) -> Operation[TemplateRead]:
    """Saves the next version of a template: its whole content."""
    path, body = _at("/Template/{}/NextVersion", template_id), _as_json(template)
    return Operation("saveNextVersion", "PUT", path, _reader(TemplateRead), body=body, headers=_JSON)


def delete_next_version(template_id: str) -> Operation[TemplateRead]:
    """Deletes the next version of a template, and returns the template."""
    return _delete("deleteNextVersion", _at("/Template/{}/NextVersion", template_id), TemplateRead)


def duplicate_template(template_id: str, *, idempotency_key: str | None = None) -> Operation[TemplateRead]:
    """Creates a draft with the content of a template."""
    return _post_once("duplicateTemplate", _at("/Template/{}/Duplicate", template_id), TemplateRead, idempotency_key)


def activate_template(template_id: str) -> Operation[TemplateRead]:
    """Activates a draft, so that sessions can be created from it, or the next version of an active template."""
    return _post("activateTemplate", _at("/Template/{}/Activate", template_id), TemplateRead)


def update_template(template_id: str, name: str) -> Operation[TemplateRead]:
    """Renames a template."""
    path, body = _at("/Template/{}", template_id), _as_json({"name": name})
    return Operation("updateTemplate", "PATCH", path, _reader(TemplateRead), body=body, headers=_JSON)


def delete_template(template_id: str, *, permanent: bool = False) -> Operation[DeletedTemplate]:
    """Archives a template, or deletes it permanently."""
    return _delete("deleteTemplate", _at("/Template/{}", template_id), DeletedTemplate, permanent=permanent)


def restore_template(template_id: str) -> Operation[TemplateRead]:
    """Restores an archived template to its previous status."""
    return _post("restoreTemplate", _at("/Template/{}/Restore", template_id), TemplateRead)


def list_templates(*, limit: int = 50, offset: int = 0, **filters: Unpack[TemplateFilters]) -> Operation[TemplatesRead]:
    """Returns a page of the templates that match `filters`, by default active ones; the last changed come first."""
    return _get("listTemplates", _at("/Templates"), TemplatesRead, _query_of(filters, limit, offset))


def upload_image(file_name: str, content: bytes, *, idempotency_key: str | None = None) -> Operation[ImageRead]:
    """Uploads an image for documents to show."""
    body = {"fileName": file_name, "data": b64encode(content).decode()}
    return _post_once("uploadImage", _at("/Image"), ImageRead, idempotency_key, body)


def upload_file(file_name: str, content: bytes, *, idempotency_key: str | None = None) -> Operation[FileUploaded]:
    """Uploads a PDF that sessions send along for reference."""
    body = {"fileName": file_name, "data": b64encode(content).decode()}
    return _post_once("uploadFile", _at("/File"), FileUploaded, idempotency_key, body)


def delete_image(file_id: str) -> Operation[UploadDeleted]:
    """Deletes an image that no session and no template uses."""
    return _delete("deleteImage", _at("/Image/{}", file_id), UploadDeleted)


def delete_file(file_id: str) -> Operation[UploadDeleted]:
    """Deletes an uploaded PDF that no session uses."""
    return _delete("deleteFile", _at("/File/{}", file_id), UploadDeleted)


def preview_document(preview: Body) -> Operation[PreviewRead]:
    """Returns the pages, zones, issues and warnings of a document. Nothing is stored."""
    return _post("previewDocument", _at("/Document/Preview"), PreviewRead, preview)


def print_preview(preview: Body) -> Operation[bytes]:
    """Returns the pages of a document as a PDF. Nothing is stored."""
    path, headers = _at("/Document/Preview"), {**_JSON, "Accept": "application/pdf"}
    return Operation("previewDocument", "POST", path, _content, body=_as_json(preview), headers=headers)


def download(entry: DownloadEntry | str) -> Operation[bytes]:
    """Returns the file at a pre-signed URL, without an access token."""
    url = entry if isinstance(entry, str) else entry.url
    return Operation("downloadFile", "GET", url, _content, needs_token=False)


def _get(name: str, path: str, model: type[T], query: Mapping[str, str] = _NOTHING) -> Operation[T]:
    return Operation(name, "GET", path, _reader(model), query)


def _post(
    name: str, path: str, model: type[T], body: Body | None = None, headers: Mapping[str, str] = _NOTHING
) -> Operation[T]:
    content = None if body is None else _as_json(body)
    sent = headers if content is None else {**_JSON, **headers}
    return Operation(name, "POST", path, _reader(model), body=content, headers=sent)


def _post_once(name: str, path: str, model: type[T], key: str | None, body: Body | None = None) -> Operation[T]:
    """Every operation has a key of its own, so all of its attempts together take effect once."""
    return _post(name, path, model, body, {"Idempotency-Key": key or str(uuid4())})


def _patch_once(name: str, path: str, model: type[T], key: str | None, body: Body) -> Operation[T]:
    headers = {**_JSON, "Idempotency-Key": key or str(uuid4())}
    return Operation(name, "PATCH", path, _reader(model), body=_as_json(body), headers=headers)


def _given(members: Mapping[str, str | None]) -> dict[str, str]:
    return {name: value for name, value in members.items() if value is not None}


def _delete(name: str, path: str, model: type[T], *, permanent: bool | None = None) -> Operation[T]:
    query = {} if permanent is None else {"permanent": json.dumps(permanent)}
    return Operation(name, "DELETE", path, _reader(model), query)


def _reader(model: type[T]) -> Callable[[httpx.Response], T]:
    adapter = TypeAdapter(model)
    return lambda answer: adapter.validate_json(answer.content)


def _content(answer: httpx.Response) -> bytes:
    return answer.content


def _as_json(body: Body) -> bytes:
    if isinstance(body, bytes):
        return body
    if isinstance(body, BaseModel):
        return body.model_dump_json(by_alias=True, exclude_unset=True).encode()
    return json.dumps(body).encode()


def _at(template: str, *identifiers: str) -> str:
    """Returns the path of an operation, with `identifiers` in the places of `{}`."""
    return _V1 + template.format(*(quote(identifier, safe="") for identifier in identifiers))


def _query_of(filters: Mapping[str, object], limit: int, offset: int) -> dict[str, str]:
    """Returns the query parameters of a list; raises `ValueError` for a time without a time zone."""
    parameters = {**filters, "limit": limit, "offset": offset}
    query: dict[str, str] = {}
    for name, value in parameters.items():
        if isinstance(value, Mapping):
            query |= {f"{to_camel(name)}[{key}]": _text(one) for key, one in value.items()}
        else:
            query[to_camel(name)] = _text(value)
    return query


def _text(value: object) -> str:
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise ValueError(f"{value} has no time zone: say which time it is, with timezone.utc for example")
        return rfc3339(value)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ",".join(map(str, value))
    return str(value)
