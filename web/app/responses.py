"""Responses of the app: redirects to the sign-in page, forms, and flash messages named by the query."""

from collections.abc import Awaitable, Mapping
from http import HTTPStatus
from types import MappingProxyType
from typing import NamedTuple
from urllib.parse import urlencode

from fastapi import Request, Response
from fastapi.responses import RedirectResponse

from web.html_response import render
from web.texts import APP


def redirect_to_sign_in(request: Request, to: str | None = None) -> Response:
    """Redirects to the sign-in page, which leads to `to`; without it, to the page that `request` is about."""
    return RedirectResponse(f"/app/sign-in?{urlencode({'to': to or _page_of(request)})}", HTTPStatus.SEE_OTHER)


def _page_of(request: Request) -> str:
    if request.method == "GET" or request.url.path == "/app/authorize":
        return request.url.path + (f"?{request.url.query}" if request.url.query else "")
    if "session_id" in request.path_params:
        return f"/app/sessions/{request.path_params['session_id']}"
    return "/app"


class FlashMessage(NamedTuple):
    """The result of an action in one sentence. `is_error`: the action changed nothing."""

    text: str
    is_error: bool


def redirect_with_flash(path: str, *, done: str = "", error: str = "") -> Response:
    """Redirects to `path`, which shows the sentence called `done` or `error`."""
    query = f"?done={done}" if done else f"?error={error}" if error else ""
    return RedirectResponse(f"{path}{query}", HTTPStatus.SEE_OTHER)


def code_of(error: Exception, codes: Mapping[type[Exception], str]) -> str:
    """Returns the code in `codes` of the error, of its class or the nearest of its bases."""
    return next(codes[kind] for kind in type(error).__mro__ if kind in codes)


async def perform(
    action: Awaitable[object], codes: Mapping[type[Exception], str], path: str, done: str, to: str = ""
) -> Response:
    """Runs `action`, and redirects to the sentence `done` on the page `to`, or to the one for its error on `path`."""
    try:
        await action
    except tuple(codes) as error:
        return redirect_with_flash(path, error=code_of(error, codes))
    return redirect_with_flash(to or path, done=done)


NO_PROBLEMS: Mapping[str, str] = MappingProxyType({})


def render_form(template: str, problems: Mapping[str, str], **context: object) -> Response:
    """Returns a page with a form; its status is 422 if there are `problems`, by the name of the input."""
    status = HTTPStatus.UNPROCESSABLE_ENTITY if problems else HTTPStatus.OK
    return render(template, status, problems=problems, **context)


def flash_message_of(request: Request) -> FlashMessage | None:
    """Returns the message that the address of `request` names; None without one, or for an unknown name."""
    for parameter, table in (("error", "errors"), ("done", "done")):
        text = APP.table(table).get(request.query_params.get(parameter, ""))
        if text is not None:
            return FlashMessage(text, is_error=parameter == "error")
    return None
