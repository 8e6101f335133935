"""The handlers of the buttons of a session's page: each runs a use case and redirects to a flash message.

`web.app.session_page` decides which buttons are shown.
"""

from collections.abc import Awaitable, Mapping, Sequence
from datetime import UTC, datetime
from http import HTTPStatus

from fastapi import Depends, Response
from pydantic import ValidationError

from application.read_entries import InvalidEntry, read_email
from application.schemas.session_actions import SessionArchive
from application.scopes import Scope
from application.services import Services
from application.sessions import organisation_actions, redeliver
from application.sessions.duplicate import duplicate_session
from application.sessions.organisation_actions import single_attempt
from domain.ports.session_requests import InviteRequest
from domain.session.deletion_mails import deletion_mails
from domain.session.list_query import casefolded
from domain.session.outcome_mail_recipients import withdrawal_mail_recipients
from domain.session.recipients import ACTIVE, Recipient
from domain.session.session import Session
from domain.session.status import OPEN_FOR_SIGNING, SessionStatus
from domain.session.value_parsers import many_lines
from domain.shared.errors import CodedError
from domain.shared.ids import EventId, RecipientId
from web.app.app_router import RECENT_SIGN_IN, WRITERS_ONLY, RequiredRights, app_router
from web.app.current_user import CurrentAudit, CurrentCaller, CurrentUser, InjectedForm, SignedInUser
from web.app.responses import NO_KEYS, perform, redirect_with_flash
from web.app.session_page import OwnSession
from web.asgi.dependencies import InjectedServices
from web.html_response import render
from web.page_route import READ
from web.texts import APP

router = app_router("/sessions/{session_id}")

_DELETERS_ONLY = Depends(RequiredRights(Scope.DELETE_SESSIONS, Scope.DELETE_SESSIONS))

CONFIRMED = "confirmed"
"""The input of the pages that confirm withdrawing and restoring. A form without it is redirected to them."""


@router.post("/send")
async def send(services: InjectedServices, _: InjectedForm, session: OwnSession, audit: CurrentAudit) -> Response:
    return await run_action(session, organisation_actions.send(services, session, audit, single_attempt()), "sent")


@router.post("/recipients/{recipient_id}/invite")
async def invite(
    services: InjectedServices,
    posted: InjectedForm,
    session: OwnSession,
    audit: CurrentAudit,
    recipient_id: RecipientId,
) -> Response:
    """Sends another invitation, or after the end the refused mail about it, to the entered address."""
    to_email = None
    if entered := posted.form.get("email", ""):
        try:
            to_email = read_email(entered)
        except InvalidEntry:
            return redirect_with_flash(f"/app/sessions/{session.session_id}", error="address-invalid")
    request = InviteRequest(audit=audit, recipient_id=recipient_id, to_email=to_email)
    sending = organisation_actions.invite(services, session, request, posted.attempt)
    return await run_action(session, sending, "sent-again" if to_email else "invited")


@router.api_route("/archive", methods=READ, dependencies=[WRITERS_ONLY])
async def confirm_withdrawal(person: CurrentUser, session: OwnSession) -> Response:
    """Shows the effects of withdrawing, and asks for a reason. Redirects if the session is not open for signing."""
    if session.status not in OPEN_FOR_SIGNING:
        return redirect_with_flash(_page_of(session))
    return _withdrawal_page(person, session)


@router.post("/archive")
async def archive(
    services: InjectedServices, posted: InjectedForm, session: OwnSession, audit: CurrentAudit
) -> Response:
    """Archives the session. Withdrawing one that is open for signing requires the confirmation page."""
    is_open = session.status in OPEN_FOR_SIGNING
    if is_open and CONFIRMED not in posted.form:
        return redirect_with_flash(f"{_page_of(session)}/archive")
    written = many_lines(posted.form.get("reason", "")).strip()
    try:
        reason = SessionArchive(reason=written or None).reason
    except ValidationError:
        return _withdrawal_page(posted.person, session, written, APP.reason_wrong)
    action = organisation_actions.archive(services, session, audit, reason)
    return await run_action(session, action, "withdrawn" if is_open else "archived")


def _withdrawal_page(person: SignedInUser, session: Session, reason: str = "", problem: str = "") -> Response:
    mailed = withdrawal_mail_recipients(session, datetime.now(UTC))
    return render(
        "app/withdraw.html",
        HTTPStatus.UNPROCESSABLE_ENTITY if problem else HTTPStatus.OK,
        person=person,
        session=session,
        mailed=[session.recipient(recipient_id) for recipient_id in mailed],
        reason=reason,
        problem=problem,
    )


@router.api_route("/restore", methods=READ, dependencies=[WRITERS_ONLY])
async def confirm_restoring(person: CurrentUser, session: OwnSession) -> Response:
    """Offers to send the invitations again. Redirects to the session's page if no recipient would be invited."""
    invited = _to_invite_again(session)
    if not invited:
        return redirect_with_flash(_page_of(session))
    return render("app/restore.html", person=person, session=session, invited=invited)


@router.post("/restore")
async def restore(
    services: InjectedServices, posted: InjectedForm, session: OwnSession, audit: CurrentAudit
) -> Response:
    """Restores the session, and sends new invitations if the form requests them."""
    if _to_invite_again(session) and CONFIRMED not in posted.form:
        return redirect_with_flash(f"{_page_of(session)}/restore")
    if posted.form.get("invite") != "yes":
        return await run_action(session, organisation_actions.restore(services, session, audit), "restored")
    return await run_action(
        session, organisation_actions.restore_and_invite(services, session, audit), "restored-invited"
    )


def _to_invite_again(session: Session) -> Sequence[Recipient]:
    """Returns the recipients whose turn it is once the session is restored."""
    is_archived = session.status is SessionStatus.CANCELLED
    if not (is_archived and session.is_open) or session.has_expired(datetime.now(UTC)):
        return ()
    return [r for r in session.recipients if r.status_before_archive in ACTIVE and r.gets_emails]


@router.post("/duplicate")
async def duplicate(
    services: InjectedServices, posted: InjectedForm, session: OwnSession, caller: CurrentCaller
) -> Response:
    """Creates a draft as a copy of the session, and redirects to its page, or to the form that edits it."""
    copying, copy = duplicate_session(services, caller, session, posted.attempt), posted.attempt.session_id
    if posted.form.get("next") == "edit":
        return await run_action(session, copying, "duplicated", to=f"/app/sessions/{copy}/edit")
    return await run_action(session, copying, "duplicated", to=f"/app/sessions/{copy}")


@router.api_route("/delete", methods=READ, dependencies=[_DELETERS_ONLY])
async def confirm_deletion(person: CurrentUser, session: OwnSession) -> Response:
    """Shows the page that asks for the name of the session before it is deleted permanently."""
    return _deletion_page(person, session)


@router.post("/delete", dependencies=[_DELETERS_ONLY, RECENT_SIGN_IN])
async def delete(
    services: InjectedServices, posted: InjectedForm, session: OwnSession, audit: CurrentAudit
) -> Response:
    """Deletes the session permanently if the typed name is right; otherwise shows the confirmation page again."""
    typed = posted.form.get("name", "")
    if _normalised(typed) != _normalised(session.name):
        return _deletion_page(posted.person, session, typed, APP.delete_wrong)
    return await run_action(session, organisation_actions.erase(services, session, audit), "deleted", to="/app")


def _deletion_page(person: SignedInUser, session: Session, typed: str = "", problem: str = "") -> Response:
    mails = deletion_mails(session, datetime.now(UTC))
    return render(
        "app/delete.html",
        HTTPStatus.UNPROCESSABLE_ENTITY if problem else HTTPStatus.OK,
        person=person,
        session=session,
        mailed=mails.recipients if mails else (),
        typed=typed,
        problem=problem,
    )


@router.post("/callbacks/{event_id}/redeliver")
async def redeliver_callback(
    services: InjectedServices, _: InjectedForm, session: OwnSession, event_id: EventId
) -> Response:
    key = (session.organisation_id, session.session_id)
    return await run_action(
        session, redeliver.redeliver(services.callbacks, services.deliveries, key, event_id), "redelivered"
    )


@router.post("/resume")
async def resume(services: InjectedServices, _: InjectedForm, session: OwnSession) -> Response:
    """Ends the pause of the receivers of the session's webhooks."""
    logged = await services.callbacks.log(session.organisation_id, session.session_id)
    return await run_action(
        session, _resume(services, session, {each.receiver for each in logged if each.paused_since}), "resumed"
    )


async def _resume(services: Services, session: Session, receivers: set[str]) -> None:
    for receiver in receivers:
        await redeliver.resume(services.callbacks, services.deliveries, session.organisation_id, receiver)


async def run_action(
    session: Session,
    action: Awaitable[object],
    done: str,
    to: str = "",
    keys: Mapping[type[CodedError], str] = NO_KEYS,
) -> Response:
    """Awaits `action`, then redirects to a page with the sentence `done`, or with that of its error.

    `keys` has the keys of errors that mean something else in this action.
    """
    return await perform(action, _page_of(session), done, to, keys)


def _page_of(session: Session) -> str:
    return f"/app/sessions/{session.session_id}"


def _normalised(name: str) -> str:
    return casefolded(" ".join(name.split()))
