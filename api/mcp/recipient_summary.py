"""Whom sending a session emails, in words: said before it is sent, and after."""

from collections.abc import Sequence
from typing import Protocol

from pydantic import TypeAdapter

from domain.session.session import SessionStatus
from schemas.session_read import SessionRead

_SESSION = TypeAdapter(SessionRead)


class Addressed(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def email(self) -> str: ...
    @property
    def signing_order(self) -> int: ...


def of_session(body: str) -> str:
    """For the answer (JSON) that shows a session: whom sending it will email, or has emailed."""
    session = _SESSION.validate_json(body)
    if session.status is SessionStatus.DRAFT:
        return f"This is a draft: nobody has been emailed. send_session will email {_in_order(session.recipients)}."
    return sent_to(session.recipients)


def sent_to(recipients: Sequence[Addressed]) -> str:
    """For recipients of a session that was sent."""
    return f"Sent. An invitation goes by email to {_in_order(recipients)}."


def _in_order(recipients: Sequence[Addressed]) -> str:
    orders = sorted({recipient.signing_order for recipient in recipients})
    groups = [" and ".join(f"{r.name} <{r.email}>" for r in recipients if r.signing_order == order) for order in orders]
    first, *others = groups
    return (
        first
        if not others
        else f"{first} now; to those after them when all before them have signed: {', then '.join(others)}"
    )
