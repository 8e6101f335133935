"""Starts sign-ins of users.

`web.app.current_user` reads it.
"""

import secrets
from datetime import timedelta
from http import HTTPStatus

import structlog
from fastapi import Request, Response
from fastapi.responses import RedirectResponse

from application.services import Services
from domain.audit.events import Actor, ActorKind
from domain.ports.sign_ins import Member, SignIn
from domain.shared.object_names import digest
from web.app.app_cookies import cookie_name, set_cookie
from web.app.known_browser import remember_browser
from web.asgi.client_address import audit_context_of

SIGN_IN_LIFETIME = timedelta(hours=12)
"""One working day. The user of a lost device is signed out by the next morning."""

log = structlog.get_logger(__name__)


async def start_sign_in(request: Request, services: Services, member: Member, return_to: str, *, by: str) -> Response:
    """Signs `member` in and redirects to `return_to`. `by` is the method of the sign-in, for the log."""
    key, user = secrets.token_urlsafe(32), member.user
    audit = audit_context_of(request, Actor(kind=ActorKind.USER, id=user.user_id))
    sign_in = SignIn(
        secret_sha256=digest(key.encode()),
        user_id=user.user_id,
        began_at=audit.at,
        ends_at=audit.at + SIGN_IN_LIFETIME,
        generation=member.standing.generation,
        ip=audit.ip,
        user_agent=audit.user_agent,
    )
    await services.sign_ins.start(sign_in)
    log.info("a user signed in", by=by, user_id=user.user_id, organisation_id=user.organisation_id)
    response = RedirectResponse(return_to, HTTPStatus.SEE_OTHER)
    set_cookie(response, services, cookie_name(services.base_url), key, SIGN_IN_LIFETIME)
    remember_browser(request, response, services, user.email)
    return response
