"""Errors of the domain.

The names of the subclasses of `SigningError` are recorded in histories (`by_name`), so they never change. Messages say
what to do next and contain no personal data. `asgi/error_handlers.py` maps them to HTTP.
"""


class SigningError(Exception):
    """Base class of the errors that the rules of signing raise."""

    default = "The request was refused."

    def __init__(self, message: str | None = None) -> None:
        self.message = message or self.default
        super().__init__(self.message)


class SessionNotFound(SigningError):
    default = "The session does not exist."


class NotADraft(SigningError):
    default = "Only a draft can be sent; this session was sent before, or is archived."


class NoRecipients(SigningError):
    default = "The session has no recipients; add at least one before sending."


class IncompleteRecipients(SigningError):
    default = "A recipient has no name or no email address; complete all recipients before sending."


class AlreadyArchived(SigningError):
    default = "The session is archived already. Pass permanent=true to delete it permanently, or restore it."


class NotArchived(SigningError):
    default = "The session is not archived, so there is nothing to restore."


class SessionNotActive(SigningError):
    default = "The session is not open for signing."


class RecipientNotFound(SigningError):
    default = "No such recipient in this session."


class RecipientNotActive(SigningError):
    default = "This recipient has finished, or others sign first; only recipients whose turn it is can be invited."


class TooOften(SigningError):
    """The hourly limit of an action that sends mails is reached. `seconds`: the time until a retry may succeed."""

    default = "This was done 10 times within an hour, which is the maximum; try again an hour later."
    seconds = 3600


class ExpiryNotLater(SigningError):
    default = (
        "Recipients rely on the expiry date that their invitation states, so it can only be moved to a later day, or "
        "removed. Give more days, or null."
    )


class NotDue(SigningError):
    """An effect of time or of the service is not due yet, or no longer due."""

    default = "This is not due yet, or no longer due."


class NotYourTurn(SigningError):
    default = "Others sign first. An invitation follows when it is this recipient's turn."


class AddressTaken(SigningError):
    default = "A recipient of this session has this address already. Give the address of another person."


class AlreadySigned(SigningError):
    default = "This recipient has signed already."


class LinkNotValid(SigningError):
    default = "This link does not work, or a newer one has replaced it."


class SessionNotCompleted(SigningError):
    default = "Signing has not finished; documents and certificate follow when every recipient has signed."


class DocumentNotReady(SigningError):
    default = "The signed PDF is still being generated; try again shortly."


class DocumentsDiffer(SigningError):
    default = (
        "A signed PDF of this session is lost, or was not made from what its recipients entered, so there is no "
        "certificate. The operator of the service finds out more with undersign verify --session."
    )


class FileNotFound(SigningError):
    default = "No such file in this session."


class BatchEnded(SigningError):
    default = "The batch has ended: it was completed, refused or cancelled."


class BatchNotEnded(SigningError):
    default = "The batch has not ended; cancel it before deleting it."


class BatchBeingChecked(SigningError):
    default = "The rows are being checked, and no session exists yet. Try again once the batch runs, or cancel it."


class Unavailable(SigningError):
    default = "The service cannot reach one of its backends right now. Nothing was lost; try again shortly."


def by_name() -> dict[str, type[SigningError]]:
    """Returns the error classes by name. A failed update carries the name as its failure type."""
    return {kind.__name__: kind for kind in SigningError.__subclasses__()}


class ConfigError(Exception):
    """A process cannot start with its configuration. Each line says what is wrong and what to do."""

    def __init__(self, *lines: str) -> None:
        super().__init__("\n".join(lines))
        self.lines = lines
