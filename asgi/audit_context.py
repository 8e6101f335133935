"""When, by whom and from where a request does something: what the history of a session keeps of it."""

from datetime import UTC, datetime

from fastapi import Request

from asgi.client_address import client_address
from domain.audit.events import Actor, AuditContext

MAX_USER_AGENT = 512
"""Characters kept of what a browser calls itself; more would only fill histories."""


def audit_context_of(request: Request, actor: Actor) -> AuditContext:
    """This request, now, as an act of `actor`."""
    address, user_agent = client_address(request), request.headers.get("user-agent")
    return AuditContext(
        at=datetime.now(UTC),
        actor=actor,
        ip=str(address) if address else None,
        user_agent=user_agent[:MAX_USER_AGENT] if user_agent else None,
    )
