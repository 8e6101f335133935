"""Shared by the pages of administrators: their router, the entries of forms, and the texts for errors."""

from collections.abc import Callable, Mapping
from typing import TypeVar

import structlog
from fastapi import APIRouter, Depends, Request

from application.administration.api_clients import ClientUnchangeable
from application.administration.read_entries import InvalidEntry
from application.role_rights import ADMINISTER
from domain.shared.ids import is_identifier
from ports.database import LastAdministrator
from web.app.app_router import app_router
from web.app.current_user import CurrentUser
from web.errors import OUTAGES
from web.forms import PostedForm

T = TypeVar("T")

ERROR_CODES: Mapping[type[Exception], str] = {
    LastAdministrator: "last-administrator",
    ClientUnchangeable: "client-unchangeable",
    **dict.fromkeys(OUTAGES, "unavailable"),
}
"""The key in the table `errors` of `web/texts/app.toml` for each error. Each of them leaves everything unchanged."""


async def _bind_administrator(request: Request, person: CurrentUser) -> None:
    """Adds the administrator, and the user or client in the path, to the log line of the request."""
    about = next((value for value in request.path_params.values() if is_identifier(value)), None)
    structlog.contextvars.bind_contextvars(
        organisation_id=person.organisation_id, administrator=person.user.user_id, about=about
    )


def administration_router(path: str) -> APIRouter:
    """Returns a router for administrators only."""
    router = app_router(f"/organisation{path}", read=ADMINISTER, write=ADMINISTER)
    router.dependencies.append(Depends(_bind_administrator))
    return router


class FormEntries:
    """Reads the entries of a form. `problems` has the message for each invalid entry, by the name of its input."""

    def __init__(self, form: PostedForm) -> None:
        self.form = form
        self.problems: dict[str, str] = {}

    def read(self, name: str, parse: Callable[[str], T]) -> T | None:
        """Returns the parsed entry of the input `name`; None if it is invalid, with a message in `problems`."""
        try:
            return parse(self.form.get(name, ""))
        except InvalidEntry as error:
            self.problems[name] = str(error)
            return None
