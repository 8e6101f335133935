"""Responses of the app: redirects to the sign-in page, forms, and flash messages, whose keys are in the query."""

from collections.abc import Awaitable, Mapping
from http import HTTPStatus
from types import MappingProxyType
from typing import NamedTuple
from urllib.parse import urlencode

from fastapi import Request, Response
from fastapi.responses import RedirectResponse

from domain.shared.errors import CodedError
from domain.shared.ids import is_identifier
from web.html_response import render
from web.texts import APP


def redirect_to_sign_in(request: Request, to: str | None = None, *, is_again: bool = False) -> Response:
    """Redirects to the sign-in page. After the sign-in follows the page `to`, by default the page of `request`.

    `is_again`: the user is signed in, but not recently enough.
    """
    query = {"to": to or _page_of(request), **({"again": "1"} if is_again else {})}
    return RedirectResponse(f"/app/sign-in?{urlencode(query)}", HTTPStatus.SEE_OTHER)


def _page_of(request: Request) -> str:
    if request.method == "GET" or request.url.path == "/app/authorize":
        return request.url.path + (f"?{request.url.query}" if request.url.query else "")
    if "session_id" in request.path_params:
        return f"/app/sessions/{request.path_params['session_id']}"
    if request.url.path.startswith("/app/organisation/"):
        _, _, _, section, *rest = request.url.path.split("/")
        return "/".join(["/app/organisation", section, *filter(is_identifier, rest[:1])])
    return "/app"


class FlashMessage(NamedTuple):
    """The result of an action in one sentence. `is_error`: the action changed nothing."""

    text: str
    is_error: bool


def redirect_with_flash(path: str, *, done: str = "", error: str = "") -> Response:
    """Redirects to `path`, which shows the sentence with the key `done` or `error`."""
    query = f"?done={done}" if done else f"?error={error}" if error else ""
    return RedirectResponse(f"{path}{query}", HTTPStatus.SEE_OTHER)


NO_KEYS: Mapping[type[CodedError], str] = MappingProxyType({})


def error_key(error: CodedError, keys: Mapping[type[CodedError], str] = NO_KEYS) -> str:
    """Returns the key of the sentence for `error` in the table `errors` of `web/texts/app.toml`.

    It is the code of the error, or the key in `keys` of its class or its nearest base. Raises an `error` without a
    sentence.
    """
    code = error.code.lower().replace("_", "-")
    key = next((keys[kind] for kind in type(error).__mro__ if kind in keys), code)
    if key and key not in APP.table("errors"):
        raise error
    return key


def shown_once(page: Response, then: str) -> Response:
    """Returns a page with a new secret. The same form, posted again, redirects to the address `then`."""
    page.status_code = HTTPStatus.CREATED
    page.headers["Content-Location"] = then
    return page


async def perform(
    action: Awaitable[object], path: str, done: str, to: str = "", keys: Mapping[type[CodedError], str] = NO_KEYS
) -> Response:
    """Awaits `action`, then redirects to `to` (by default `path`), which shows the sentence `done`.

    After an error that has a sentence (`error_key`), redirects to `path`, which shows that.
    """
    try:
        await action
    except CodedError as error:
        return redirect_with_flash(path, error=error_key(error, keys))
    return redirect_with_flash(to or path, done=done)


NO_PROBLEMS: Mapping[str, str] = MappingProxyType({})


def render_form(template: str, problems: Mapping[str, str], **context: object) -> Response:
    """Returns a page with a form; its status is 422 if there are `problems`, by the name of the input."""
    status = HTTPStatus.UNPROCESSABLE_ENTITY if problems else HTTPStatus.OK
    return render(template, status, problems=problems, **context)


def flash_message_of(request: Request) -> FlashMessage | None:
    """Returns the message that the query of `request` names; None if it names none, or an unknown one."""
    for parameter, table in (("error", "errors"), ("done", "done")):
        text = APP.table(table).get(request.query_params.get(parameter, ""))
        if text is not None:
            return FlashMessage(text, is_error=parameter == "error")
    return None
