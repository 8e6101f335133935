"""Errors that the service raises before any signing rule applies. All derive from `ServiceError`.

`asgi/error_handlers.py` maps each error to an HTTP status and a code.
"""

from collections.abc import Sequence
from typing import NamedTuple

from schemas.errors import FiledIssue

MOST_ISSUES = 100
"""Maximum number of issues reported for one request."""


class RequestIssue(NamedTuple):
    """An issue of a request: its JSON pointer and the advice for the client."""

    path: str
    message: str


class ServiceError(Exception):
    """Base of the errors of the service. `default` is the message of an error that is raised without one."""

    default = "The request was refused."

    def __init__(self, message: str | None = None) -> None:
        self.message = message or self.default
        super().__init__(self.message)


class Unauthorized(ServiceError):
    default = "A valid access token is required: get one at /oidc/token and send it as a Bearer token."


class InvalidToken(Unauthorized):
    default = "The access token is not valid, or not any more: get a new one at /oidc/token, send it as a Bearer token."


class InsufficientScope(ServiceError):
    """The token is valid but lacks `scope`."""

    default = "The access token does not allow this."

    def __init__(self, scope: str) -> None:
        self.scope = scope
        super().__init__(f"This needs the scope {scope}; ask for it when you get the access token.")


class InvalidRequest(ServiceError):
    default = "The request is not valid."

    def __init__(self, issues: Sequence[RequestIssue]) -> None:
        self.issues = tuple(issues[:MOST_ISSUES])
        super().__init__(f"The request is not valid: {_counted(len(issues))}.")


class DocumentValidationFailed(ServiceError):
    default = "A document cannot be laid out as it is written."

    def __init__(self, issues: Sequence[FiledIssue]) -> None:
        self.issues = tuple(issues[:MOST_ISSUES])
        super().__init__(f"Document validation failed: {_counted(len(issues))}.")


class NotAcceptable(ServiceError):
    """The header `Accept` allows none of the types in `offered`."""

    default = "The response is not available in that form."

    def __init__(self, offered: Sequence[str]) -> None:
        super().__init__(f"{self.default} Ask for {' or '.join(offered)} in the header Accept.")


class CallbackNotFound(ServiceError):
    default = "No such callback of this session."


class TemplateNotFound(ServiceError):
    default = "No such template."


class TemplateNotActive(ServiceError):
    default = "The template is a draft; activate it before making sessions from it."


class TemplateArchived(ServiceError):
    default = "The template is archived; restore it before making sessions from it."


class InvalidVariableValues(ServiceError):
    default = "The values of the template's variables are not valid."

    def __init__(self, issues: Sequence[RequestIssue]) -> None:
        self.issues = tuple(issues[:MOST_ISSUES])
        super().__init__(f"The values of the template's variables are not valid: {_counted(len(issues))}.")


class UnsupportedMediaType(ServiceError):
    default = "Send the body as application/json."


class IdempotencyKeyReused(ServiceError):
    default = "This Idempotency-Key was used for another request; take a new key for each request."


class IdempotencyInProgress(ServiceError):
    default = "The first request with this Idempotency-Key is in progress; try again shortly."


class CursorOutdated(ServiceError):
    default = (
        "The database was restored to a moment before this cursor, so the feed has no such place. Give an earlier "
        "cursor that you kept, or none, and leave out the events whose `eventId` you have."
    )


class HistoryNotWhole(ServiceError):
    default = (
        "The history of this session in the database is not the one that its record tells of, so no certificate "
        "is made of it. Trying again does not help: have the operator run `undersign verify --session`."
    )


class RateLimited(ServiceError):
    """The client has exceeded its rate limit; the same request may succeed after `seconds`."""

    default = "Too many requests; wait as many seconds as Retry-After says."

    def __init__(self, seconds: int) -> None:
        self.seconds = seconds
        super().__init__()


class ConfirmationNotValid(ServiceError):
    default = (
        "This confirmation is not valid, or not any more: it holds for 5 minutes, for one session as it was then, and "
        "for whoever asked for it. Leave confirmationToken out to get a new one."
    )


class RecipientBudgetSpent(ServiceError):
    """The client may email `allowed` recipients a day. `asked` more exceed that. The next day is in `seconds`."""

    default = "This client may mail no more people today. Send tomorrow (UTC), or have a person send it in the app."

    def __init__(self, allowed: int, asked: int, seconds: int) -> None:
        self.seconds = seconds
        way = "Send to fewer at once" if asked > allowed else "Wait until the next day of UTC"
        super().__init__(
            f"This client may mail {allowed} recipients a day, which {asked} more would exceed. {way}, have a person "
            "send it in the app, or have whoever let the client in allow more."
        )


class RecipientDomainNotAllowed(ServiceError):
    """The client may email recipients at the `allowed` domains only, not at the `refused` ones."""

    default = "This client may not mail recipients at that domain. Have a person send it in the app."

    def __init__(self, refused: Sequence[str], allowed: Sequence[str]) -> None:
        super().__init__(
            f"This client may mail recipients at {', '.join(allowed)} only, not at {', '.join(refused)}. Have a person "
            "send it in the app, or have whoever let the client in allow that domain."
        )


class InvalidBase64(ServiceError):
    default = "The member data is not base64 (RFC 4648, section 4, without line breaks)."


class InvalidFileType(ServiceError):
    default = "The file is damaged, or of a kind that is not taken here."


class UploadNotFound(ServiceError):
    default = "No such upload."


class UploadUsed(ServiceError):
    default = (
        "A session or a template uses this upload. It is deleted with the last session that uses it, when that is "
        "deleted permanently."
    )


class FileTooLarge(ServiceError):
    default = (
        "The file is too large: an image may have 2 MB (2,097,152 bytes), "
        "a PDF 7 MB (7,340,032 bytes). Save it smaller."
    )


class BodyTooLarge(ServiceError):
    """The request body has more than `size` bytes."""

    default = "The body is larger than this address takes. Send less at once, and pictures by Upload Image."

    def __init__(self, size: int) -> None:
        super().__init__(
            f"The body is larger than the {size:,} bytes that this address takes. "
            "Send less at once, and pictures by Upload Image."
        )


def _counted(number: int) -> str:
    if number > MOST_ISSUES:
        return f"more than {MOST_ISSUES} issues, of which the first {MOST_ISSUES} are listed"
    return "1 issue" if number == 1 else f"{number} issues"
