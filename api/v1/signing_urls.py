"""Embedded signing: addresses for recipients, and the origins whose pages may frame them (Specification 4.27, 4.28)."""

from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Depends, Request

from application.administration.record_settings import record_settings
from application.caller import Caller, get_organisation
from application.schemas.signing_urls import FrameOriginsRead, FramingUpdate, SigningUrlCreate, SigningUrlCreated
from application.sessions.create_signing_url import create_signing_url as make_signing_url
from domain.session.session import Session
from domain.shared.errors import RecipientNotActive, RecipientNotFound, SessionNotActive, SessionNotFound
from web.asgi.dependencies import InjectedReader, InjectedServices
from web.asgi.error_handlers import error_responses
from web.asgi.json_body import json_body, read_json, read_optional_json
from web.asgi.query_validation import StrictRoute
from web.asgi.required_scopes import OrganisationWriteCaller, RecipientIdPath, SessionIdPath, SigningUrlCaller

router = APIRouter(route_class=StrictRoute, prefix="/api/v1", tags=["Embedded signing"])

_BODY = json_body(SigningUrlCreate, required=False)


async def get_session(caller: SigningUrlCaller, reader: InjectedReader, session_id: SessionIdPath) -> Session:
    """Returns the session in the path, for a caller who may open documents for its recipients."""
    return await reader.get(caller.organisation_id, session_id)


async def get_signing_url_create(
    request: Request, session: Annotated[Session, Depends(get_session)], recipient_id: RecipientIdPath
) -> tuple[Session, SigningUrlCreate]:
    """Returns the body, read after the session and the recipient are found."""
    try:
        session.recipient(recipient_id)
    except RecipientNotFound as error:
        raise SessionNotFound(error.message) from error
    return session, await read_optional_json(request, SigningUrlCreate)


@router.post("/Session/{sessionId}/Recipients/{recipientId}/SigningUrl", include_in_schema=False, openapi_extra=_BODY)
@router.post(
    "/Session/{sessionId}/Recipient/{recipientId}/SigningUrl",
    responses=error_responses(SessionNotActive, RecipientNotActive),
    openapi_extra=_BODY,
)
async def create_signing_url(
    call: Annotated[tuple[Session, SigningUrlCreate], Depends(get_signing_url_create)],
    recipient_id: RecipientIdPath,
    caller: SigningUrlCaller,
    services: InjectedServices,
) -> SigningUrlCreated:
    """Creates an address that opens the documents for one recipient, once, within 10 minutes, without an email.

    The person who opens the address acts as the recipient, so identify them first. The events of the visit name your
    program, and the certificate and the seal say that it identified the recipient. With `recipientVerification`
    `emailCode` the recipient enters a code too. For a recipient who has signed, the address opens their copy.

    Request each address when the recipient is about to sign. The visit lasts 2 hours, and needs no cookies.
    """
    session, request = call
    return await make_signing_url(services, caller, session, recipient_id, request)


@router.get("/FrameOrigins")
async def list_frame_origins(caller: OrganisationWriteCaller, services: InjectedServices) -> FrameOriginsRead:
    """Lists the origins whose pages may frame the signing pages of the organisation."""
    return FrameOriginsRead(frame_origins=(await get_organisation(services.organisations, caller)).frame_origins)


async def get_frame_origins(request: Request, caller: OrganisationWriteCaller) -> tuple[Caller, FramingUpdate]:
    """Returns the body, read after the caller is authorised."""
    return caller, await read_json(request, FramingUpdate)


@router.put("/FrameOrigins", openapi_extra=json_body(FramingUpdate))
async def save_frame_origins(
    call: Annotated[tuple[Caller, FramingUpdate], Depends(get_frame_origins)], services: InjectedServices
) -> FrameOriginsRead:
    """Saves the origins whose pages may frame the signing pages of the organisation: all of them at once.

    An origin that is left out can no longer frame any page, not even in visits that have begun.
    """
    caller, request = call
    organisation = await get_organisation(services.organisations, caller)
    changed = replace(organisation, frame_origins=tuple(dict.fromkeys(request.frame_origins)))
    await services.organisations.change(organisation, changed)
    await record_settings(services.acts, caller.audit, organisation, changed)
    return FrameOriginsRead(frame_origins=changed.frame_origins)
