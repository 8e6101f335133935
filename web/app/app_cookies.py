"""The cookies of the app: their names and attributes."""

from datetime import timedelta

from fastapi import Response

from application.services import Services


def cookie_name(base_url: str) -> str:
    # Browsers accept the prefix `__Host-` only with Secure, and Secure only over https.
    return "__Host-undersign-app" if base_url.startswith("https:") else "undersign-app"


def set_cookie(response: Response, services: Services, name: str, value: str, lifetime: timedelta) -> None:
    """Sets a cookie of the app; with an empty `value`, deletes it."""
    # Lax: browsers send the cookie when a link in an email or another app (`draftUrl`) opens a page of the app.
    is_secure = services.base_url.startswith("https:")
    seconds = int(lifetime.total_seconds()) if value else 0
    response.set_cookie(name, value, max_age=seconds, path="/", secure=is_secure, httponly=True, samesite="lax")
