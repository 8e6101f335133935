"""A session's page: what it is, what it waits for, what happened, and what can be done with it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus

from fastapi import Request, Response

from application.services import Services
from domain.audit.events import AuditContext
from domain.callbacks.callback import receiver_of
from domain.callbacks.delivery import CallbackLogEntry
from domain.session.recipients import ACTIVE, Recipient, RecipientStatus
from domain.session.session import Session
from domain.session.state import FINISHED, OPEN_FOR_SIGNING, SessionStatus
from domain.session.waiting_for import waiting_sentence
from domain.shared.ids import FileId
from web.app.current_user import SignedInUser
from web.app.flash import flash_message_of
from web.app.page_overlay import DocumentPages, build_file_pages
from web.app.rendering import show, texts_of
from web.app.session_list import STATE_CLASSES
from web.app.timeline import read_timeline

SHOWN_CALLBACKS = 50

REFRESH_SECONDS, FINAL_REFRESH_SECONDS = 5, 60
"""Seconds after which the page looks again: seldom when the story is over, and all of it is recorded."""

_R = RecipientStatus
RECIPIENT_CLASSES: Mapping[RecipientStatus, str] = {
    _R.WAITING: "draft",
    _R.PENDING: "busy",
    _R.VIEWED: "busy",
    _R.COMPLETED: "good",
    _R.DECLINED: "bad",
    _R.EXPIRED: "bad",
    _R.CANCELLED: "still",
}
"""Names in the style sheet."""


@dataclass(frozen=True, slots=True)
class AllowedActions:
    """What can be done with a session as it is. The rules are the session's; this only offers nothing in vain."""

    send: bool
    archive: bool
    restore: bool
    download: bool

    @staticmethod
    def on(session: Session) -> "AllowedActions":
        return AllowedActions(
            send=session.status is SessionStatus.DRAFT and bool(session.recipients),
            archive=session.status is not SessionStatus.CANCELLED,
            restore=session.status is SessionStatus.CANCELLED,
            download=session.status in FINISHED,
        )


class SessionPage:
    """One session's page in one request."""

    def __init__(self, request: Request, services: Services, person: SignedInUser) -> None:
        self._request = request
        self._services = services
        self._person = person

    @property
    def audit(self) -> AuditContext:
        """This request, now, as an act of whoever is signed in."""
        return self._person.audit(self._request)

    async def find(self, session_id: str) -> Session:
        """The session, as new as can be had. Raises `SessionNotFound` for another organisation's, too."""
        return await self._services.reader.get(self._person.organisation_id, session_id)  # type: ignore[arg-type]  # it checks

    async def show(self, session: Session) -> Response:
        """All of it."""
        texts = texts_of(self._request)
        callbacks = await self._callbacks(session)
        timeline = await read_timeline(self._services, self._person, session, texts)
        return show(
            self._request,
            self._person,
            "session.html",
            session=session,
            css_class=STATE_CLASSES[session.status],
            recipient_classes=RECIPIENT_CLASSES,
            allowed=AllowedActions.on(session),
            invitable=_invitable(session),
            waiting_for=waiting_sentence(session, await self._services.reader.retries(session)),
            timeline=timeline,
            refresh_seconds=FINAL_REFRESH_SECONDS
            if session.is_final and len(timeline) >= session.sequence
            else REFRESH_SECONDS,
            callbacks=callbacks[::-1][:SHOWN_CALLBACKS],
            paused=_paused(session, callbacks),
            review=await self._review(session),
            flash=flash_message_of(self._request, texts),
        )

    async def show_pages(self, session: Session, file_id: str) -> Response:
        """The pages of one file. Raises `FileNotFound`."""
        pages = await build_file_pages(self._services, session, session.file(FileId(file_id)))
        return show(self._request, self._person, "pages.html", session=session, pages=pages)

    def confirm_deletion(self, session: Session, typed: str = "", problem: str = "") -> Response:
        """The page that wants the name typed before a session is deleted for ever."""
        status = HTTPStatus.UNPROCESSABLE_ENTITY if problem else HTTPStatus.OK
        return show(self._request, self._person, "delete.html", status, session=session, typed=typed, problem=problem)

    async def _review(self, session: Session) -> Sequence[DocumentPages]:
        """The pages of a draft, which are looked at before it is sent."""
        if session.status is not SessionStatus.DRAFT:
            return ()
        return [await build_file_pages(self._services, session, file) for file in session.files]

    async def _callbacks(self, session: Session) -> Sequence[CallbackLogEntry]:
        if session.callback_url is None:
            return ()
        return await self._services.callbacks.log(session.organisation_id, session.session_id)


def _invitable(session: Session) -> frozenset[str]:
    """The recipients who can be invited again."""
    if session.status not in OPEN_FOR_SIGNING:
        return frozenset()
    return frozenset(recipient.recipient_id for recipient in session.recipients if _may_sign(recipient))


def _may_sign(recipient: Recipient) -> bool:
    return recipient.status in ACTIVE


def _paused(session: Session, callbacks: Sequence[CallbackLogEntry]) -> str | None:
    """The receiver of the session's callbacks, if it is paused."""
    is_paused = any(callback.paused_since for callback in callbacks)
    return receiver_of(session.callback_url) if session.callback_url and is_paused else None
