"""Every operation of the API as a value: what to send, and how to read the response.

The response models are the service's own. A body is a model, a mapping with the members of the description, or JSON.
"""

import json
from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar, Unpack
from urllib.parse import quote
from uuid import uuid4

import httpx
from pydantic import BaseModel, TypeAdapter

from schemas.callbacks import CallbackRead, CallbacksRead
from schemas.events import EventsRead, FeedRead
from schemas.previews import PreviewRead
from schemas.session_actions import DeletedSession, InvitationSent, SentSession
from schemas.session_list import SessionsRead
from schemas.session_read import DownloadEntry, DownloadsRead, SessionCreated, SessionRead
from schemas.template_read import DeletedTemplate, TemplateRead, TemplatesRead
from schemas.uploads import FileUploaded, ImageRead, UploadDeleted
from schemas.values import ValuesRead
from undersign.filters import SessionFilters, TemplateFilters, query_of

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


def create_session(session: Body, *, idempotency_key: str | None = None) -> Operation[SessionCreated]:
    """Creates a session from block documents, as a draft or sent at once."""
    return _post("createSession", "/Session", SessionCreated, session, _idempotency(idempotency_key))


def get_session(session_id: str) -> Operation[SessionRead]:
    """Returns the current state of the session."""
    return _get("getSession", f"/Session/{_in_path(session_id)}", SessionRead)


def list_sessions(*, limit: int = 50, offset: int = 0, **filters: Unpack[SessionFilters]) -> Operation[SessionsRead]:
    """Returns a page of the sessions that match `filters`; by default the last changed come first."""
    return _get("listSessions", "/Sessions", SessionsRead, query_of(filters, limit, offset))


def send_session(session_id: str, *, idempotency_key: str | None = None) -> Operation[SentSession]:
    """Sends a draft."""
    path = f"/Session/{_in_path(session_id)}/Send"
    return _post("sendSession", path, SentSession, None, _idempotency(idempotency_key))


def send_invitation(
    session_id: str,
    *,
    recipient_id: str | None = None,
    recipient_email: str | None = None,
    idempotency_key: str | None = None,
) -> Operation[InvitationSent]:
    """Sends a new invitation to one recipient, by default to the next; the earlier link stops working."""
    given = {"recipientId": recipient_id, "recipientEmail": recipient_email}
    body = {name: value for name, value in given.items() if value is not None}
    path = f"/Session/{_in_path(session_id)}/SendInvitation"
    return _post("sendInvitation", path, InvitationSent, body, _idempotency(idempotency_key))


def restore_session(session_id: str) -> Operation[SessionRead]:
    """Restores an archived session to its previous status."""
    return _post("restoreSession", f"/Session/{_in_path(session_id)}/Restore", SessionRead)


def delete_session(session_id: str, *, permanent: bool = False) -> Operation[DeletedSession]:
    """Archives a session, or deletes it permanently."""
    path, query = f"{_V1}/Session/{_in_path(session_id)}", {"permanent": "true" if permanent else "false"}
    return Operation("deleteSession", "DELETE", path, _reader(DeletedSession), query)


def list_documents(session_id: str) -> Operation[DownloadsRead]:
    """Returns the pre-signed URLs of all signed PDFs, for `download`."""
    return _get("listDocuments", f"/Session/{_in_path(session_id)}/Documents", DownloadsRead)


def get_document(session_id: str, file_id: str) -> Operation[DownloadsRead]:
    """Returns the pre-signed URL of one signed PDF."""
    path = f"/Session/{_in_path(session_id)}/Document/{_in_path(file_id)}"
    return _get("getDocument", path, DownloadsRead)


def get_certificate(session_id: str) -> Operation[bytes]:
    """Returns the certificate of completion as a PDF."""
    path = f"{_V1}/Session/{_in_path(session_id)}/Certificate"
    return Operation("getCertificate", "GET", path, _content)


def get_values(session_id: str) -> Operation[ValuesRead]:
    """Returns the values that signed recipients entered. Needs the scope `read:values`."""
    return _get("getValues", f"/Session/{_in_path(session_id)}/Values", ValuesRead)


def list_events(session_id: str, *, limit: int = 50, offset: int = 0) -> Operation[EventsRead]:
    """Returns a page of the session's events, oldest first."""
    query = query_of({}, limit, offset)
    return _get("listEvents", f"/Session/{_in_path(session_id)}/Events", EventsRead, query)


def list_callbacks(session_id: str, *, limit: int = 50, offset: int = 0) -> Operation[CallbacksRead]:
    """Returns a page of the callbacks to the `callbackUrl`, oldest first, with every attempt."""
    query = query_of({}, limit, offset)
    return _get("listCallbacks", f"/Session/{_in_path(session_id)}/Callbacks", CallbacksRead, query)


def redeliver_callback(
    session_id: str, event_id: str, *, idempotency_key: str | None = None
) -> Operation[CallbackRead]:
    """Delivers one callback now, even if it was delivered before."""
    path = f"/Session/{_in_path(session_id)}/Callback/{_in_path(event_id)}/Redeliver"
    return _post("redeliverCallback", path, CallbackRead, None, _idempotency(idempotency_key))


def get_feed(*, after: str | None = None, limit: int = 50) -> Operation[FeedRead]:
    """Returns events of all sessions, oldest first, after the `cursor` of an earlier response."""
    query = {"limit": str(limit)} if after is None else {"limit": str(limit), "after": after}
    return _get("getFeed", "/Events", FeedRead, query)


def create_session_from_template(session: Body, *, idempotency_key: str | None = None) -> Operation[SessionCreated]:
    """Creates a session from an active template and values for its variables."""
    return _post(
        "createSessionFromTemplate", "/SessionFromTemplate", SessionCreated, session, _idempotency(idempotency_key)
    )


def create_template(template: Body, *, idempotency_key: str | None = None) -> Operation[TemplateRead]:
    """Creates a template, as a draft or active at once."""
    return _post("createTemplate", "/Template", TemplateRead, template, _idempotency(idempotency_key))


def get_template(template_id: str) -> Operation[TemplateRead]:
    """Returns the template."""
    return _get("getTemplate", f"/Template/{_in_path(template_id)}", TemplateRead)


def activate_template(template_id: str) -> Operation[TemplateRead]:
    """Activates a draft, so that sessions can be created from it."""
    return _post("activateTemplate", f"/Template/{_in_path(template_id)}/Activate", TemplateRead)


def update_template(template_id: str, name: str) -> Operation[TemplateRead]:
    """Renames a template."""
    path = f"{_V1}/Template/{_in_path(template_id)}"
    return Operation(
        "updateTemplate", "PATCH", path, _reader(TemplateRead), body=_as_json({"name": name}), headers=_JSON
    )


def delete_template(template_id: str, *, permanent: bool = False) -> Operation[DeletedTemplate]:
    """Archives a template, or deletes it permanently."""
    path, query = f"{_V1}/Template/{_in_path(template_id)}", {"permanent": "true" if permanent else "false"}
    return Operation("deleteTemplate", "DELETE", path, _reader(DeletedTemplate), query)


def restore_template(template_id: str) -> Operation[TemplateRead]:
    """Restores an archived template to its previous status."""
    return _post("restoreTemplate", f"/Template/{_in_path(template_id)}/Restore", TemplateRead)


def list_templates(*, limit: int = 50, offset: int = 0, **filters: Unpack[TemplateFilters]) -> Operation[TemplatesRead]:
    """Returns a page of the templates that match `filters`, by default active ones; the last changed come first."""
    return _get("listTemplates", "/Templates", TemplatesRead, query_of(filters, limit, offset))


def upload_image(file_name: str, content: bytes, *, idempotency_key: str | None = None) -> Operation[ImageRead]:
    """Uploads an image for documents to show."""
    body = {"fileName": file_name, "data": b64encode(content).decode()}
    return _post("uploadImage", "/Image", ImageRead, body, _idempotency(idempotency_key))


def upload_file(file_name: str, content: bytes, *, idempotency_key: str | None = None) -> Operation[FileUploaded]:
    """Uploads a PDF that sessions send along for reference."""
    body = {"fileName": file_name, "data": b64encode(content).decode()}
    return _post("uploadFile", "/File", FileUploaded, body, _idempotency(idempotency_key))


def delete_image(file_id: str) -> Operation[UploadDeleted]:
    """Deletes an image that no session and no template uses."""
    return Operation("deleteImage", "DELETE", f"{_V1}/Image/{_in_path(file_id)}", _reader(UploadDeleted))


def delete_file(file_id: str) -> Operation[UploadDeleted]:
    """Deletes an uploaded PDF that no session uses."""
    return Operation("deleteFile", "DELETE", f"{_V1}/File/{_in_path(file_id)}", _reader(UploadDeleted))


def preview_document(preview: Body) -> Operation[PreviewRead]:
    """Returns the pages, zones, issues and warnings of a document. Nothing is stored."""
    return _post("previewDocument", "/Document/Preview", PreviewRead, preview)


def print_preview(preview: Body) -> Operation[bytes]:
    """Returns the pages of a document as a PDF. Nothing is stored."""
    headers = {**_JSON, "Accept": "application/pdf"}
    return Operation(
        "previewDocument", "POST", f"{_V1}/Document/Preview", _content, body=_as_json(preview), headers=headers
    )


def download(entry: DownloadEntry | str) -> Operation[bytes]:
    """Returns the file at a pre-signed URL, without an access token."""
    url = entry if isinstance(entry, str) else entry.url
    return Operation("downloadFile", "GET", url, _content, needs_token=False)


def _get(name: str, path: str, model: type[T], query: Mapping[str, str] = _NOTHING) -> Operation[T]:
    return Operation(name, "GET", _V1 + path, _reader(model), query)


def _post(
    name: str, path: str, model: type[T], body: Body | None = None, headers: Mapping[str, str] = _NOTHING
) -> Operation[T]:
    content = None if body is None else _as_json(body)
    sent = headers if content is None else {**_JSON, **headers}
    return Operation(name, "POST", _V1 + path, _reader(model), body=content, headers=sent)


def _idempotency(key: str | None) -> Mapping[str, str]:
    """Every operation has a key of its own, so all of its attempts together take effect once."""
    return {"Idempotency-Key": key or str(uuid4())}


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


def _in_path(identifier: str) -> str:
    return quote(identifier, safe="")
