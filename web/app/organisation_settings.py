"""The name and the time zone of the organisation."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from http import HTTPStatus

from fastapi import Request, Response

from application.administration.entries import MAX_NAME, read_line, read_time_zone
from application.time_zones import time_zone_names
from asgi.dependencies import InjectedServices
from web.app.administration import FormEntries, administration_router, perform
from web.app.current_user import CurrentUser, InjectedForm, SignedInUser
from web.app.responses import flash_message_of
from web.html_response import render
from web.page_route import READ

router = administration_router("/settings")

_HERE = "/app/organisation/settings"


@router.api_route("", methods=READ)
async def show_settings(request: Request, person: CurrentUser) -> Response:
    values = {"name": person.organisation.name, "time_zone": person.organisation.time_zone}
    return _page(person, values, flash=flash_message_of(request))


@router.post("")
async def save_settings(services: InjectedServices, posted: InjectedForm) -> Response:
    """Stores name and time zone; shows the page again with all problems."""
    entries = FormEntries(posted.form)
    name = entries.read("name", partial(read_line, most=MAX_NAME))
    zone = entries.read("time_zone", read_time_zone)
    if name is None or zone is None:
        return _page(posted.person, posted.form, problems=entries.problems)
    changed = replace(posted.person.organisation, name=name, time_zone=zone)
    return await perform(services.organisations.add(changed), _HERE, "organisation-saved")


def _page(person: SignedInUser, values: Mapping[str, str], **context: object) -> Response:
    return render(
        "app/organisation-settings.html",
        HTTPStatus.UNPROCESSABLE_ENTITY if context.get("problems") else HTTPStatus.OK,
        **{"problems": {}, "flash": None, **context},
        person=person,
        values=values,
        zones=sorted(time_zone_names()),
    )
