"""A session's page: its details, status, activity and actions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus

from fastapi import Request, Response

from application.services import Services
from domain.audit.events import AuditContext
from domain.callbacks.callback import receiver_of
from domain.callbacks.retries_and_pauses import CallbackLogEntry
from domain.session.recipients import ACTIVE, Recipient, RecipientStatus
from domain.session.session import Session
from domain.session.snapshot import FINISHED, OPEN_FOR_SIGNING, SessionStatus
from domain.session.waiting_for import waiting_sentence
from domain.shared.ids import FileId
from web.app.current_user import SignedInUser
from web.app.flash import flash_message_of
from web.app.page_overlay import DocumentPages, build_file_pages
from web.app.session_list import STATE_CLASSES
from web.app.timeline import read_timeline
from web.rendering import render
from web.texts import APP

SHOWN_CALLBACKS = 50

REFRESH_SECONDS, FINAL_REFRESH_SECONDS = 5, 60
"""Seconds between refreshes of the page; the second applies when the session is final and fully recorded."""

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
"""CSS classes."""


@dataclass(frozen=True, slots=True)
class AllowedActions:
    """The actions that the page offers. The session itself enforces the rules."""

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
    """The page of one session in one request."""

    def __init__(self, request: Request, services: Services, person: SignedInUser) -> None:
        self._request = request
        self._services = services
        self._person = person

    @property
    def audit(self) -> AuditContext:
        """The audit context of this request, by the signed-in user."""
        return self._person.audit(self._request)

    async def find(self, session_id: str) -> Session:
        """Returns the latest state of the session. Raises `SessionNotFound`, also for other organisations."""
        return await self._services.reader.get(self._person.organisation_id, session_id)  # type: ignore[arg-type]  # it checks

    async def show(self, session: Session) -> Response:
        """Shows the page."""
        callbacks = await self._callbacks(session)
        timeline = await read_timeline(self._services, self._person, session)
        return render(
            "app/session.html",
            person=self._person,
            session=session,
            css_class=STATE_CLASSES[session.status],
            recipient_classes=RECIPIENT_CLASSES,
            allowed=AllowedActions.on(session),
            send_note=_send_note(session),
            invitable=_invitable(session),
            waiting_for=waiting_sentence(session, await self._services.reader.retries(session)),
            timeline=timeline,
            refresh_seconds=FINAL_REFRESH_SECONDS
            if session.is_final and len(timeline) >= session.sequence
            else REFRESH_SECONDS,
            callbacks=callbacks[::-1][:SHOWN_CALLBACKS],
            paused=_paused(session, callbacks),
            review=await self._review(session),
            flash=flash_message_of(self._request),
        )

    async def show_pages(self, session: Session, file_id: str) -> Response:
        """Shows the pages of one file. Raises `FileNotFound`."""
        pages = await build_file_pages(self._services, session, session.file(FileId(file_id)))
        return render("app/pages.html", person=self._person, session=session, pages=pages)

    def confirm_deletion(self, session: Session, typed: str = "", problem: str = "") -> Response:
        """Shows the page that asks for the name of the session before it is deleted permanently."""
        status = HTTPStatus.UNPROCESSABLE_ENTITY if problem else HTTPStatus.OK
        return render("app/delete.html", status, person=self._person, session=session, typed=typed, problem=problem)

    async def _review(self, session: Session) -> Sequence[DocumentPages]:
        """Returns the pages of a draft, for review before it is sent."""
        if session.status is not SessionStatus.DRAFT:
            return ()
        return [await build_file_pages(self._services, session, file) for file in session.files]

    async def _callbacks(self, session: Session) -> Sequence[CallbackLogEntry]:
        if session.callback_url is None:
            return ()
        return await self._services.callbacks.log(session.organisation_id, session.session_id)


def _send_note(session: Session) -> str:
    """Returns who is invited when the draft is sent: the recipients with the lowest signing order."""
    lowest = min((recipient.signing_order for recipient in session.recipients), default=0)
    names = ", ".join(r.name or r.email for r in session.recipients if r.signing_order == lowest)
    later = sum(recipient.signing_order != lowest for recipient in session.recipients)
    return (APP.count("send_note", later) if later else APP.send_note_all).replace("{names}", names)


def _invitable(session: Session) -> frozenset[str]:
    """Returns the ids of the recipients whose invitation can be resent."""
    if session.status not in OPEN_FOR_SIGNING:
        return frozenset()
    return frozenset(recipient.recipient_id for recipient in session.recipients if _may_sign(recipient))


def _may_sign(recipient: Recipient) -> bool:
    return recipient.status in ACTIVE


def _paused(session: Session, callbacks: Sequence[CallbackLogEntry]) -> str | None:
    """Returns the receiver of the session's webhooks if it is paused."""
    is_paused = any(callback.paused_since for callback in callbacks)
    return receiver_of(session.callback_url) if session.callback_url and is_paused else None
