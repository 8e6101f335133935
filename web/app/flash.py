"""What came of an act, told on the page to which it leads: the address names one of our own sentences."""

from http import HTTPStatus
from typing import NamedTuple

from fastapi import Request, Response
from fastapi.responses import RedirectResponse

from web.app.action_texts import ActingTexts


class FlashMessage(NamedTuple):
    """A sentence. `is_error`: nothing was done."""

    words: str
    is_error: bool


def redirect_with_flash(path: str, *, done: str = "", sorry: str = "") -> Response:
    """To `path`, where that is told."""
    told = f"?done={done}" if done else f"?sorry={sorry}" if sorry else ""
    return RedirectResponse(f"{path}{told}", HTTPStatus.SEE_OTHER)


def said(request: Request, texts: ActingTexts) -> FlashMessage | None:
    """What the address says that came of an act."""
    sorry, done = request.query_params.get("sorry", ""), request.query_params.get("done", "")
    if sorry in texts.sorry:
        return FlashMessage(texts.sorry[sorry], is_error=True)
    return FlashMessage(texts.done[done], is_error=False) if done in texts.done else None
