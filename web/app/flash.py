"""Flash messages: the query of an address names the sentence that a page shows about the previous action."""

from http import HTTPStatus
from typing import NamedTuple

from fastapi import Request, Response
from fastapi.responses import RedirectResponse

from web.texts import APP


class FlashMessage(NamedTuple):
    """The result of an action in one sentence. `is_error`: the action changed nothing."""

    text: str
    is_error: bool


def redirect_with_flash(path: str, *, done: str = "", error: str = "") -> Response:
    """Redirects to `path`, which shows the sentence called `done` or `error`."""
    query = f"?done={done}" if done else f"?error={error}" if error else ""
    return RedirectResponse(f"{path}{query}", HTTPStatus.SEE_OTHER)


def flash_message_of(request: Request) -> FlashMessage | None:
    """Returns the message that the address of `request` names; None without one, or for an unknown name."""
    for table in ("error", "done"):
        text = APP.table("errors" if table == "error" else table).get(request.query_params.get(table, ""))
        if text is not None:
            return FlashMessage(text, is_error=table == "error")
    return None
