"""The cookie of a browser in which a user has signed in before.

It gives no access. Requests for sign-in links from such a browser are counted apart from those of strangers, who
therefore cannot use up the user's own.
"""

import secrets
from datetime import timedelta

from fastapi import Request, Response
from itsdangerous import BadData, URLSafeTimedSerializer

from application.services import Services
from domain.shared.key_files import SIGNING, oldest_first
from domain.shared.object_names import digest
from web.app.app_cookies import cookie_name, set_cookie

_LIFETIME = timedelta(days=180)
_ID_BYTES = 16


def remember_browser(request: Request, response: Response, services: Services, email: str) -> None:
    """Sets the cookie for the user with the address `email`, who has just signed in."""
    browser = find_known_browser(request, services, email) or secrets.token_urlsafe(_ID_BYTES)
    content = str(_serializer(services).dumps([browser, digest(email.encode())]))
    set_cookie(response, services, _name(services), content, _LIFETIME)


def find_known_browser(request: Request, services: Services, email: str) -> str | None:
    """Returns the random name of the browser if the latest user who signed in there has the address `email`."""
    try:
        browser, address = _serializer(services).loads(
            request.cookies.get(_name(services), ""), max_age=int(_LIFETIME.total_seconds())
        )
    except BadData:
        return None
    return str(browser) if secrets.compare_digest(str(address), digest(email.encode())) else None


def _name(services: Services) -> str:
    return f"{cookie_name(services.base_url)}-known"


def _serializer(services: Services) -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(oldest_first(services.keys.cookie), salt="undersign.app.known", signer_kwargs=SIGNING)
