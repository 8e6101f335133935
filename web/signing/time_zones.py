"""The time zone in which a recipient signs."""

from collections.abc import Mapping
from datetime import datetime

from application.services import Services
from application.time_zones import time_zone_at
from domain.shared.ids import OrganisationId
from domain.shared.times import TimeZone

TIME_ZONE = "timeZone"
"""The input into which the script of the page writes the zone of the browser (IANA name)."""

_UTC = TimeZone(name="UTC", minutes_ahead=0)


async def find_time_zone(
    services: Services, form: Mapping[str, str], organisation_id: OrganisationId, at: datetime
) -> TimeZone:
    """The zone that `form` names; without one, or if no such zone is known, that of the organisation.

    Raises `DatabaseUnavailable`.
    """
    named = time_zone_at(form.get(TIME_ZONE, ""), at)
    if named is not None:
        return named
    organisation = await services.organisations.get(organisation_id)
    return (organisation and time_zone_at(organisation.time_zone, at)) or _UTC
