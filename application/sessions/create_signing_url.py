"""Creates addresses that open the documents once, for recipients whom a program identified (Specification 4.27)."""

import secrets
from datetime import UTC, datetime

from application.caller import Caller
from application.errors import InvalidRequest, RequestIssue
from application.schemas.signing_urls import SigningUrlCreate, SigningUrlCreated
from application.services import Services
from domain.ports.signing_urls import SigningUrl
from domain.session.session import Session
from domain.session.signing_links import Link, check_may_open, link_hash, make_token
from domain.shared.ids import OrganisationId, RecipientId
from domain.shared.limits import SIGNING_URL_LIFETIME


async def listed_origin(services: Services, organisation_id: OrganisationId, origin: str | None) -> str | None:
    """Returns `origin` if the organisation still lists it; None otherwise."""
    if origin is None:
        return None
    organisation = await services.organisations.get(organisation_id)
    return origin if organisation and origin in organisation.frame_origins else None


_NOT_LISTED = "This origin is not one of the frame origins of the organisation. Add it with Save Frame Origins."


async def create_signing_url(
    services: Services, caller: Caller, session: Session, recipient_id: RecipientId, request: SigningUrlCreate
) -> SigningUrlCreated:
    """Returns an address that opens the documents for the recipient, once, within `SIGNING_URL_LIFETIME`.

    Raises `RecipientNotFound`, `SessionNotActive`, `RecipientNotActive`, `InvalidRequest` for an origin that is not
    listed, or `DatabaseUnavailable`.
    """
    now = datetime.now(UTC)
    recipient = check_may_open(session, recipient_id, now)
    if await listed_origin(services, caller.organisation_id, request.origin) != request.origin:
        raise InvalidRequest([RequestIssue("/origin", _NOT_LISTED)])
    secret = secrets.token_bytes(32)
    url = SigningUrl(
        recipient_id=recipient_id,
        invitation=recipient.invitation.number,
        client_id=caller.client_id,
        origin=request.origin,
        return_url=request.return_url,
        ends_at=now + SIGNING_URL_LIFETIME,
        generation=caller.generation,
    )
    link = Link(session.organisation_id, session.session_id, link_hash(secret))
    await services.signing_urls.add(link, url, now)
    return SigningUrlCreated(
        session_id=session.session_id,
        recipient_id=recipient_id,
        url=f"{services.base_url}/open/{make_token(*link[:2], secret)}",
        expires_at=url.ends_at,
    )
