"""The rights that the routes of the app need: those of the signed-in user's role (Specification 5.6).

`application.role_rights` lists the rights of each role; templates ask `SignedInUser.may` for their buttons.
"""

from typing import Annotated

from fastapi import Depends, Request

from application.scopes import Scope
from asgi.dependencies import InjectedServices
from web.app.current_user import CurrentUser
from web.errors import RightMissing
from web.forms import check_same_origin


def _check_origin_of_post(request: Request, services: InjectedServices) -> None:
    """Raises `CrossSitePost` when another site made the browser post."""
    if request.method == "POST":
        check_same_origin(request, services.base_url)


class RequiredRights:
    """A dependency that raises `RightMissing` unless the user has the right `read`, for a form the right `write`."""

    def __init__(self, read: str, write: str) -> None:
        self._read = read
        self._write = write

    def __call__(
        self,
        request: Request,
        _: Annotated[None, Depends(_check_origin_of_post)],  # before the sign-in is checked
        person: CurrentUser,
    ) -> None:
        if not person.may(self._write if request.method == "POST" else self._read):
            raise RightMissing


WRITERS_ONLY = Depends(RequiredRights(Scope.WRITE_SESSIONS, Scope.WRITE_SESSIONS))
"""For the pages that confirm an act which needs the right to send sessions."""
