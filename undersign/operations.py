"""Every operation of the API as a value: what to send, and how to read the answer.

The models are those that the service itself answers with, so they are equal to its description. Bodies may be given as
models, as plain mappings with the members of the description, or as JSON that is ready.
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

from schemas.callbacks import CallbackRead, CallbacksRead, FeedRead
from schemas.events import EventsRead
from schemas.invitations import InvitationSent
from schemas.previews import PreviewRead
from schemas.session_list import SessionsRead
from schemas.session_read import DeletedSession, DownloadEntry, DownloadsRead, SentSession, SessionCreated, SessionRead
from schemas.template_changes import DeletedTemplate
from schemas.template_read import TemplateRead, TemplatesRead
from schemas.uploads import FileUploaded, ImageRead, UploadDeleted
from schemas.values import ValuesRead
from undersign.filters import SessionFilters, TemplateFilters, query_of

T = TypeVar("T")
Body = BaseModel | Mapping[str, Any] | bytes

_V1 = "/api/v1"
_JSON = {"Content-Type": "application/json"}
_NOTHING: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class Call(Generic[T]):
    """One call of `operation`, as often as it is tried.

    `is_repeatable`: another try does nothing twice, even if the first one was done and its answer was lost.
    """

    operation: str
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


def create_session(session: Body, *, idempotency_key: str | None = None) -> Call[SessionCreated]:
    """Creates a session from block documents, as a draft or sent at once."""
    return _post("createSession", "/Session", SessionCreated, session, _once(idempotency_key))


def get_session(session_id: str) -> Call[SessionRead]:
    """The session as it is now."""
    return _get("getSession", f"/Session/{_in_path(session_id)}", SessionRead)


def list_sessions(*, limit: int = 50, offset: int = 0, **filters: Unpack[SessionFilters]) -> Call[SessionsRead]:
    """Sessions that match the `filters`, the latest changed first unless they say otherwise."""
    return _get("listSessions", "/Sessions", SessionsRead, query_of(filters, limit, offset))


def send_session(session_id: str, *, idempotency_key: str | None = None) -> Call[SentSession]:
    """Sends a draft."""
    path = f"/Session/{_in_path(session_id)}/Send"
    return _post("sendSession", path, SentSession, None, _once(idempotency_key))


def send_invitation(
    session_id: str,
    *,
    recipient_id: str | None = None,
    recipient_email: str | None = None,
    idempotency_key: str | None = None,
) -> Call[InvitationSent]:
    """Invites one recipient again, or whoever is next; the earlier link stops working."""
    given = {"recipientId": recipient_id, "recipientEmail": recipient_email}
    body = {name: value for name, value in given.items() if value is not None}
    path = f"/Session/{_in_path(session_id)}/SendInvitation"
    return _post("sendInvitation", path, InvitationSent, body, _once(idempotency_key))


def restore_session(session_id: str) -> Call[SessionRead]:
    """Brings an archived session back to where it was."""
    return _post("restoreSession", f"/Session/{_in_path(session_id)}/Restore", SessionRead)


def delete_session(session_id: str, *, permanent: bool = False) -> Call[DeletedSession]:
    """Archives a session, or deletes it for ever."""
    path, query = f"{_V1}/Session/{_in_path(session_id)}", {"permanent": "true" if permanent else "false"}
    return Call("deleteSession", "DELETE", path, _reader(DeletedSession), query)


def list_documents(session_id: str) -> Call[DownloadsRead]:
    """Addresses of all signed PDFs, for `download`."""
    return _get("listDocuments", f"/Session/{_in_path(session_id)}/Documents", DownloadsRead)


def get_document(session_id: str, file_id: str) -> Call[DownloadsRead]:
    """The address of one signed PDF."""
    path = f"/Session/{_in_path(session_id)}/Document/{_in_path(file_id)}"
    return _get("getDocument", path, DownloadsRead)


def get_certificate(session_id: str) -> Call[bytes]:
    """The certificate of completion, a PDF."""
    path = f"{_V1}/Session/{_in_path(session_id)}/Certificate"
    return Call("getCertificate", "GET", path, _content)


def get_values(session_id: str) -> Call[ValuesRead]:
    """What recipients who have signed entered; for clients with the scope `read:values`."""
    return _get("getValues", f"/Session/{_in_path(session_id)}/Values", ValuesRead)


def list_events(session_id: str, *, limit: int = 50, offset: int = 0) -> Call[EventsRead]:
    """A stretch of the history, oldest first."""
    query = query_of({}, limit, offset)
    return _get("listEvents", f"/Session/{_in_path(session_id)}/Events", EventsRead, query)


def list_callbacks(session_id: str, *, limit: int = 50, offset: int = 0) -> Call[CallbacksRead]:
    """What was announced to the `callbackUrl`, oldest first, with every try."""
    query = query_of({}, limit, offset)
    return _get("listCallbacks", f"/Session/{_in_path(session_id)}/Callbacks", CallbacksRead, query)


def redeliver_callback(session_id: str, event_id: str, *, idempotency_key: str | None = None) -> Call[CallbackRead]:
    """Has one callback tried now, delivered before or not."""
    path = f"/Session/{_in_path(session_id)}/Callback/{_in_path(event_id)}/Redeliver"
    return _post("redeliverCallback", path, CallbackRead, None, _once(idempotency_key))


def get_feed(*, after: str | None = None, limit: int = 50) -> Call[FeedRead]:
    """Events of all sessions, oldest first, behind the `cursor` of an earlier answer."""
    query = {"limit": str(limit)} if after is None else {"limit": str(limit), "after": after}
    return _get("getFeed", "/Events", FeedRead, query)


def create_session_from_template(session: Body, *, idempotency_key: str | None = None) -> Call[SessionCreated]:
    """Creates a session from an active template and values for its variables."""
    return _post("createSessionFromTemplate", "/SessionFromTemplate", SessionCreated, session, _once(idempotency_key))


def create_template(template: Body, *, idempotency_key: str | None = None) -> Call[TemplateRead]:
    """Creates a template, as a draft or active at once."""
    return _post("createTemplate", "/Template", TemplateRead, template, _once(idempotency_key))


def get_template(template_id: str) -> Call[TemplateRead]:
    """The template as it is now."""
    return _get("getTemplate", f"/Template/{_in_path(template_id)}", TemplateRead)


def activate_template(template_id: str) -> Call[TemplateRead]:
    """Lets sessions be made from a draft."""
    return _post("activateTemplate", f"/Template/{_in_path(template_id)}/Activate", TemplateRead)


def update_template(template_id: str, name: str) -> Call[TemplateRead]:
    """Gives a template another name."""
    path = f"{_V1}/Template/{_in_path(template_id)}"
    return Call("updateTemplate", "PATCH", path, _reader(TemplateRead), body=_as_json({"name": name}), headers=_JSON)


def delete_template(template_id: str, *, permanent: bool = False) -> Call[DeletedTemplate]:
    """Archives a template, or deletes it for ever."""
    path, query = f"{_V1}/Template/{_in_path(template_id)}", {"permanent": "true" if permanent else "false"}
    return Call("deleteTemplate", "DELETE", path, _reader(DeletedTemplate), query)


def restore_template(template_id: str) -> Call[TemplateRead]:
    """Brings an archived template back to where it was."""
    return _post("restoreTemplate", f"/Template/{_in_path(template_id)}/Restore", TemplateRead)


def list_templates(*, limit: int = 50, offset: int = 0, **filters: Unpack[TemplateFilters]) -> Call[TemplatesRead]:
    """Templates that match the `filters`, active ones if there are none; the latest changed first."""
    return _get("listTemplates", "/Templates", TemplatesRead, query_of(filters, limit, offset))


def upload_image(file_name: str, content: bytes, *, idempotency_key: str | None = None) -> Call[ImageRead]:
    """Uploads a picture for documents to show."""
    body = {"fileName": file_name, "data": b64encode(content).decode()}
    return _post("uploadImage", "/Image", ImageRead, body, _once(idempotency_key))


def upload_file(file_name: str, content: bytes, *, idempotency_key: str | None = None) -> Call[FileUploaded]:
    """Uploads a PDF, to be handed out with a session for reference."""
    body = {"fileName": file_name, "data": b64encode(content).decode()}
    return _post("uploadFile", "/File", FileUploaded, body, _once(idempotency_key))


def delete_image(file_id: str) -> Call[UploadDeleted]:
    """Deletes a picture that no session and no template uses."""
    return Call("deleteImage", "DELETE", f"{_V1}/Image/{_in_path(file_id)}", _reader(UploadDeleted))


def delete_file(file_id: str) -> Call[UploadDeleted]:
    """Deletes an uploaded PDF that no session uses."""
    return Call("deleteFile", "DELETE", f"{_V1}/File/{_in_path(file_id)}", _reader(UploadDeleted))


def preview_document(preview: Body) -> Call[PreviewRead]:
    """What a document would be: pages, zones, issues, warnings. Nothing is stored."""
    return _post("previewDocument", "/Document/Preview", PreviewRead, preview)


def print_preview(preview: Body) -> Call[bytes]:
    """The pages of a document, a PDF. Nothing is stored."""
    headers = {**_JSON, "Accept": "application/pdf"}
    return Call("previewDocument", "POST", f"{_V1}/Document/Preview", _content, body=_as_json(preview), headers=headers)


def download(entry: DownloadEntry | str) -> Call[bytes]:
    """The file at an address that was handed out; the address alone is the permission."""
    url = entry if isinstance(entry, str) else entry.url
    return Call("downloadFile", "GET", url, _content, needs_token=False)


def _get(operation: str, path: str, model: type[T], query: Mapping[str, str] = _NOTHING) -> Call[T]:
    return Call(operation, "GET", _V1 + path, _reader(model), query)


def _post(
    operation: str, path: str, model: type[T], body: Body | None = None, headers: Mapping[str, str] = _NOTHING
) -> Call[T]:
    content = None if body is None else _as_json(body)
    sent = headers if content is None else {**_JSON, **headers}
    return Call(operation, "POST", _V1 + path, _reader(model), body=content, headers=sent)


def _once(key: str | None) -> Mapping[str, str]:
    """A key of the call's own, so that all of its tries together do it once."""
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
