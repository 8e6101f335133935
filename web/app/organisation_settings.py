"""The name, time zone and language of the organisation, and the origins whose pages may frame signing pages."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from fastapi import Request, Response

from application.administration.record_settings import record_settings
from application.read_entries import MAX_NAME, read_language, read_line, read_origins, read_time_zone
from application.time_zones import time_zone_names
from web.app.app_router import FormEntries, administration_router
from web.app.current_user import CurrentAudit, CurrentUser, InjectedForm, SignedInUser
from web.app.responses import NO_PROBLEMS, FlashMessage, flash_message_of, perform, render_form
from web.asgi.dependencies import InjectedServices
from web.page_route import READ

router = administration_router("/settings")

_HERE = "/app/organisation/settings"


@router.api_route("", methods=READ)
async def show_settings(request: Request, person: CurrentUser) -> Response:
    organisation = person.organisation
    origins = "\n".join(organisation.frame_origins)
    values = {
        "name": organisation.name,
        "time_zone": organisation.time_zone,
        "frame_origins": origins,
        "language": organisation.language or "",
    }
    return _page(person, values, flash=flash_message_of(request))


@router.post("")
async def save_settings(services: InjectedServices, posted: InjectedForm, audit: CurrentAudit) -> Response:
    """Stores name, time zone, language and frame origins; shows the page again if an entry is invalid."""
    entries = FormEntries(posted.form)
    name = entries.read("name", partial(read_line, most=MAX_NAME))
    zone = entries.read("time_zone", read_time_zone)
    origins = entries.read("frame_origins", read_origins)
    language = entries.read("language", read_language)
    if name is None or zone is None or origins is None or entries.problems:
        return _page(posted.person, posted.form, problems=entries.problems)
    before = posted.person.organisation
    changed = replace(before, name=name, time_zone=zone, frame_origins=origins, language=language)

    async def act() -> None:
        await services.organisations.change(before, changed)
        await record_settings(services.acts, audit, before, changed)

    return await perform(act(), _HERE, "organisation-saved")


def _page(
    person: SignedInUser,
    values: Mapping[str, str],
    problems: Mapping[str, str] = NO_PROBLEMS,
    flash: FlashMessage | None = None,
) -> Response:
    zones = sorted(time_zone_names())
    return render_form(
        "app/organisation-settings.html", problems, person=person, values=values, zones=zones, flash=flash
    )
