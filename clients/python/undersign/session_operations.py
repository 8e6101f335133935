"""The operations on sessions: their documents, values, events and callbacks."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Literal, TypedDict, Unpack

from undersign.models import (
    CallbackRead,
    CallbacksRead,
    DeletedSession,
    DownloadsRead,
    EventsRead,
    FeedRead,
    FrameOriginsRead,
    InvitationSent,
    ReminderSent,
    SentSession,
    SessionCreated,
    SessionRead,
    SessionsRead,
    SigningUrlCreated,
    ValuesRead,
)
from undersign.operation import (
    JSON,
    Body,
    Method,
    Operation,
    as_json,
    at,
    content,
    delete,
    get,
    given,
    patch_once,
    post,
    post_once,
    query_of,
    reader,
)


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


class SessionOperations:
    """The operations on sessions."""

    @Method
    @staticmethod
    def create_session(session: Body, *, idempotency_key: str | None = None) -> Operation[SessionCreated]:
        """Creates a session from block documents, as a draft or sent at once."""
        return post_once("createSession", at("/Session"), SessionCreated, idempotency_key, session)

    @Method
    @staticmethod
    def get_session(session_id: str) -> Operation[SessionRead]:
        """Returns the current state of the session."""
        return get("getSession", at("/Session/{}", session_id), SessionRead)

    @Method
    @staticmethod
    def list_sessions(
        *, limit: int = 50, offset: int = 0, **filters: Unpack[SessionFilters]
    ) -> Operation[SessionsRead]:
        """Returns a page of the sessions that match `filters`; by default the last changed come first."""
        return get("listSessions", at("/Sessions"), SessionsRead, query_of(filters, limit, offset))

    @Method
    @staticmethod
    def send_session(session_id: str, *, idempotency_key: str | None = None) -> Operation[SentSession]:
        """Sends a draft."""
        return post_once("sendSession", at("/Session/{}/Send", session_id), SentSession, idempotency_key)

    @Method
    @staticmethod
    def send_invitation(
        session_id: str,
        *,
        recipient_id: str | None = None,
        recipient_email: str | None = None,
        idempotency_key: str | None = None,
    ) -> Operation[InvitationSent]:
        """Sends a new invitation to one recipient, by default to the next one; the earlier link stops working."""
        body = given({"recipientId": recipient_id, "recipientEmail": recipient_email})
        path = at("/Session/{}/SendInvitation", session_id)
        return post_once("sendInvitation", path, InvitationSent, idempotency_key, body)

    @Method
    @staticmethod
    def create_signing_url(
        session_id: str, recipient_id: str, *, origin: str | None = None, return_url: str | None = None
    ) -> Operation[SigningUrlCreated]:
        """Returns an address that opens the documents for a recipient whom your program has identified, once."""
        path = at("/Session/{}/Recipient/{}/SigningUrl", session_id, recipient_id)
        return post("createSigningUrl", path, SigningUrlCreated, given({"origin": origin, "returnUrl": return_url}))

    @Method
    @staticmethod
    def list_frame_origins() -> Operation[FrameOriginsRead]:
        """Returns the origins whose pages may frame signing pages."""
        return get("listFrameOrigins", at("/FrameOrigins"), FrameOriginsRead)

    @Method
    @staticmethod
    def save_frame_origins(origins: Sequence[str]) -> Operation[FrameOriginsRead]:
        """Replaces the origins whose pages may frame signing pages."""
        path, body = at("/FrameOrigins"), as_json({"frameOrigins": list(origins)})
        return Operation("saveFrameOrigins", "PUT", path, reader(FrameOriginsRead), body=body, headers=JSON)

    @Method
    @staticmethod
    def update_session(session_id: str, changes: Body, *, idempotency_key: str | None = None) -> Operation[SessionRead]:
        """Changes a draft, or expiry and reminders of a session that is open for signing."""
        return patch_once("updateSession", at("/Session/{}", session_id), SessionRead, idempotency_key, changes)

    @Method
    @staticmethod
    def update_recipient(
        session_id: str,
        recipient_id: str,
        *,
        name: str | None = None,
        email: str | None = None,
        idempotency_key: str | None = None,
    ) -> Operation[SessionRead]:
        """Corrects a recipient who has not signed. A new address gets an invitation; the earlier link stops working."""
        body = given({"name": name, "email": email})
        path = at("/Session/{}/Recipient/{}", session_id, recipient_id)
        return patch_once("updateRecipient", path, SessionRead, idempotency_key, body)

    @Method
    @staticmethod
    def send_reminder(
        session_id: str,
        *,
        recipient_id: str | None = None,
        recipient_email: str | None = None,
        idempotency_key: str | None = None,
    ) -> Operation[ReminderSent]:
        """Reminds one recipient now, by default the next one, with the link of their invitation."""
        body = given({"recipientId": recipient_id, "recipientEmail": recipient_email})
        return post_once(
            "sendReminder", at("/Session/{}/SendReminder", session_id), ReminderSent, idempotency_key, body
        )

    @Method
    @staticmethod
    def duplicate_session(session_id: str, *, idempotency_key: str | None = None) -> Operation[SessionRead]:
        """Creates a draft with the documents, recipients and settings of a session."""
        return post_once("duplicateSession", at("/Session/{}/Duplicate", session_id), SessionRead, idempotency_key)

    @Method
    @staticmethod
    def restore_session(session_id: str) -> Operation[SessionRead]:
        """Restores an archived session to its previous status."""
        return post("restoreSession", at("/Session/{}/Restore", session_id), SessionRead)

    @Method
    @staticmethod
    def delete_session(
        session_id: str, *, permanent: bool = False, reason: str | None = None
    ) -> Operation[DeletedSession]:
        """Archives a session, with a reason for its recipients, or deletes it permanently."""
        operation = delete("deleteSession", at("/Session/{}", session_id), DeletedSession, permanent=permanent)
        return operation if reason is None else replace(operation, body=as_json({"reason": reason}), headers=JSON)

    @Method
    @staticmethod
    def list_documents(session_id: str) -> Operation[DownloadsRead]:
        """Returns the pre-signed URLs of all signed PDFs, for `download`."""
        return get("listDocuments", at("/Session/{}/Documents", session_id), DownloadsRead)

    @Method
    @staticmethod
    def get_document(session_id: str, file_id: str) -> Operation[DownloadsRead]:
        """Returns the pre-signed URL of one signed PDF."""
        return get("getDocument", at("/Session/{}/Document/{}", session_id, file_id), DownloadsRead)

    @Method
    @staticmethod
    def get_certificate(session_id: str) -> Operation[bytes]:
        """Returns the certificate of completion as a PDF."""
        return Operation("getCertificate", "GET", at("/Session/{}/Certificate", session_id), content)

    @Method
    @staticmethod
    def get_values(session_id: str) -> Operation[ValuesRead]:
        """Returns the values that signed recipients entered. Needs the scope `read:values`."""
        return get("getValues", at("/Session/{}/Values", session_id), ValuesRead)

    @Method
    @staticmethod
    def list_events(session_id: str, *, limit: int = 50, offset: int = 0) -> Operation[EventsRead]:
        """Returns a page of the session's events, oldest first."""
        return get("listEvents", at("/Session/{}/Events", session_id), EventsRead, query_of({}, limit, offset))

    @Method
    @staticmethod
    def list_callbacks(session_id: str, *, limit: int = 50, offset: int = 0) -> Operation[CallbacksRead]:
        """Returns a page of the callbacks to the `callbackUrl`, oldest first, with every attempt."""
        return get("listCallbacks", at("/Session/{}/Callbacks", session_id), CallbacksRead, query_of({}, limit, offset))

    @Method
    @staticmethod
    def redeliver_callback(
        session_id: str, event_id: str, *, idempotency_key: str | None = None
    ) -> Operation[CallbackRead]:
        """Delivers one callback now, even if it was delivered before."""
        path = at("/Session/{}/Callback/{}/Redeliver", session_id, event_id)
        return post_once("redeliverCallback", path, CallbackRead, idempotency_key)

    @Method
    @staticmethod
    def get_feed(*, after: str | None = None, limit: int = 50) -> Operation[FeedRead]:
        """Returns events of all sessions, oldest first, after the `cursor` of an earlier response."""
        query = {"limit": str(limit)} if after is None else {"limit": str(limit), "after": after}
        return get("getFeed", at("/Events"), FeedRead, query)

    @Method
    @staticmethod
    def create_session_from_template(session: Body, *, idempotency_key: str | None = None) -> Operation[SessionCreated]:
        """Creates a session from an active template and values for its variables."""
        path = at("/SessionFromTemplate")
        return post_once("createSessionFromTemplate", path, SessionCreated, idempotency_key, session)
