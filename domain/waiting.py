"""What a session waits for now, as one plain sentence (contract 5, `waitingFor`)."""

from domain.recipients import ACTIVE, Recipient
from domain.session import OPEN_FOR_SIGNING, Session, SessionStatus


def waiting_for(session: Session, *, by_key: bool = False) -> str:
    """The sentence. It names people, for the session's own organisation; operators get their keys (`by_key`)."""

    def called(recipient: Recipient) -> str:
        return recipient.key if by_key else recipient.name

    if session.status is SessionStatus.DRAFT:
        return "Waiting to be sent."
    if session.status in OPEN_FOR_SIGNING:
        names = [called(r) for r in session.recipients if r.status in ACTIVE]
        undelivered = [called(r) for r in session.recipients if r.awaits_delivery]
        if undelivered:
            return f"Waiting for the invitation to {_and(undelivered)} to be delivered."
        return f"Waiting for the signature of {_and(names)}."
    if session.status is SessionStatus.COMPLETED:
        left = sum(1 for f in session.files if f.signed is None)
        return f"Waiting for {left} signed {'document' if left == 1 else 'documents'} to be generated."
    if session.status is SessionStatus.CANCELLED:
        return "Archived; waiting for nothing unless it is restored."
    return "Finished; waiting for nothing."


def _and(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
