"""What a session waits for now, as one plain sentence (contract 5, `waitingFor`)."""

from domain.recipients import ACTIVE, Recipient, RecipientStatus
from domain.session import Session, SessionStatus
from domain.session_state import OPEN_FOR_SIGNING

_ALWAYS = {
    SessionStatus.DRAFT: "Waiting to be sent.",
    SessionStatus.EXPIRED: "Expired before all had signed; waiting for nothing.",
    SessionStatus.CANCELLED: "Archived; waiting for nothing unless it is restored.",
    SessionStatus.COMPLETED_AND_GENERATED: "Finished; waiting for nothing.",
}


def waiting_for(session: Session, *, by_key: bool = False) -> str:
    """The sentence. It names people, for the session's own organisation; operators get their keys (`by_key`)."""

    def called(recipient: Recipient) -> str:
        return recipient.key if by_key else recipient.name

    if session.status in OPEN_FOR_SIGNING:
        names = [called(r) for r in session.recipients if r.status in ACTIVE]
        undelivered = [called(r) for r in session.recipients if r.awaits_delivery]
        if undelivered:
            return f"Waiting for the invitation to {_and(undelivered)} to be delivered."
        until = f", until {session.expires_at:%d %B %Y %H:%M} UTC" if session.expires_at else ""
        return f"Waiting for the signature of {_and(names)}{until}."
    if session.status is SessionStatus.COMPLETED:
        left = sum(1 for f in session.files if f.signed is None)
        return f"Waiting for {left} signed {'document' if left == 1 else 'documents'} to be generated."
    if session.status is SessionStatus.DECLINED:
        names = [called(r) for r in session.recipients if r.status is RecipientStatus.DECLINED]
        return f"Declined by {_and(names)}; waiting for nothing."
    return _ALWAYS[session.status]


def _and(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
