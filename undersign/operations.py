"""Every operation of the API as a value: its request, and the reader of its response.

The response models are the service's own. A body is a model, a mapping with the members of the description, or JSON.
"""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Literal, TypedDict, Unpack

from schemas.callbacks import CallbackRead, CallbacksRead
from schemas.events import EventsRead, FeedRead
from schemas.previews import PreviewRead
from schemas.session_actions import DeletedSession, InvitationSent, SentSession
from schemas.session_list import SessionsRead
from schemas.session_read import DownloadEntry, DownloadsRead, SessionCreated, SessionRead
from schemas.session_update import ReminderSent
from schemas.signing_urls import FrameOriginsRead, SigningUrlCreated
from schemas.template_read import DeletedTemplate, TemplateRead, TemplatesRead
from schemas.uploads import FileUploaded, ImageRead, UploadDeleted
from schemas.values import ValuesRead
from undersign.operation import JSON as _JSON
from undersign.operation import Body, Operation
from undersign.operation import as_json as _as_json
from undersign.operation import at as _at
from undersign.operation import content as _content
from undersign.operation import delete as _delete
from undersign.operation import get as _get
from undersign.operation import given as _given
from undersign.operation import patch_once as _patch_once
from undersign.operation import post as _post
from undersign.operation import post_once as _post_once
from undersign.operation import query_of as _query_of
from undersign.operation import reader as _reader


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
    """Sends a new invitation to one recipient, by default to the next one; the earlier link stops working."""
    body = _given({"recipientId": recipient_id, "recipientEmail": recipient_email})
    path = _at("/Session/{}/SendInvitation", session_id)
    return _post_once("sendInvitation", path, InvitationSent, idempotency_key, body)


def create_signing_url(
    session_id: str, recipient_id: str, *, origin: str | None = None, return_url: str | None = None
) -> Operation[SigningUrlCreated]:
    """Returns an address that opens the documents for a recipient whom your program has identified, once."""
    path = _at("/Session/{}/Recipient/{}/SigningUrl", session_id, recipient_id)
    return _post("createSigningUrl", path, SigningUrlCreated, _given({"origin": origin, "returnUrl": return_url}))


def list_frame_origins() -> Operation[FrameOriginsRead]:
    """Returns the origins whose pages may frame signing pages."""
    return _get("listFrameOrigins", _at("/FrameOrigins"), FrameOriginsRead)


def save_frame_origins(origins: Sequence[str]) -> Operation[FrameOriginsRead]:
    """Replaces the origins whose pages may frame signing pages."""
    path, body = _at("/FrameOrigins"), _as_json({"frameOrigins": list(origins)})
    return Operation("saveFrameOrigins", "PUT", path, _reader(FrameOriginsRead), body=body, headers=_JSON)


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
    """Corrects a recipient who has not signed. A new address gets an invitation; the earlier link stops working."""
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
    """Reminds one recipient now, by default the next one, with the link of their invitation."""
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
    path = _at("/Session/{}/Callback/{}/Redeliver", session_id, event_id)
    return _post_once("redeliverCallback", path, CallbackRead, idempotency_key)


def get_feed(*, after: str | None = None, limit: int = 50) -> Operation[FeedRead]:
    """Returns events of all sessions, oldest first, after the `cursor` of an earlier response."""
    query = {"limit": str(limit)} if after is None else {"limit": str(limit), "after": after}
    return _get("getFeed", _at("/Events"), FeedRead, query)


def create_session_from_template(session: Body, *, idempotency_key: str | None = None) -> Operation[SessionCreated]:
    """Creates a session from an active template and values for its variables."""
    path = _at("/SessionFromTemplate")
    return _post_once("createSessionFromTemplate", path, SessionCreated, idempotency_key, session)


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
    """Uploads an image that documents can show."""
    body = {"fileName": file_name, "data": b64encode(content).decode()}
    return _post_once("uploadImage", _at("/Image"), ImageRead, idempotency_key, body)


def upload_file(file_name: str, content: bytes, *, idempotency_key: str | None = None) -> Operation[FileUploaded]:
    """Uploads a PDF that sessions can contain for reference."""
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
