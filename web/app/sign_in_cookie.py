"""The cookie of a signed-in user: its name, lifetime and attributes, and the sign-in that it belongs to.

`web.app.current_user` reads it.
"""

import secrets
from datetime import UTC, datetime, timedelta
from http import HTTPStatus

import structlog
from fastapi import Response
from fastapi.responses import RedirectResponse

from application.services import Services
from domain.shared.object_names import digest
from ports.database import User
from ports.sign_ins import SignIn

SIGN_IN_LIFETIME = timedelta(hours=12)
"""One working day. The user of a lost device is signed out by the next morning."""

log = structlog.get_logger(__name__)


def cookie_name(base_url: str) -> str:
    # Browsers accept the prefix `__Host-` only with Secure, and Secure only over https.
    return "__Host-undersign-app" if base_url.startswith("https:") else "undersign-app"


def set_cookie(response: Response, services: Services, name: str, value: str, lifetime: timedelta) -> None:
    """Sets a cookie of the app; with an empty `value`, deletes it."""
    # Lax: browsers send the cookie when a link in an email or another app (`draftUrl`) opens a page of the app.
    is_secure = services.base_url.startswith("https:")
    seconds = int(lifetime.total_seconds()) if value else 0
    response.set_cookie(name, value, max_age=seconds, path="/", secure=is_secure, httponly=True, samesite="lax")


async def start_sign_in(services: Services, user: User, return_to: str, *, by: str) -> Response:
    """Signs `user` in and redirects to `return_to`. `by` is the method of the sign-in, for the log."""
    key, at = secrets.token_urlsafe(32), datetime.now(UTC)
    await services.sign_ins.start(SignIn(digest(key.encode()), user.user_id, at, at + SIGN_IN_LIFETIME))
    log.info("a user signed in", by=by, user_id=user.user_id, organisation_id=user.organisation_id)
    response = RedirectResponse(return_to, HTTPStatus.SEE_OTHER)
    set_cookie(response, services, cookie_name(services.base_url), key, SIGN_IN_LIFETIME)
    return response
