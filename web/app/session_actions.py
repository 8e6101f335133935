"""The buttons of a session's page. Each runs a use case and redirects to a flash message with the result."""

from collections.abc import Awaitable, Mapping
from http import HTTPStatus

from fastapi import Depends, Response

from application.scopes import Scope
from application.services import Services
from application.sessions import organisation_actions, redeliver
from application.sessions.organisation_actions import single_attempt
from asgi.dependencies import InjectedServices
from domain.session.list_query import casefolded
from domain.session.session import Session
from domain.shared import errors
from domain.shared.ids import EventId, RecipientId
from ports.session_requests import InviteRequest
from web.app.current_user import CurrentAudit, CurrentUser, InjectedForm
from web.app.responses import app_router, redirect_with_flash
from web.app.rights import RouteRights
from web.app.session_page import OwnSession
from web.errors import OUTAGES
from web.html_response import render
from web.page_route import READ
from web.texts import APP

router = app_router("/sessions/{session_id}")

_ERROR_CODES: Mapping[type[Exception], str] = {
    errors.NotADraft: "not-a-draft",
    errors.NoRecipients: "no-recipients",
    errors.IncompleteRecipients: "incomplete",
    errors.AlreadyArchived: "already-archived",
    errors.NotArchived: "not-archived",
    errors.SessionNotActive: "not-active",
    errors.RecipientNotActive: "not-their-turn",
    errors.TooOften: "too-often",
    **dict.fromkeys(OUTAGES, "unavailable"),
}
"""The sentence for each error in `web/texts/app.toml`. The session is unchanged in all these cases."""


@router.post("/send")
async def send(services: InjectedServices, _: InjectedForm, session: OwnSession, audit: CurrentAudit) -> Response:
    return await _run(session, organisation_actions.send(services, session, audit, single_attempt()), "sent")


@router.post("/recipients/{recipient_id}/invite")
async def invite(
    services: InjectedServices, _: InjectedForm, session: OwnSession, audit: CurrentAudit, recipient_id: RecipientId
) -> Response:
    request = InviteRequest(audit=audit, recipient_id=recipient_id)
    return await _run(session, organisation_actions.invite(services, session, request, single_attempt()), "invited")


@router.post("/archive")
async def archive(services: InjectedServices, _: InjectedForm, session: OwnSession, audit: CurrentAudit) -> Response:
    return await _run(session, organisation_actions.archive(services, session, audit), "archived")


@router.post("/restore")
async def restore(services: InjectedServices, _: InjectedForm, session: OwnSession, audit: CurrentAudit) -> Response:
    return await _run(session, organisation_actions.restore(services, session, audit), "restored")


_DELETERS_ONLY = Depends(RouteRights(Scope.DELETE_SESSIONS, Scope.DELETE_SESSIONS))


@router.api_route("/delete", methods=READ, dependencies=[_DELETERS_ONLY])
async def confirm_deletion(person: CurrentUser, session: OwnSession) -> Response:
    """Shows the page that asks for the name of the session before it is deleted permanently."""
    return render("app/delete.html", person=person, session=session, typed="", problem="")


@router.post("/delete", dependencies=[_DELETERS_ONLY])
async def delete(
    services: InjectedServices, posted: InjectedForm, session: OwnSession, audit: CurrentAudit
) -> Response:
    """Deletes the session permanently if the typed name is right; otherwise shows the confirmation page again."""
    typed = posted.form.get("name", "")
    if _normalised(typed) != _normalised(session.name):
        context = {"person": posted.person, "session": session, "typed": typed, "problem": APP.delete_wrong}
        return render("app/delete.html", HTTPStatus.UNPROCESSABLE_ENTITY, **context)
    return await _run(session, organisation_actions.erase(services, session, audit), "deleted", to="/app")


@router.post("/callbacks/{event_id}/redeliver")
async def redeliver_callback(
    services: InjectedServices, _: InjectedForm, session: OwnSession, event_id: EventId
) -> Response:
    key = (session.organisation_id, session.session_id)
    return await _run(
        session, redeliver.redeliver(services.callbacks, services.deliveries, key, event_id), "redelivered"
    )


@router.post("/resume")
async def resume(services: InjectedServices, _: InjectedForm, session: OwnSession) -> Response:
    """Ends the pause of the receivers of the session's webhooks."""
    logged = await services.callbacks.log(session.organisation_id, session.session_id)
    return await _run(
        session, _resume(services, session, {each.receiver for each in logged if each.paused_since}), "resumed"
    )


async def _resume(services: Services, session: Session, receivers: set[str]) -> None:
    for receiver in receivers:
        await redeliver.resume(services.callbacks, services.deliveries, session.organisation_id, receiver)


async def _run(session: Session, action: Awaitable[object], done: str, to: str = "") -> Response:
    here = f"/app/sessions/{session.session_id}"
    try:
        await action
    except tuple(_ERROR_CODES) as error:
        code = next(_ERROR_CODES[kind] for kind in type(error).__mro__ if kind in _ERROR_CODES)
        return redirect_with_flash(here, error=code)
    return redirect_with_flash(to or here, done=done)


def _normalised(name: str) -> str:
    return casefolded(" ".join(name.split()))
