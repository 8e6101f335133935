"""The programs that people let work for their organisation: shown, and ended."""

from datetime import UTC, datetime
from typing import NamedTuple

from fastapi import Response

from application.services import Services
from ports.oauth_grants import Grant
from web.app.current_user import SignedInUser, UserForm
from web.app.flash import redirect_with_flash
from web.app.rendering import OUTAGES

_HERE = "/app/organisation"


class GrantUsage(NamedTuple):
    """A grant, and how many recipients it has mailed today."""

    grant: Grant
    spent: int


async def find_grants(services: Services, person: SignedInUser) -> list[GrantUsage]:
    """Those of the person's organisation, the latest first."""
    now = datetime.now(UTC)
    found = await services.grants.list(person.organisation_id, now)
    return [
        GrantUsage(grant, await services.budgets.count_charged(grant.client.client_id, now.date())) for grant in found
    ]


async def revoke_grant(services: Services, posted: UserForm) -> Response:
    """Ends the grant that the form names; another organisation's is none."""
    now, wanted = datetime.now(UTC), posted.form.get("client", "")
    try:
        own = {grant.client.client_id for grant in await services.grants.list(posted.person.organisation_id, now)}
        ended = [await services.organisations.revoke_client(client_id, now) for client_id in own & {wanted}]
    except OUTAGES:
        return redirect_with_flash(_HERE, error="unavailable")
    return redirect_with_flash(_HERE, done="ended") if ended else redirect_with_flash(_HERE, error="no-grant")
