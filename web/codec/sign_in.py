"""Who asks: an operator, by a token in the header or by the cookie that was had for one."""

from datetime import UTC, datetime

from fastapi import Request, Response
from fastapi.responses import RedirectResponse

from application.codec import CodecDesk
from application.operator_tokens import Operator
from web.form_bodies import check_same_origin, read_form
from web.rendering import render

PATH = "/codec"
COOKIE = "undersign-operator"


def token_of(request: Request) -> str:
    """The token with which somebody asks; empty without one."""
    scheme, _, presented = request.headers.get("authorization", "").partition(" ")
    return presented.strip() if scheme.lower() == "bearer" else request.cookies.get(COOKIE, "")


def operator_of(request: Request, desk: CodecDesk) -> Operator | None:
    """The operator who asks, if one does."""
    token = token_of(request)
    return desk.operators.find(token, datetime.now(UTC)) if token else None


def show_sign_in(request: Request, desk: CodecDesk, *, refused: bool = False) -> Response:
    """The form that takes a token; says who is signed in."""
    operator = operator_of(request, desk)
    page = render(request, "codec.html", 403 if refused else 200, operator=operator, refused=refused)
    page.headers["Content-Language"] = "en"
    return page


async def sign_in(request: Request, desk: CodecDesk, base_url: str) -> Response:
    """Has the browser keep the token until its time is over.

    Raises:
        CrossSitePost: another site made the browser post.
    """
    check_same_origin(request, base_url)
    form = await read_form(request)
    token = form.get("token", "").strip()
    operator = desk.operators.find(token, datetime.now(UTC))
    if operator is None:
        return show_sign_in(request, desk, refused=True)
    answer = RedirectResponse(PATH, 303)
    is_secure = base_url.startswith("https:")
    answer.set_cookie(
        COOKIE,
        token,
        expires=operator.until,
        path=PATH,
        secure=is_secure,
        httponly=True,
        # The Temporal UI may be another site, whose requests carry the cookie with None only; browsers take that
        # over https alone. Without it both are on one machine.
        samesite="none" if is_secure else "lax",
    )
    return answer
