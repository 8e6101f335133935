"""Errors that the service raises before any signing rule applies. All derive from `ServiceError`."""

from collections.abc import Sequence
from typing import Generic, NamedTuple, TypeVar

from application.schemas.errors import FiledIssue
from domain.shared.errors import CodedError
from domain.shared.limits import MAX_BATCH_ISSUES

MAX_ISSUES = 100
"""Maximum number of issues reported for one request."""


class RequestIssue(NamedTuple):
    """An issue of a request: its JSON pointer and the advice for the client.

    `line` (from 1) is that of a fault in the JSON itself. `values` are the names of the variables whose values are in
    the text that has the issue; the last sentence of the message names them.
    """

    path: str
    message: str
    line: int = 1
    values: tuple[str, ...] = ()


class PageIssue(NamedTuple):
    """An issue of page `page` (from 1) of an upload. `picture` is a PNG of it, as a `data:` address, or None."""

    path: str
    message: str
    page: int
    picture: str | None


class ServiceError(CodedError):
    """Base of the errors that the service raises before any rule of signing applies."""


IssueType = TypeVar("IssueType", RequestIssue, FiledIssue)


class _InvalidMembers(ServiceError, Generic[IssueType]):
    """An invalid request. Reports the first of its `issues`, at most `most`. `is_cut`: there are more."""

    def __init__(self, issues: Sequence[IssueType], most: int = MAX_ISSUES) -> None:
        self.issues: tuple[IssueType, ...] = tuple(issues[:most])
        self.is_cut = len(issues) > most
        number = "1 issue" if len(issues) == 1 else f"{len(issues):,} issues"
        if self.is_cut:
            number = f"more than {most:,} issues, of which the first {most:,} are listed"
        super().__init__(f"{self.default.removesuffix('.')}: {number}.")


class Unauthorized(ServiceError, code="UNAUTHORIZED"):
    default = (
        "A valid access token is required: get one at /oidc/token, and send it in the header Authorization, after the "
        "word Bearer and a space."
    )


class InvalidToken(Unauthorized):
    default = (
        "The access token is invalid or has expired: get a new one at /oidc/token, and send it in the header "
        "Authorization, after the word Bearer and a space."
    )


class InsufficientScope(ServiceError, code="INSUFFICIENT_SCOPE"):
    """The token is valid but lacks `scope`."""

    default = "The access token does not allow this."

    def __init__(self, scope: str) -> None:
        self.scope = scope
        super().__init__(f"This needs the scope {scope}; ask for it when you get the access token.")


class InvalidRequest(_InvalidMembers[RequestIssue], code="INVALID_REQUEST"):
    default = "The request is not valid."


class DocumentValidationFailed(_InvalidMembers[FiledIssue], code="DOCUMENT_VALIDATION_FAILED"):
    default = "Document validation failed."


class NotAcceptable(ServiceError, code="NOT_ACCEPTABLE"):
    """The header `Accept` allows none of the types in `offered`."""

    default = "The response is not available in that form."

    def __init__(self, offered: Sequence[str]) -> None:
        super().__init__(f"{self.default} Ask for {' or '.join(offered)} in the header Accept.")


class CallbackNotFound(ServiceError, code="NOT_FOUND"):
    default = "No such callback of this session."


class TemplateNotFound(ServiceError, code="NOT_FOUND"):
    default = "No such template."


class TemplateNotActive(ServiceError, code="TEMPLATE_NOT_ACTIVE"):
    default = "The template is a draft; activate it before creating sessions from it."


class NoNextVersion(ServiceError, code="NOT_FOUND"):
    default = "The template has no next version. Save one first."


class TemplateArchived(ServiceError, code="TEMPLATE_ARCHIVED"):
    default = "The template is archived; restore it first."


class InvalidVariableValues(_InvalidMembers[RequestIssue], code="INVALID_VARIABLE_VALUES"):
    default = "The values of the template's variables are not valid."


class InvalidBatch(_InvalidMembers[RequestIssue], code="INVALID_BATCH"):
    """Rows of a batch are not valid. Reports the first of their `issues`, and the number of all.

    `has_more`: there are more issues, which were not counted.
    """

    default = "The batch is not valid."

    def __init__(self, issues: Sequence[RequestIssue], *, has_more: bool = False) -> None:
        super().__init__(issues, MAX_BATCH_ISSUES)
        most = f"{MAX_BATCH_ISSUES:,}"
        if self.is_cut or has_more:
            number = f"more than {most}" if has_more else f"{len(issues):,}"
            self.message = f"The batch is not valid: {number} issues, of which the first {most} are listed."


class BatchNotFound(ServiceError, code="NOT_FOUND"):
    default = "No such batch."


class UnsupportedMediaType(ServiceError, code="UNSUPPORTED_MEDIA_TYPE"):
    default = "Send the body as application/json."


class IdempotencyKeyReused(ServiceError, code="IDEMPOTENCY_KEY_REUSED"):
    default = "This Idempotency-Key was used for another request; take a new key for each request."


class IdempotencyInProgress(ServiceError, code="IDEMPOTENCY_IN_PROGRESS"):
    default = "The first request with this Idempotency-Key is in progress; try again shortly."


class CursorOutdated(ServiceError, code="CURSOR_OUTDATED"):
    default = (
        "The database was restored to a moment before this cursor, so the feed has no such place. Give an earlier "
        "cursor that you kept, or none, and leave out the events whose `eventId` you have."
    )


class HistoryNotWhole(ServiceError, code="HISTORY_NOT_WHOLE"):
    default = (
        "The history of this session in the database does not match its record, so it has no certificate. Trying "
        "again does not help: have the operator run `undersign verify --session`."
    )


class RateLimited(ServiceError, code="RATE_LIMITED"):
    """The client has exceeded its rate limit; the same request may succeed after `seconds`."""

    default = "Too many requests; wait as many seconds as Retry-After says."

    def __init__(self, seconds: int, advice: str = "") -> None:
        self.seconds = seconds
        super().__init__(f"{self.default}{advice}")


class ConfirmationNotValid(ServiceError, code="CONFIRMATION_NOT_VALID"):
    default = (
        "This confirmation is invalid or has expired: it is valid for 5 minutes, for one unchanged session and one "
        "client. Leave confirmationToken out to get a new one."
    )


class RecipientBudgetSpent(ServiceError, code="RECIPIENT_BUDGET_SPENT"):
    """`recipients` more recipients would exceed the `allowed` number per day. The next day begins in `seconds`."""

    default = "This client may email no more people today. Send tomorrow (UTC), or have a person send it in the app."

    def __init__(self, allowed: int, recipients: int, seconds: int) -> None:
        self.seconds = seconds
        way = "Send to fewer at once" if recipients > allowed else "Wait until the next day of UTC"
        super().__init__(
            f"This client may email {allowed} recipients a day; {recipients} more would exceed that. {way}, have a "
            "person send it in the app, or have the person who approved the client allow more."
        )


class RecipientDomainNotAllowed(ServiceError, code="RECIPIENT_DOMAIN_NOT_ALLOWED"):
    """The client may email recipients at the `allowed` domains only, not at the `refused` ones."""

    default = "This client may not email recipients at that domain. Have a person send it in the app."

    def __init__(self, refused: Sequence[str], allowed: Sequence[str]) -> None:
        self.allowed = tuple(allowed)
        super().__init__(
            f"This client may email recipients at {', '.join(allowed)} only, not at {', '.join(refused)}. Have a "
            "person send it in the app, or have the person who approved the client allow that domain."
        )


class InvalidBase64(ServiceError, code="INVALID_BASE64"):
    default = "The member data is not base64 (RFC 4648, section 4, without line breaks)."


class InvalidFileType(ServiceError, code="INVALID_FILE_TYPE"):
    """An upload that is not accepted. `issues` has the page that readers show differently, if that is the reason."""

    default = "The file is damaged, or its type is not accepted here."

    def __init__(self, message: str | None = None, issues: Sequence[PageIssue] = ()) -> None:
        super().__init__(message)
        self.issues = tuple(issues)


class UploadNotFound(ServiceError, code="NOT_FOUND"):
    default = "No such upload."


class UploadUsed(ServiceError, code="CONFLICT"):
    default = (
        "A session or a template uses this upload. It is deleted with the last session that uses it, when that is "
        "deleted permanently."
    )


class FileTooLarge(ServiceError, code="FILE_TOO_LARGE"):
    default = (
        "The file is too large: an image may have 2 MB (2,097,152 bytes), "
        "a PDF 7 MB (7,340,032 bytes). Save it smaller."
    )


class StorageFull(ServiceError, code="STORAGE_FULL"):
    default = (
        "The uploads of your organisation take all the room that they may. Delete uploads that no session uses, or "
        "sessions permanently; the operator can allow more."
    )


class BodyTooLarge(ServiceError, code="BODY_TOO_LARGE"):
    """The request body has more than `size` bytes."""

    default = "The body is larger than this address accepts. Send less at once, and pictures by Upload Image."

    def __init__(self, size: int) -> None:
        super().__init__(
            f"The body is larger than the {size:,} bytes that this address accepts. "
            "Send less at once, and pictures by Upload Image."
        )
