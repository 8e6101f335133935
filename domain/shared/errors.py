"""The tree of errors that have a code, and those of the domain.

CodedError
|-- SigningError    a rule of signing refuses an act
|-- ServiceError    the service refuses a request before any rule applies (`application.errors`)
|-- Outage          a backend does not respond (`domain.ports`)
`-- PageError       a page cannot be shown (`web.errors`)

`web/asgi/error_handlers.py` has the HTTP status of each code.
"""

from typing import ClassVar


class CodedError(Exception):
    """Base of the errors that clients see. `message` says what to do next and has no personal data.

    `code` is for programs. `default` is the message of an error that is raised without one.
    """

    code: ClassVar[str]
    default = "The request was refused."

    def __init_subclass__(cls, code: str = "") -> None:
        super().__init_subclass__()
        if code:
            cls.code = code

    def __init__(self, message: str | None = None) -> None:
        self.message = message or self.default
        super().__init__(self.message)


class SigningError(CodedError):
    """Base of the errors that the rules of signing raise.

    The names of its subclasses are recorded in histories (`by_name`), so they never change.
    """


class SessionNotFound(SigningError, code="NOT_FOUND"):
    default = "The session does not exist."


class NotADraft(SigningError, code="NOT_A_DRAFT"):
    default = "Only a draft can be sent; this session was sent before, or is archived."


class NoRecipients(SigningError, code="NO_RECIPIENTS"):
    default = "The session has no recipients; add at least one before sending."


class IncompleteRecipients(SigningError, code="INCOMPLETE_RECIPIENTS"):
    default = "A recipient has no name or no email address; complete all recipients before sending."


class AlreadyArchived(SigningError, code="ALREADY_ARCHIVED"):
    default = "The session is archived already. Pass permanent=true to delete it permanently, or restore it."


class NotArchived(SigningError, code="NOT_ARCHIVED"):
    default = "The session is not archived, so there is nothing to restore."


class SessionNotActive(SigningError, code="SESSION_NOT_ACTIVE"):
    default = "The session is not open for signing."


class RecipientNotFound(SigningError, code="RECIPIENT_NOT_FOUND"):
    default = "No such recipient in this session."


class RecipientNotActive(SigningError, code="RECIPIENT_NOT_ACTIVE"):
    default = "This recipient has finished, or others sign first; only recipients whose turn it is can be invited."


class TooOften(SigningError, code="RATE_LIMITED"):
    """The hourly limit of an action that sends mails is reached. `seconds`: the time until a retry may succeed."""

    default = "This was done 10 times within an hour, which is the maximum; try again an hour later."
    seconds = 3600


class ExpiryNotLater(SigningError, code="INVALID_REQUEST"):
    default = (
        "Recipients rely on the expiry date that their invitation states, so it can only be moved to a later day, or "
        "removed. Give more days, or null."
    )


class NotDue(SigningError, code="CONFLICT"):
    """An effect of time or of the service is not due yet, or no longer due."""

    default = "This is not due yet, or no longer due."


class NotYourTurn(SigningError, code="RECIPIENT_NOT_ACTIVE"):
    default = "Others sign first. An invitation follows when it is this recipient's turn."


class AddressTaken(SigningError, code="INVALID_REQUEST"):
    default = "A recipient of this session has this address already. Give the address of another person."


class AlreadySigned(SigningError, code="RECIPIENT_NOT_ACTIVE"):
    default = "This recipient has signed already."


class LinkNotValid(SigningError, code="NOT_FOUND"):
    default = "This link does not work, or a newer one has replaced it."


class SessionNotCompleted(SigningError, code="SESSION_NOT_COMPLETED"):
    default = "Signing has not finished; documents and certificate follow when every recipient has signed."


class DocumentNotReady(SigningError, code="DOCUMENT_NOT_READY"):
    default = "The signed PDF is still being generated; try again shortly."


class DocumentsDiffer(SigningError, code="DOCUMENTS_DIFFER"):
    default = (
        "A signed PDF of this session is lost, or was not made from what its recipients entered, so there is no "
        "certificate. The operator of the service finds out more with undersign verify --session."
    )


class FileNotFound(SigningError, code="NOT_FOUND"):
    default = "No such file in this session."


class BatchEnded(SigningError, code="BATCH_ENDED"):
    default = "The batch has ended: it was completed, refused or cancelled."


class BatchNotEnded(SigningError, code="BATCH_NOT_ENDED"):
    default = "The batch has not ended; cancel it before deleting it."


class BatchBeingChecked(SigningError, code="BATCH_BEING_CHECKED"):
    default = "The rows are being checked, and no session exists yet. Try again once the batch runs, or cancel it."


class Unavailable(SigningError, code="UNAVAILABLE"):
    default = "The service cannot reach one of its backends right now. Nothing was lost; try again shortly."


class Outage(CodedError, code="UNAVAILABLE"):
    """Base of the errors of backends. Their texts name internals, so clients see `default`."""

    default = Unavailable.default

    def __init__(self, *internal: object) -> None:
        super().__init__()
        self.args = internal


def by_name() -> dict[str, type[SigningError]]:
    """Returns the error classes by name. A failed update carries the name as its failure type."""
    return {kind.__name__: kind for kind in SigningError.__subclasses__()}


class ConfigError(Exception):
    """A process cannot start with its configuration. Each line says what is wrong and what to do."""

    def __init__(self, *lines: str) -> None:
        super().__init__("\n".join(lines))
        self.lines = lines
