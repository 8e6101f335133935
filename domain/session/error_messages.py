"""Messages of errors: actions that the status of a session does not allow, and invalid form input of recipients.

Each says the reason and the next step. `make catalogues` extracts those about form input for translation.
"""

from collections.abc import Mapping
from datetime import datetime

from domain.session.fields import FieldKind
from domain.session.snapshot import SessionSnapshot
from domain.session.status import FINISHED, OPEN_FOR_SIGNING, SessionStatus
from domain.shared.errors import NotADraft, SessionNotActive, SessionNotCompleted
from domain.texts.languages import marked

NO_EMAILS = "This recipient gets no emails (delivery is none); use Create Signing Url."

NO_REFUSED_MAIL = (
    "No mail about the end was rejected for this recipient. To correct the address of one who has not finished, use "
    "Update Recipient."
)

_SEND = "The session is a draft; use Send."
_RESTORE = "The session is archived; use Restore."
_SIGNED = "All recipients have signed."
_LATER = "Documents and certificate follow when every recipient has signed."
_ENDED = {
    SessionStatus.DECLINED: "A recipient declined, which ended the session",
    SessionStatus.EXPIRED: "The session expired before all had signed",
}
_Reasons = Mapping[SessionStatus, str]

_NOT_ACTIVE: _Reasons = {
    SessionStatus.DRAFT: f"{_SEND} That invites the first recipients.",
    **{status: f"{why}; no recipient can sign any more. Create a new session." for status, why in _ENDED.items()},
    **dict.fromkeys(FINISHED, f"{_SIGNED} There is no recipient to invite."),
    **dict.fromkeys(OPEN_FOR_SIGNING, "Recipients can be invited again."),
}
_NOT_COMPLETED: _Reasons = {
    SessionStatus.DRAFT: f"{_SEND} {_LATER}",
    **{
        status: f"{why}; there will be no signed documents and no certificate. Create a new session."
        for status, why in _ENDED.items()
    },
    **dict.fromkeys(FINISHED, "Documents and certificate can be downloaded again."),
    **dict.fromkeys(OPEN_FOR_SIGNING, f"Signing has not finished. {_LATER}"),
}
_NOT_A_DRAFT: _Reasons = {
    SessionStatus.DRAFT: "It can be sent.",
    **{status: f"{why}; it cannot be sent again. Create a new session." for status, why in _ENDED.items()},
    **dict.fromkeys(FINISHED, f"The session was sent already. {_SIGNED}"),
    **dict.fromkeys(OPEN_FOR_SIGNING, "The session was sent already; use Send Invitation to invite a recipient again."),
}
_NOT_EDITABLE: _Reasons = {
    **_NOT_A_DRAFT,
    SessionStatus.DRAFT: "It can be changed.",
    **{status: f"{why}; it cannot be changed. Create a new session." for status, why in _ENDED.items()},
    **dict.fromkeys(
        OPEN_FOR_SIGNING,
        "The session was sent, so only expiryDays, reminderEnabled and reminderFrequency can be changed; use Update "
        "Recipient to correct a name or an email address.",
    ),
}


def not_active(session: SessionSnapshot, at: datetime | None = None) -> SessionNotActive:
    """Returns the error of an action on a session that is not open for signing.

    With `at`, a passed expiry date counts even if the session is not expired yet.
    """
    has_expired = at is not None and session.status in OPEN_FOR_SIGNING and session.has_expired(at)
    return SessionNotActive(_NOT_ACTIVE[SessionStatus.EXPIRED] if has_expired else _reason(session, _NOT_ACTIVE))


def not_completed(session: SessionSnapshot) -> SessionNotCompleted:
    """Returns the error of downloading signed documents or the certificate too early."""
    return SessionNotCompleted(_reason(session, _NOT_COMPLETED))


def not_a_draft(session: SessionSnapshot) -> NotADraft:
    """Returns the error of sending a session that is not a draft."""
    return NotADraft(_reason(session, _NOT_A_DRAFT))


def not_editable(session: SessionSnapshot) -> NotADraft:
    """Returns the error of editing a session that is not a draft."""
    return NotADraft(_reason(session, _NOT_EDITABLE))


def _reason(session: SessionSnapshot, reasons: _Reasons) -> str:
    """Returns the reason for the status; for an archived session, also the reason that applies after a restore."""
    before = session.previous_status
    if session.status is not SessionStatus.CANCELLED or before is None:
        return reasons[session.status]
    then = reasons[before][0].lower() + reasons[before][1:]
    if before in _ENDED:
        return f"The session is archived, and restoring it does not help: {then}"
    return f"{_RESTORE} After that: {then}"


# A message begins with a word of its own language, not with the label: the first letter sets the direction on the page.
FILL_IN = marked("Fill in “{label}”.")
CHOOSE = marked("Choose an option for “{label}”.")
CHOOSE_OFFERED = marked("Choose one of the options that are offered for “{label}”.")
INITIALS = marked("Add your initials to “{label}”.")
TICK = marked("Tick “{label}” to continue.")
TICK_SOME = marked("Tick at least one option of “{label}”.")
TICK_OFFERED = marked("Tick only options that are offered for “{label}”.")
SHORTEN = marked("Shorten “{label}” to {longest} characters.")
MARKS = marked("Remove accents and marks from “{label}”: one letter has more than {most}.")
DATE_FORMATS = (
    marked("DD/MM/YYYY"), marked("DD/MM/YY"), marked("MM/DD/YYYY"), marked("MM/DD/YY"), marked("YYYY-MM-DD"),
    marked("MM/YYYY"), marked("MM/YY"),
)  # fmt: skip
"""The formats of dates. Languages have letters of their own for day, month and year, which are shown only."""

NO_SUCH_DATE = marked("The date in “{label}” does not exist. Check the day and the month.")
EITHER_DATE = marked("The date in “{label}” may be {first} or {second}. Write it in one of these two ways.")
EITHER_NUMBER = marked("“{label}” may be {whole} or {decimal}. Write it in one of these two ways.")

UNREADABLE = {
    FieldKind.DATE: marked("Write “{label}” as a date in the form {format}, for example {example}."),
    FieldKind.NUMBER: marked("Write “{label}” as a number, for example 1250.50."),
    FieldKind.EMAIL: marked("Write “{label}” as an email address, for example name@example.com."),
    FieldKind.AU_MOBILE: marked(
        "Write “{label}” as an Australian mobile number, for example 0491 570 156 or +61 491 570 156."
    ),
}
