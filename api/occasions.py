"""When, by whom and from where a request does something: what the history of a session keeps of it."""

from datetime import UTC, datetime

from fastapi import Request

from domain.events import Actor, Occasion

MAX_USER_AGENT = 512
"""Characters kept of what a browser calls itself; more would only fill histories."""


def occasion_of(request: Request, actor: Actor) -> Occasion:
    """This request, now, as an act of `actor`."""
    user_agent = request.headers.get("user-agent")
    return Occasion(
        at=datetime.now(UTC),
        actor=actor,
        ip=request.client.host if request.client else None,
        user_agent=user_agent[:MAX_USER_AGENT] if user_agent else None,
    )
