"""Flash messages: the query of an address names the sentence that a page shows about the previous action."""

from http import HTTPStatus
from typing import NamedTuple

from fastapi import Request, Response
from fastapi.responses import RedirectResponse

from web.app.action_texts import ActingTexts


class FlashMessage(NamedTuple):
    """The result of an action in one sentence. `is_error`: the action changed nothing."""

    text: str
    is_error: bool


def redirect_with_flash(path: str, *, done: str = "", error: str = "") -> Response:
    """Redirects to `path`, which shows the sentence called `done` or `error`."""
    query = f"?done={done}" if done else f"?error={error}" if error else ""
    return RedirectResponse(f"{path}{query}", HTTPStatus.SEE_OTHER)


def flash_message_of(request: Request, texts: ActingTexts) -> FlashMessage | None:
    """Returns the message that the address of `request` names; None without one, or for an unknown name."""
    error, done = request.query_params.get("error", ""), request.query_params.get("done", "")
    if error in texts.errors:
        return FlashMessage(texts.errors[error], is_error=True)
    return FlashMessage(texts.done[done], is_error=False) if done in texts.done else None
