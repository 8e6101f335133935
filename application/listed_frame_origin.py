"""The origins whose pages may frame the signing pages of an organisation (Specification 4.27)."""

from application.services import Services
from domain.shared.ids import OrganisationId


async def listed_origin(services: Services, organisation_id: OrganisationId, origin: str | None) -> str | None:
    """Returns `origin` if the organisation still lists it; None otherwise."""
    if origin is None:
        return None
    organisation = await services.organisations.get(organisation_id)
    return origin if organisation and origin in organisation.frame_origins else None
