"""What came of an act, told on the page to which it leads: the address names one of our own sentences."""

from http import HTTPStatus
from typing import NamedTuple

from fastapi import Request, Response
from fastapi.responses import RedirectResponse

from web.app.action_texts import ActingTexts


class Said(NamedTuple):
    """A sentence. `is_sorry`: nothing was done."""

    words: str
    is_sorry: bool


def lead_to(path: str, *, done: str = "", sorry: str = "") -> Response:
    """To `path`, where that is told."""
    told = f"?done={done}" if done else f"?sorry={sorry}" if sorry else ""
    return RedirectResponse(f"{path}{told}", HTTPStatus.SEE_OTHER)


def said(request: Request, texts: ActingTexts) -> Said | None:
    """What the address says that came of an act."""
    sorry, done = request.query_params.get("sorry", ""), request.query_params.get("done", "")
    if sorry in texts.sorry:
        return Said(texts.sorry[sorry], is_sorry=True)
    return Said(texts.done[done], is_sorry=False) if done in texts.done else None
