"""Embedded signing: addresses for recipients, and the origins whose pages may frame them (Specification 4.27, 4.28)."""

from dataclasses import replace

from fastapi import APIRouter

from application.administration.record_settings import record_settings
from application.caller import get_organisation
from application.schemas.signing_urls import FrameOriginsRead, FramingUpdate, SigningUrlCreate, SigningUrlCreated
from application.sessions.create_signing_url import create_signing_url as make_signing_url
from domain.shared.errors import RecipientNotActive, SessionNotActive
from web.asgi.dependencies import InjectedServices
from web.asgi.error_handlers import error_responses
from web.asgi.query_validation import StrictRoute
from web.asgi.required_scopes import OpenableRecipientId, OpenableSession, OrganisationWriteCaller, SigningUrlCaller
from web.asgi.route_signature import JsonBody, OptionalJsonBody

router = APIRouter(route_class=StrictRoute, prefix="/api/v1", tags=["Embedded signing"])


@router.post("/Session/{sessionId}/Recipients/{recipientId}/SigningUrl", include_in_schema=False)
@router.post(
    "/Session/{sessionId}/Recipient/{recipientId}/SigningUrl",
    responses=error_responses(SessionNotActive, RecipientNotActive),
)
async def create_signing_url(
    session: OpenableSession,
    recipient_id: OpenableRecipientId,
    body: OptionalJsonBody[SigningUrlCreate],
    caller: SigningUrlCaller,
    services: InjectedServices,
) -> SigningUrlCreated:
    """Creates an address that opens the documents for one recipient, once, within 10 minutes, without an email.

    The person who opens the address acts as the recipient, so identify them first. The events of the visit name your
    program, and the certificate and the seal say that it identified the recipient. With `recipientVerification`
    `emailCode` the recipient enters a code too. For a recipient who has signed, the address opens their copy.

    Request each address when the recipient is about to sign. The visit lasts 2 hours, and needs no cookies.
    """
    return await make_signing_url(services, caller, session, recipient_id, body)


@router.get("/FrameOrigins")
async def list_frame_origins(caller: OrganisationWriteCaller, services: InjectedServices) -> FrameOriginsRead:
    """Lists the origins whose pages may frame the signing pages of the organisation."""
    return FrameOriginsRead(frame_origins=(await get_organisation(services.organisations, caller)).frame_origins)


@router.put("/FrameOrigins")
async def save_frame_origins(
    caller: OrganisationWriteCaller, body: JsonBody[FramingUpdate], services: InjectedServices
) -> FrameOriginsRead:
    """Saves the origins whose pages may frame the signing pages of the organisation: all of them at once.

    An origin that is left out can no longer frame any page, not even in visits that have begun.
    """
    organisation = await get_organisation(services.organisations, caller)
    changed = replace(organisation, frame_origins=tuple(dict.fromkeys(body.frame_origins)))
    await services.organisations.change(organisation, changed)
    await record_settings(services.acts, caller.audit, organisation, changed)
    return FrameOriginsRead(frame_origins=changed.frame_origins)
