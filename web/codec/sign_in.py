"""Operators, identified by a bearer token or by the cookie that holds one."""

from datetime import UTC, datetime

from fastapi import Request, Response
from fastapi.responses import RedirectResponse

from application.operator_tokens import Operator
from application.services import CodecConfig
from web.form_bodies import check_same_origin, read_form
from web.rendering import render

PATH = "/codec"
COOKIE = "undersign-operator"


def token_of(request: Request) -> str:
    """Returns the token of the request; empty without one."""
    scheme, _, presented = request.headers.get("authorization", "").partition(" ")
    return presented.strip() if scheme.lower() == "bearer" else request.cookies.get(COOKIE, "")


def operator_of(request: Request, config: CodecConfig) -> Operator | None:
    """Returns the operator who sent the request, if any."""
    token = token_of(request)
    return config.operators.find(token, datetime.now(UTC)) if token else None


def show_sign_in(request: Request, config: CodecConfig, *, refused: bool = False) -> Response:
    """Shows the form for a token, and the operator who is signed in."""
    operator = operator_of(request, config)
    page = render("codec.html", 403 if refused else 200, operator=operator, refused=refused)
    page.headers["Content-Language"] = "en"
    return page


async def sign_in(request: Request, config: CodecConfig, base_url: str) -> Response:
    """Stores the token in a cookie that expires with it.

    Raises:
        CrossSitePost: another site made the browser post.
    """
    check_same_origin(request, base_url)
    form = await read_form(request)
    token = form.get("token", "").strip()
    operator = config.operators.find(token, datetime.now(UTC))
    if operator is None:
        return show_sign_in(request, config, refused=True)
    answer = RedirectResponse(PATH, 303)
    is_secure = base_url.startswith("https:")
    answer.set_cookie(
        COOKIE,
        token,
        expires=operator.until,
        path=PATH,
        secure=is_secure,
        httponly=True,
        # The Temporal UI may be another site: its requests carry the cookie with None only, which browsers accept
        # over https only. Without https both are on one machine.
        samesite="none" if is_secure else "lax",
    )
    return answer
