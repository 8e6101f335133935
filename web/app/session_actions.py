"""Buttons on a session's page: the acts of the API, done by a person, with a kind word when somebody was faster."""

from collections.abc import Awaitable, Mapping

from fastapi import Request, Response

from application.services import Services
from application.sessions import actions, redeliver
from application.sessions.actions import only_attempt
from domain.session.list_query import casefolded
from domain.session.session import Session
from domain.shared import errors
from domain.shared.ids import EventId, RecipientId
from ports.session_requests import InviteRequest
from web.app.current_user import UserForm
from web.app.flash import redirect_with_flash
from web.app.rendering import OUTAGES, texts_of
from web.app.session_page import SessionPage

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
"""Which of our sentences says why an act was refused. All leave the session as it was."""


class SessionActions:
    """What one person does with one session in one request."""

    def __init__(self, request: Request, services: Services, posted: UserForm) -> None:
        self._request = request
        self._services = services
        self._posted = posted
        self._page = SessionPage(request, services, posted.person)
        self._audit = posted.person.audit(request)

    async def send(self, session_id: str) -> Response:
        session = await self._page.find(session_id)
        return await self._run(session, actions.send(self._services, session, self._audit, only_attempt()), "sent")

    async def invite(self, session_id: str, recipient_id: str) -> Response:
        session = await self._page.find(session_id)
        invite = InviteRequest(audit=self._audit, recipient_id=RecipientId(recipient_id))
        return await self._run(session, actions.invite(self._services, session, invite, only_attempt()), "invited")

    async def archive(self, session_id: str) -> Response:
        session = await self._page.find(session_id)
        return await self._run(session, actions.archive(self._services, session, self._audit), "archived")

    async def restore(self, session_id: str) -> Response:
        session = await self._page.find(session_id)
        return await self._run(session, actions.restore(self._services, session, self._audit), "restored")

    async def delete(self, session_id: str) -> Response:
        """Deletes for ever, if the name was typed; otherwise asks again."""
        session = await self._page.find(session_id)
        typed = self._posted.form.get("name", "")
        if _normalised(typed) != _normalised(session.name):
            problem = texts_of(self._request).deleting_wrong
            return self._page.confirm_deletion(session, typed, problem)
        erasing = actions.erase(self._services, session, self._audit)
        return await self._run(session, erasing, "deleted", to="/app")

    async def redeliver(self, session_id: str, event_id: str) -> Response:
        session = await self._page.find(session_id)
        key = (session.organisation_id, session.session_id)
        services = self._services
        again = redeliver.redeliver(services.callbacks, services.deliveries, key, EventId(event_id))
        return await self._run(session, again, "redelivered")

    async def resume(self, session_id: str) -> Response:
        """Ends the pause of whoever gets the callbacks of that session."""
        session = await self._page.find(session_id)
        logged = await self._services.callbacks.log(session.organisation_id, session.session_id)
        receivers = {callback.receiver for callback in logged if callback.paused_since}
        return await self._run(session, self._resume(session, receivers), "resumed")

    async def _resume(self, session: Session, receivers: set[str]) -> None:
        for receiver in receivers:
            await redeliver.resume(
                self._services.callbacks, self._services.deliveries, session.organisation_id, receiver
            )

    async def _run(self, session: Session, action: Awaitable[object], done: str, to: str = "") -> Response:
        here = f"/app/sessions/{session.session_id}"
        try:
            await action
        except tuple(_ERROR_CODES) as error:
            code = next(_ERROR_CODES[kind] for kind in type(error).__mro__ if kind in _ERROR_CODES)
            return redirect_with_flash(here, error=code)
        return redirect_with_flash(to or here, done=done)


def _normalised(name: str) -> str:
    return casefolded(" ".join(name.split()))
