"""Builds `waitingFor`: one sentence about the step that a session waits for (Specification 2.1)."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from domain.session.recipients import ACTIVE, Recipient, RecipientStatus
from domain.session.session import Session
from domain.session.status import OPEN_FOR_SIGNING, SessionStatus


class SideEffect(StrEnum):
    """A side effect that a session waits for."""

    INVITATION = "invitation"
    REMINDER = "reminder"
    DOCUMENT = "document"
    NOTICE = "notice"
    SEAL = "seal"


class RetryStatus(NamedTuple):
    """A side effect that has failed `failed` times and is retried at `next_at`, or now (None)."""

    effect: SideEffect
    failed: int
    error: str
    next_at: datetime | None


class SentenceTime(NamedTuple):
    """A time in a sentence, with its `strftime` format."""

    at: datetime
    form: str

    def __str__(self) -> str:
        return self.at.strftime(self.form)


Sentence = tuple[str | SentenceTime, ...]
"""A sentence in parts. Times are parts of their own, because names and answers of mail servers may look like times."""

_STOPPED = (
    "): its run in Temporal was terminated or is lost. No data of it is lost, and it goes on after an operator runs "
    "`undersign repair --apply`."
)

_ABOUT = {
    SideEffect.REMINDER: " to deliver a reminder",
    SideEffect.NOTICE: " to deliver a mail about it",
    SideEffect.SEAL: "",
}

_ALWAYS: Mapping[SessionStatus, str] = {
    SessionStatus.DRAFT: "Waiting to be sent",
    SessionStatus.EXPIRED: "Expired before everyone had signed",
    SessionStatus.CANCELLED: "Archived; it can be restored",
    SessionStatus.COMPLETED_AND_GENERATED: "Completed",
}


def has_pending_effects(session: Session) -> bool:
    """Returns whether a side effect is pending, failing ones included."""
    if session.status in OPEN_FOR_SIGNING:
        return any(r.has_pending_invitation or r.has_pending_reminder for r in session.recipients)
    return session.needs_documents or bool(session.due_outcome_mails) or bool(session.due_seals)


def waiting_for(session: Session, retries: Sequence[RetryStatus] = (), *, by_key: bool = False) -> str:
    """Returns the sentence as text (`waiting_sentence`)."""
    return "".join(map(str, waiting_sentence(session, retries, by_key=by_key)))


def waiting_sentence(session: Session, retries: Sequence[RetryStatus] = (), *, by_key: bool = False) -> Sentence:
    """Returns the sentence in parts. It contains the names of recipients or, with `by_key` (for operators), their keys.

    Of the pending side effects in `retries`, it mentions the one with the most failures.
    """
    if session.stopped_at is not None:
        return ("Stopped (found at ", SentenceTime(session.stopped_at, "%d %B %Y %H:%M UTC"), _STOPPED)
    plain = (_augmentation(session),) if session.due_seals else _plain(session, by_key=by_key)
    plain = (*plain, *_lost(session, by_key=by_key))
    troubled = [retry for retry in retries if retry.effect in _awaited(session)]
    if not troubled:
        return (*plain, ".")
    worst = max(troubled, key=lambda retry: retry.failed)
    about = _ABOUT.get(worst.effect, "")
    failed = f"; attempt {worst.failed}{about} failed: {worst.error.rstrip('. ')}; "
    if worst.next_at is None:
        return (*plain, failed, "the next one is under way.")
    return (*plain, failed, "next attempt at ", SentenceTime(worst.next_at, "%d %B %Y %H:%M:%S UTC"), ".")


def _awaited(session: Session) -> frozenset[SideEffect]:
    if session.needs_documents:
        return frozenset({SideEffect.DOCUMENT})
    if session.status not in OPEN_FOR_SIGNING:
        due = {SideEffect.NOTICE: session.due_outcome_mails, SideEffect.SEAL: session.due_seals}
        return frozenset(effect for effect, waiting in due.items() if waiting)
    if any(r.has_pending_invitation for r in session.recipients):
        return frozenset({SideEffect.INVITATION})
    return frozenset({SideEffect.REMINDER} if any(r.has_pending_reminder for r in session.recipients) else ())


def _plain(session: Session, *, by_key: bool) -> Sentence:
    """Returns the sentence without its full stop."""

    def called(recipient: Recipient) -> str:
        return recipient.key if by_key else recipient.name

    if session.status in OPEN_FOR_SIGNING:
        return _signatures(session, called, by_key=by_key)
    if session.underlying_status is SessionStatus.COMPLETED:
        left = sum(1 for f in session.files if f.signed is None)
        archived = "Archived; waiting" if session.status is SessionStatus.CANCELLED else "Waiting"
        return (f"{archived} for {left} signed {'document' if left == 1 else 'documents'} to be generated",)
    if session.status is SessionStatus.DECLINED:
        names = [called(r) for r in session.recipients if r.status is RecipientStatus.DECLINED]
        return (f"Declined by {_and(names)}",)
    return (_ALWAYS[session.status],)


def _signatures(session: Session, called: Callable[[Recipient], str], *, by_key: bool) -> Sentence:
    undelivered = [called(r) for r in session.recipients if r.has_pending_invitation]
    if undelivered:
        return (f"Waiting for the invitation to {_and(undelivered)} to be delivered",)
    if any(r.is_unreachable for r in session.recipients):
        return (_unreachable(session, called, by_key=by_key),)
    plain = f"Waiting for {_acts_of([r for r in session.recipients if r.status in ACTIVE], called)}"
    if session.expires_at is None:
        return (plain,)
    return (plain, ", until ", SentenceTime(session.expires_at, "%d %B %Y %H:%M UTC"))


def _lost(session: Session, *, by_key: bool) -> Sentence:
    """Returns the end of the sentence about rejected mails about the end, if there are any."""
    lost = [(r, mail) for r in session.recipients if (mail := session.refused_mail_of(r.recipient_id))]
    if not lost:
        return ()
    answers = "" if by_key else f" ({'; '.join(sorted({mail.refusal for _, mail in lost}))})"
    names = _and([r.key if by_key else r.name for r, _ in lost])
    return (f"; the mail about it to {names} was refused{answers}: send it again, also to another address",)


def _augmentation(session: Session) -> str:
    due = session.due_seals
    files = "1 document" if len(due) == 1 else f"{len(due)} documents"
    goals = _and(sorted({file.seal_goal.value for file in due if file.seal_goal}))
    done = "Archived" if session.status is SessionStatus.CANCELLED else "Completed"
    return f"{done}; waiting for the seal of {files} to be raised to {goals}"


def _unreachable(session: Session, called: Callable[[Recipient], str], *, by_key: bool) -> str:
    """Returns the sentence about rejected invitations.

    The response of the mail server may contain an address, so it is left out with `by_key`.
    """
    lost = [r for r in session.recipients if r.is_unreachable]
    answers = [] if by_key else sorted({r.invitation.refusal for r in lost if r.invitation.refusal})
    answered = f" ({'; '.join(answers)})" if answers else ""
    others = [r for r in session.recipients if r.status in ACTIVE and not r.is_unreachable]
    also = f"; also waiting for {_acts_of(others, called)}" if others else ""
    return (
        f"The invitation to {_and([called(r) for r in lost])} was refused{answered}; correct the address, or send the "
        f"invitation again once the address accepts email{also}"
    )


def _acts_of(recipients: Sequence[Recipient], called: Callable[[Recipient], str]) -> str:
    """Returns the signatures and approvals that are missing. `recipients` must not be empty."""
    acts = {
        "the signature of": [called(r) for r in recipients if r.signs],
        "the approval of": [called(r) for r in recipients if r.approves],
    }
    return " and ".join(f"{act} {_and(names)}" for act, names in acts.items() if names)


def _and(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
