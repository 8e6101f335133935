"""The audit context of a request: time, actor, IP address and user agent, for the events of a session."""

from datetime import UTC, datetime

from fastapi import Request

from asgi.client_address import client_address
from domain.audit.events import Actor, AuditContext

MAX_USER_AGENT = 512
"""Characters of the `User-Agent` that are recorded."""


def audit_context_of(request: Request, actor: Actor) -> AuditContext:
    """Returns the audit context of an action that `actor` takes now by this request."""
    address, user_agent = client_address(request), request.headers.get("user-agent")
    return AuditContext(
        at=datetime.now(UTC),
        actor=actor,
        ip=str(address) if address else None,
        user_agent=user_agent[:MAX_USER_AGENT] if user_agent else None,
    )
