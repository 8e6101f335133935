"""Buttons on a session's page: the acts of the API, done by a person, with a kind word when somebody was faster."""

from collections.abc import Awaitable, Mapping

from fastapi import Request, Response

from application.services import Services
from application.sessions import organisation_actions, redeliver
from application.sessions.organisation_actions import single_attempt
from domain.session.list_query import caseless
from domain.session.session import Session
from domain.shared import errors
from domain.shared.ids import EventId, RecipientId
from ports.session_requests import InviteRequest
from web.app.current_user import Posted
from web.app.flash import lead_to
from web.app.rendering import OUTAGES, texts_of
from web.app.session_page import SessionPage

_SORRY: Mapping[type[Exception], str] = {
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


class SessionActs:
    """What one person does with one session in one request."""

    def __init__(self, request: Request, services: Services, posted: Posted) -> None:
        self._request = request
        self._services = services
        self._posted = posted
        self._page = SessionPage(request, services, posted.person)
        self._occasion = posted.person.audit(request)

    async def send(self, session_id: str) -> Response:
        session = await self._page.find(session_id)
        return await self._do(
            session, organisation_actions.send(self._services, session, self._occasion, single_attempt()), "sent"
        )

    async def invite(self, session_id: str, recipient_id: str) -> Response:
        session = await self._page.find(session_id)
        wanted = InviteRequest(audit=self._occasion, recipient_id=RecipientId(recipient_id))
        return await self._do(
            session, organisation_actions.invite(self._services, session, wanted, single_attempt()), "invited"
        )

    async def archive(self, session_id: str) -> Response:
        session = await self._page.find(session_id)
        return await self._do(
            session, organisation_actions.archive(self._services, session, self._occasion), "archived"
        )

    async def restore(self, session_id: str) -> Response:
        session = await self._page.find(session_id)
        return await self._do(
            session, organisation_actions.restore(self._services, session, self._occasion), "restored"
        )

    async def delete(self, session_id: str) -> Response:
        """Deletes for ever, if the name was typed; otherwise asks again."""
        session = await self._page.find(session_id)
        typed = self._posted.form.get("name", "")
        if _plain(typed) != _plain(session.name):
            problem = texts_of(self._request).deleting_wrong
            return self._page.ask_about_deleting(session, typed, problem)
        erasing = organisation_actions.erase(self._services, session, self._occasion)
        return await self._do(session, erasing, "deleted", to="/app")

    async def redeliver(self, session_id: str, event_id: str) -> Response:
        session = await self._page.find(session_id)
        key = (session.organisation_id, session.session_id)
        services = self._services
        again = redeliver.redeliver(services.callbacks, services.deliveries, key, EventId(event_id))
        return await self._do(session, again, "redelivered")

    async def resume(self, session_id: str) -> Response:
        """Ends the pause of whoever gets the callbacks of that session."""
        session = await self._page.find(session_id)
        logged = await self._services.callbacks.log(session.organisation_id, session.session_id)
        receivers = {callback.receiver for callback in logged if callback.paused_since}
        return await self._do(session, self._resume(session, receivers), "resumed")

    async def _resume(self, session: Session, receivers: set[str]) -> None:
        for receiver in receivers:
            await redeliver.resume(
                self._services.callbacks, self._services.deliveries, session.organisation_id, receiver
            )

    async def _do(self, session: Session, act: Awaitable[object], done: str, to: str = "") -> Response:
        here = f"/app/sessions/{session.session_id}"
        try:
            await act
        except tuple(_SORRY) as error:
            return lead_to(here, sorry=next(_SORRY[kind] for kind in type(error).__mro__ if kind in _SORRY))
        return lead_to(to or here, done=done)


def _plain(name: str) -> str:
    return caseless(" ".join(name.split()))
