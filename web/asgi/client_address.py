"""The network address of a client: the peer of the connection, or the address that a trusted proxy reports.

The audit context of a request contains it.
"""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Any, Literal

from fastapi import Request

from domain.audit.events import Actor, AuditContext

MAX_USER_AGENT = 512
"""Maximum characters of the `User-Agent` that are recorded."""


def proxy_options(trusted_proxies: str) -> Mapping[str, Any]:
    """Returns uvicorn's options that trust `X-Forwarded-For` from these proxies: addresses and networks with commas.

    If other peers were trusted, they could choose the address that rate limits count and histories record.
    """
    return {"proxy_headers": bool(trusted_proxies), "forwarded_allow_ips": trusted_proxies}


def client_address(request: Request) -> IPv4Address | IPv6Address | None:
    """Returns the client's address; None if none is valid. IPv4-mapped IPv6 becomes IPv4."""
    try:
        address = ip_address(request.client.host if request.client else "")
    except ValueError:
        return None
    if isinstance(address, IPv4Address):
        return address
    return None if address.scope_id else address.ipv4_mapped or address


ForwardedFor = Literal["used", "ignored", "absent"]
"""Whether the address of the client is that in `X-Forwarded-For`, or the header is of no trusted proxy, or missing."""


def use_of_forwarded_for(request: Request) -> ForwardedFor:
    values = ",".join(request.headers.getlist("x-forwarded-for"))
    if not values:
        return "absent"
    # An address may have a port, and brackets around IPv6.
    host = re.escape(request.client.host if request.client else "")
    return "used" if re.search(rf"(^|[\s,\[]){host}($|[\s,\]:])", values) else "ignored"


def audit_context_of(request: Request, actor: Actor) -> AuditContext:
    """Returns the audit context of an action that `actor` takes now by this request."""
    address, user_agent = client_address(request), request.headers.get("user-agent")
    return AuditContext(
        at=datetime.now(UTC),
        actor=actor,
        ip=str(address) if address else None,
        user_agent=user_agent[:MAX_USER_AGENT] if user_agent else None,
    )
