"""Responses of the API. `make models` writes this file from the schemas of the service: do not edit it."""

from typing import Any, Literal

from pydantic import BaseModel

from undersign.response import OpenEnum, ResponseModel, Timestamp


class ActorKind(OpenEnum):
    """Kind of an actor."""

    CLIENT = "client"
    RECIPIENT = "recipient"
    USER = "user"
    SYSTEM = "system"


class BatchState(OpenEnum):
    """State of a batch."""

    CHECKING = "checking"
    RUNNING = "running"
    PAUSED = "paused"
    COMPLETED = "completed"
    REFUSED = "refused"
    CANCELLED = "cancelled"


class CallbackStatus(OpenEnum):
    """Status of the delivery of a callback."""

    PENDING = "pending"
    DELIVERED = "delivered"
    FAILED = "failed"


class Delivery(OpenEnum):
    """How a recipient gets the address of their documents."""

    EMAIL = "email"
    NONE = "none"


class EventType(OpenEnum):
    """Type of an event."""

    SESSION_CREATED = "session.created"
    SESSION_EDITED = "session.edited"
    SESSION_SENT = "session.sent"
    RECIPIENT_INVITED = "recipient.invited"
    RECIPIENT_INVITATION_FAILED = "recipient.invitationFailed"
    RECIPIENT_REMINDED = "recipient.reminded"
    RECIPIENT_CORRECTED = "recipient.corrected"
    RECIPIENT_DELEGATED = "recipient.delegated"
    RECIPIENT_VIEWED = "recipient.viewed"
    RECIPIENT_CONSENTED = "recipient.consented"
    RECIPIENT_COMPLETED = "recipient.completed"
    RECIPIENT_APPROVED = "recipient.approved"
    RECIPIENT_DECLINED = "recipient.declined"
    SESSION_COMPLETED = "session.completed"
    SESSION_DOCUMENTS_GENERATED = "session.documentsGenerated"
    SESSION_DOWNLOADED = "session.downloaded"
    SESSION_VALUES_READ = "session.valuesRead"
    SESSION_SEAL_RAISED = "session.sealRaised"
    SESSION_RESCHEDULED = "session.rescheduled"
    SESSION_DECLINED = "session.declined"
    SESSION_EXPIRED = "session.expired"
    SESSION_ARCHIVED = "session.archived"
    SESSION_RESTORED = "session.restored"


class FileType(OpenEnum):
    """The type of a file: a block document, or an uploaded PDF that is sent for reference."""

    BLOCKS = "blocks"
    UPLOADED_PDF = "uploadedPdf"


class IssueKind(OpenEnum):
    """Kind of an issue of a document."""

    TITLE_TOO_LONG = "title-too-long"
    OUT_OF_BOUNDS = "out-of-bounds"
    ZONE_OUT_OF_BOUNDS = "zone-out-of-bounds"
    UNKNOWN_RECIPIENT = "unknown-recipient"
    NOT_A_SIGNER = "not-a-signer"
    DUPLICATE_FIELD_NAME = "duplicate-field-name"
    UNKNOWN_IMAGE = "unknown-image"
    IMAGE_TOO_TALL = "image-too-tall"
    TOKENS_IN_SESSION = "tokens-in-session"
    TOO_MANY_MARKS = "too-many-marks"
    TOO_MANY_CHARACTERS = "too-many-characters"
    TOO_MANY_TEXTS = "too-many-texts"
    TOO_MANY_PAGES = "too-many-pages"
    INVALID_REFERENCE = "invalid-reference"
    UNDECLARED_VARIABLE = "undeclared-variable"


class RecipientRole(OpenEnum):
    """What a recipient is asked to do."""

    SIGNER = "signer"
    APPROVER = "approver"
    COPY = "copy"


class RecipientStatus(OpenEnum):
    """Status of a recipient."""

    WAITING = "waiting"
    PENDING = "pending"
    VIEWED = "viewed"
    COMPLETED = "completed"
    DECLINED = "declined"
    EXPIRED = "expired"
    CANCELLED = "cancelled"


class RecipientVerification(OpenEnum):
    """Verification of recipients, besides their link, before the documents open."""

    NONE = "none"
    EMAIL_CODE = "emailCode"


class ReminderFrequency(OpenEnum):
    """Interval of reminders, counted from sending."""

    DAILY = "daily"
    WEEKLY = "weekly"
    MONTHLY = "monthly"
    QUARTERLY = "quarterly"


class RowStatus(OpenEnum):
    """Status of a row without a session."""

    WAITING = "waiting"
    NOT_CREATED = "notCreated"
    FAILED = "failed"
    DELETED = "deleted"


class SealLevel(OpenEnum):
    """Level of a seal (PAdES baseline), the lowest first. Each level includes the previous ones."""

    B_B = "B-B"
    B_T = "B-T"
    B_LT = "B-LT"
    B_LTA = "B-LTA"


class SessionStatus(OpenEnum):
    """Status of a session."""

    DRAFT = "draft"
    PENDING = "pending"
    IN_PROGRESS = "inProgress"
    COMPLETED = "completed"
    COMPLETED_AND_GENERATED = "completedAndGenerated"
    DECLINED = "declined"
    EXPIRED = "expired"
    CANCELLED = "cancelled"


class TemplateStatus(OpenEnum):
    """Status of a template."""

    DRAFT = "draft"
    ACTIVE = "active"
    ARCHIVED = "archived"


class VariableType(OpenEnum):
    """Type of the values of a variable."""

    TEXT = "text"
    DATE = "date"
    NUMBER = "number"


class WarningKind(OpenEnum):
    """Kind of a warning about a document."""

    LOW_CONTRAST = "low-contrast"
    UNPRINTABLE_CHARACTERS = "unprintable-characters"
    NO_SIGNATURE_BLOCK = "no-signature-block"
    HEADING_ALONE = "heading-alone"
    NOT_TOGETHER = "not-together"
    MARKUP = "markup"
    MISSING_FACE = "missing-face"
    SECOND_SIGNATURE = "second-signature"


class ZoneType(OpenEnum):
    TEXT = "text"
    MULTILINE_TEXT = "multilineText"
    DATE = "date"
    NUMBER = "number"
    EMAIL = "email"
    AU_MOBILE = "auMobile"
    CHECKBOX = "checkbox"
    RADIO = "radio"
    DROPDOWN = "dropdown"
    INITIALS = "initials"
    SIGNER_NAME = "signerName"
    DATE_SIGNED = "dateSigned"
    SIGNATURE = "signature"


class ActorRead(ResponseModel):
    """The actor of an event."""

    kind: ActorKind
    id: str


class AnnouncedRecipient(ResponseModel):
    """The recipient of a callback's event."""

    recipient_id: str
    key: str
    name: str
    email: str
    signing_order: int
    status: RecipientStatus
    role: RecipientRole | None = None


class ValueRead(ResponseModel):
    """The value of one field."""

    name: str
    label: str
    field_type: str
    value: bool | int | float | str | tuple[str, ...] | None
    text: str | None
    recipient_id: str
    recipient_key: str
    completed_at: Timestamp


class FileValuesRead(ResponseModel):
    """The values of one document."""

    file_id: str
    file_name: str
    values: tuple[ValueRead, ...]


class AnnouncedSession(ResponseModel):
    """The session of a callback, after the event."""

    session_id: str
    name: str | None
    status: SessionStatus | Literal["deleted"]
    previous_status: SessionStatus
    sequence: int
    external_id: str | None = None
    metadata: dict[str, str] | None = None
    recipient: AnnouncedRecipient | None = None
    files: tuple[FileValuesRead, ...] | None = None


class BatchListed(ResponseModel):
    """A batch in a list."""

    batch_id: str
    template_id: str
    name: str
    state: BatchState
    created_at: Timestamp
    updated_at: Timestamp
    per_minute: int
    send_immediately: bool
    total: int
    checked: int
    created: int
    failed: int
    next_row: int | None


class FailedRowRead(ResponseModel):
    """A row whose session could not be created, with the error."""

    row: int
    code: str
    message: str


class RowIssueRead(ResponseModel):
    """An issue of a row."""

    path: str
    message: str


class BatchRead(BatchListed):
    """A batch."""

    failed_rows: tuple[FailedRowRead, ...]
    issue_count: int
    issues: tuple[RowIssueRead, ...]


class RowResult(ResponseModel):
    """The result of a row."""

    row: int
    session_id: str | None
    status: SessionStatus | RowStatus
    error: str | None


class BatchResults(ResponseModel):
    """The results of all rows."""

    batch_id: str
    state: BatchState
    results: tuple[RowResult, ...]


class Pagination(ResponseModel):
    """The position of a page in its list."""

    total: int
    limit: int
    offset: int
    has_more: bool


class BatchesRead(ResponseModel):
    """A page of the organisation's batches, the newest first."""

    batches: tuple[BatchListed, ...]
    pagination: Pagination


class CallbackAttemptRead(ResponseModel):
    """One attempt. `statusCode` is null without a response. `error` is null after a response with status 2xx."""

    at: Timestamp
    status_code: int | None
    error: str | None
    duration_ms: int


class CallbackBody(ResponseModel):
    """The body of a callback: the same bytes at every attempt. It never holds a signing link."""

    type: str
    timestamp: Timestamp
    data: AnnouncedSession


class CallbackRead(ResponseModel):
    """One callback. `eventId` is its `webhook-id`, the same at every attempt."""

    event_id: str
    type: str
    status: CallbackStatus
    attempts: tuple[CallbackAttemptRead, ...]
    next_attempt_at: Timestamp | None
    paused_since: Timestamp | None


class CallbacksRead(ResponseModel):
    """A page of the callback log, oldest first."""

    callbacks: tuple[CallbackRead, ...]
    pagination: Pagination


class DeletedBatch(ResponseModel):
    """The response to deleting a batch."""

    batch_id: str


class DeletedSession(ResponseModel):
    """The response to archiving or deleting a session."""

    session_id: str
    name: str
    previous_status: SessionStatus
    status: SessionStatus | Literal["deleted"]
    permanent: bool
    restorable: bool


class DeletedTemplate(ResponseModel):
    """The response to archiving or deleting a template."""

    template_id: str
    name: str
    previous_status: TemplateStatus
    status: Literal["archived"] | Literal["deleted"]
    permanent: bool
    restorable: bool


class DownloadEntry(ResponseModel):
    """One signed PDF."""

    file_id: str
    file_name: str
    url: str


class DownloadsRead(ResponseModel):
    """The signed PDFs of a session."""

    session_id: str
    session_status: SessionStatus
    documents: tuple[DownloadEntry, ...]
    expires_in_seconds: int


class EventRead(ResponseModel):
    """One event. `hash` is the SHA-256 of the canonical JSON (RFC 8785) of all the other members."""

    sequence: int
    at: Timestamp
    type: EventType
    actor: ActorRead
    ip: str | None
    user_agent: str | None
    details: dict[str, str | int | None]
    previous_hash: str
    hash: str


class FeedEventRead(EventRead):
    """One event of the feed. `hash` covers the members that List Events returns."""

    event_id: str
    session_id: str
    external_id: str | None
    metadata: dict[str, str]


class EventsRead(ResponseModel):
    """A page of the history of a session, oldest first."""

    events: tuple[EventRead, ...]
    pagination: Pagination


class FeedRead(ResponseModel):
    """A page of the feed, oldest first. `cursor` is the start of the next page, which may still be empty."""

    events: tuple[FeedEventRead, ...]
    cursor: str
    has_more: bool


class FileRead(ResponseModel):
    """One document. `sha256` is the hash of the PDF as sent, `signedSha256` that of the signed PDF."""

    file_id: str
    file_name: str
    file_type: Literal["application/pdf"] = "application/pdf"
    type: FileType
    page_count: int
    sha256: str
    signed_sha256: str | None
    seal_level: SealLevel | None


class FileUploaded(ResponseModel):
    """An uploaded PDF."""

    file_id: str
    file_name: str
    file_type: Literal["application/pdf"] = "application/pdf"
    size_bytes: int
    page_count: int
    sha256: str
    rewritten: bool


class FrameOriginsRead(ResponseModel):
    """The origins whose pages may frame signing pages."""

    frame_origins: tuple[str, ...]


class ImageRead(ResponseModel):
    """An uploaded image."""

    file_id: str
    file_name: str
    file_type: str
    width: int
    height: int
    size_bytes: int


class InvitationSent(ResponseModel):
    """The response to another invitation. The mail is being sent, and the earlier link is invalid."""

    success: Literal[True] = True
    session_id: str
    recipient_id: str
    recipient_email: str
    sent_at: Timestamp | None


class DocumentIssueRead(BaseModel):
    """An issue in a block document."""

    kind: IssueKind
    page: int
    message: str
    snippet: str
    file: int
    path: str


class WarningRead(ResponseModel):
    """A warning about a document, with advice. It does not prevent sending."""

    kind: WarningKind
    message: str
    path: str


class ZoneRead(ResponseModel):
    """The position of a field or signature: a rectangle in points (1/72 inch) from the top left corner of the page."""

    name: str
    type: ZoneType
    label: str
    recipient: str
    page: int
    x: float
    y: float
    w: float
    h: float
    required: bool
    path: str


class PreviewRead(ResponseModel):
    """The laid-out document. If it has issues, the page count and the zones may be incomplete."""

    page_count: int
    issues: tuple[DocumentIssueRead, ...]
    warnings: tuple[WarningRead, ...]
    zones: tuple[ZoneRead, ...]


class RecipientHead(ResponseModel):
    """What identifies a recipient."""

    recipient_id: str


class RecipientMembersRead(ResponseModel):
    """The members of a recipient of a session or template."""

    key: str
    name: str
    email: str
    signing_order: int
    role: RecipientRole = RecipientRole.SIGNER
    language: str | None = None


class RecipientRead(RecipientMembersRead, RecipientHead):
    """One recipient, without links and submitted values."""

    status: RecipientStatus
    delivery: Delivery = Delivery.EMAIL
    sent_at: Timestamp | None
    viewed_at: Timestamp | None
    completed_at: Timestamp | None
    decline_reason: str | None


class TemplateRecipientRead(RecipientMembersRead):
    """A recipient of a template."""

    name: str
    email: str


class ReminderSent(ResponseModel):
    """The response to a reminder. The mail is being sent, with the link of the latest invitation."""

    success: Literal[True] = True
    session_id: str
    recipient_id: str
    recipient_email: str
    reminded_at: Timestamp | None


class SenderRead(ResponseModel):
    """The person who asks for signatures."""

    name: str
    email: str


class SentRecipient(ResponseModel):
    """One recipient of a session that was sent."""

    recipient_id: str
    name: str
    email: str
    signing_order: int


class SentSession(ResponseModel):
    """The response to sending a session."""

    session_id: str
    status: SessionStatus
    sent_at: Timestamp | None
    recipients: tuple[SentRecipient, ...]


class SessionHead(ResponseModel):
    """What identifies a session, its status and its times."""

    session_id: str
    name: str
    status: SessionStatus
    previous_status: SessionStatus | None
    created_at: Timestamp
    updated_at: Timestamp
    sent_at: Timestamp | None
    completed_date: Timestamp | None


class SettingsRead(ResponseModel):
    """Settings of a session or template."""

    expiry_days: int | None
    reminder_enabled: bool
    reminder_frequency: ReminderFrequency
    recipient_verification: RecipientVerification
    delegation: bool = False
    language: str | None = None


class SessionListed(SettingsRead, SessionHead):
    """A session in a list, without its files."""

    expiry_date: Timestamp | None
    next_reminder_at: Timestamp | None
    callback_url: str | None
    callback_values: bool
    external_id: str | None
    metadata: dict[str, str]
    sender: SenderRead | None = None
    restorable: bool
    draft_url: str | None
    waiting_for: str
    recipients: tuple[RecipientRead, ...]


class SessionRead(SessionListed):
    """The current state of a session."""

    files: tuple[FileRead, ...]


class SessionCreated(SessionRead):
    """The session that was created."""

    warnings: tuple[WarningRead, ...]


class SessionsRead(ResponseModel):
    """A page of the organisation's sessions, in the requested order."""

    sessions: tuple[SessionListed, ...]
    pagination: Pagination


class TemplateHead(ResponseModel):
    """What identifies a template, and its times."""

    template_id: str
    name: str
    status: TemplateStatus
    created_at: Timestamp
    updated_at: Timestamp


class VariableRead(ResponseModel):
    """A variable of the template."""

    name: str
    display_name: str | None
    type: VariableType
    required: bool
    default_value: str | None
    description: str | None
    date_format: str | None


class TemplateRead(SettingsRead, TemplateHead):
    """A template."""

    version: int
    has_next_version: bool
    editor_url: str | None
    document: dict[str, Any]
    recipients: tuple[TemplateRecipientRead, ...]
    variables: tuple[VariableRead, ...]
    message: str | None


class SigningUrlCreated(ResponseModel):
    """An address that opens the documents for one recipient, once."""

    session_id: str
    recipient_id: str
    url: str
    expires_at: Timestamp


class TemplateListed(TemplateHead):
    """A template in a list."""

    recipient_count: int
    has_variables: bool
    version: int
    has_next_version: bool


class TemplatesRead(ResponseModel):
    """A page of the organisation's templates, last changed first."""

    templates: tuple[TemplateListed, ...]
    pagination: Pagination


class UploadDeleted(ResponseModel):
    """A deleted upload, which documents can no longer name."""

    file_id: str
    deleted: Literal[True] = True


class ValuesRead(ResponseModel):
    """The values of recipients who have signed, without signatures. `completedAt` is the time of signing."""

    session_id: str
    session_status: SessionStatus
    files: tuple[FileValuesRead, ...]


class TokenRead(BaseModel):
    """An access token (RFC 6749 section 5.1)."""

    access_token: str
    token_type: Literal["Bearer"]
    expires_in: int
    scope: str
    refresh_token: str | None = None
