"""The organisation's page: its people and programs, and the receivers of callbacks that are paused."""

from fastapi import Request, Response

from application.services import Services
from application.sessions import redeliver
from web.app.current_user import SignedInUser, UserForm
from web.app.flash import flash_message_of, redirect_with_flash
from web.app.grants import find_grants
from web.app.rendering import OUTAGES, show, texts_of

_HERE = "/app/organisation"


async def show_organisation(request: Request, services: Services, person: SignedInUser) -> Response:
    """What belongs to the organisation, to be looked at; receivers can be resumed, and grants ended."""
    owner = person.organisation_id
    return show(
        request,
        person,
        "organisation.html",
        people=await services.users.list(owner),
        clients=[client for client in await services.organisations.list_clients(owner) if client.secret_sha256],
        grants=await find_grants(services, person),
        paused=await services.callbacks.paused(owner),
        flash=flash_message_of(request, texts_of(request)),
    )


async def resume_receiver(services: Services, posted: UserForm) -> Response:
    """Ends the pause of the receiver that the form names; of one that is not paused nothing is changed."""
    receiver = posted.form.get("receiver", "")
    try:
        await redeliver.resume(services.callbacks, services.deliveries, posted.person.organisation_id, receiver or "-")
    except OUTAGES:
        return redirect_with_flash(_HERE, error="unavailable")
    return redirect_with_flash(_HERE, done="resumed")
