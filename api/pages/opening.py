"""The way in: a link shows an invitation, and only its button opens the documents.

Mail scanners follow links and have no cookies to keep; nothing that they do here leaves a trace (contract 17).
"""

from contextlib import suppress
from http import HTTPStatus

from fastapi import Request, Response
from fastapi.responses import RedirectResponse

from api.occasions import occasion_of
from api.pages.rendering import render
from api.pages.visit import Visit, Visits, find_turn
from api.reading import SessionReader
from api.services import Services
from domain.errors import AlreadySigned, SessionNotActive
from domain.events import Actor, ActorKind
from domain.links import read_token
from workflows.messages import RecipientActRequest


async def show_invitation(request: Request, reader: SessionReader, token: str) -> Response:
    """Who asks whom to sign what, with a button. No effect whatever."""
    turn = await find_turn(reader, read_token(token))
    return render(
        request,
        "invitation.html",
        session=turn.session,
        recipient=turn.recipient,
        is_signed=turn.is_signed,
        token=token,
    )


async def open_documents(request: Request, services: Services, reader: SessionReader, token: str) -> Response:
    """Records that the recipient opened the documents, and exchanges the link's token for the cookie of a visit.

    Who has signed already gets the cookie too: their copy is behind it.
    """
    link = read_token(token)
    turn = await find_turn(reader, link)
    recipient_id = turn.recipient.recipient_id
    if not turn.is_signed:
        occasion = occasion_of(request, Actor(kind=ActorKind.RECIPIENT, id=recipient_id))
        if turn.session.view(recipient_id, occasion).events:  # the same device again leaves no trace
            view = RecipientActRequest(recipient_id=recipient_id, link_hash=link.link_hash, occasion=occasion)
            # What came in between, an expiry for one, is told where this leads.
            with suppress(AlreadySigned, SessionNotActive):
                await services.sessions.view(link.session_id, view)
    response = RedirectResponse(f"/signing/{recipient_id}", HTTPStatus.SEE_OTHER)
    Visits(services.keys.cookie, services.base_url).remember(response, Visit(link, recipient_id))
    return response
