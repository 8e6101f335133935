"""A session's page: its details, status, callbacks and actions. `web.app.session_timeline` renders its events."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from math import ceil
from typing import Annotated

from fastapi import Depends, Request, Response

from application.scopes import Scope
from domain.callbacks.callback import CallbackStatus, receiver_of
from domain.callbacks.delivery_schedule import CallbackLogEntry
from domain.session.edits import find_remindable
from domain.session.recipients import ACTIVE, Recipient
from domain.session.session import Session
from domain.session.status import FINISHED, OPEN_FOR_SIGNING, SessionStatus
from domain.session.waiting_for import waiting_sentence
from domain.shared.errors import SigningError
from domain.shared.ids import FileId, SessionId
from web.app.app_router import app_router
from web.app.current_user import CurrentUser
from web.app.pages_with_fields import build_file_pages, page_addresses
from web.app.responses import flash_message_of
from web.app.session_rows import needs_you
from web.app.session_timeline import read_timeline
from web.asgi.dependencies import InjectedServices
from web.html_response import render
from web.page_route import READ
from web.signing.page_images import page_image_response
from web.texts import APP

_MINUTES_SHOWN, _HOURS_SHOWN = 120, 48
"""Longer times are shown in the next larger unit: hours, or days."""


@dataclass(frozen=True, slots=True)
class CallbackView:
    entry: CallbackLogEntry
    state: str
    css_class: str
    attempts: str
    next_attempt: str


def view_callback(entry: CallbackLogEntry, at: datetime) -> CallbackView:
    """Returns the view of `entry` at `at`. A pending callback with failed attempts has the CSS class `todo`."""
    is_pending, tried = entry.status is CallbackStatus.PENDING, len(entry.attempts)
    is_held = is_pending and entry.paused_since is not None
    if is_held:
        state, css_class = APP.webhook_held, "still"
    elif is_pending and tried:
        state, css_class = APP.webhook_retrying, "todo"
    else:
        state, css_class = APP.table("webhook_states")[entry.status], _CLASSES[entry.status]
    if not tried:
        attempts = APP.no_attempt
    else:
        attempts = APP.count("failed_attempts", tried) if is_pending else APP.count("attempts", tried)
    following = _next(entry.next_attempt_at - at) if is_pending and not is_held and entry.next_attempt_at else ""
    return CallbackView(entry, state, css_class, attempts, following)


_CLASSES = {CallbackStatus.PENDING: "busy", CallbackStatus.DELIVERED: "good", CallbackStatus.FAILED: "bad"}


def _next(left: timedelta) -> str:
    minutes = ceil(left.total_seconds() / 60)
    if minutes <= 1:
        return APP.next_soon
    if minutes <= _MINUTES_SHOWN:
        return APP.count("next_in_minutes", minutes)
    hours = round(minutes / 60)
    return APP.count("next_in_hours", hours) if hours <= _HOURS_SHOWN else APP.count("next_in_days", round(hours / 24))


router = app_router("/sessions/{session_id}")
images = app_router("/sessions/{session_id}", is_counted=False)

SHOWN_CALLBACKS = 50

REFRESH_SECONDS, FINAL_REFRESH_SECONDS = 5, 60
"""Seconds between refreshes of the page; the second applies when the session is final and fully recorded."""


async def get_session(services: InjectedServices, person: CurrentUser, session_id: SessionId) -> Session:
    """Returns the latest state of the session. Raises `SessionNotFound`, also for a session of another organisation."""
    return await services.reader.get(person.organisation_id, session_id)


OwnSession = Annotated[Session, Depends(get_session)]


@router.api_route("", methods=READ)
async def show_session(
    request: Request, services: InjectedServices, person: CurrentUser, session: OwnSession
) -> Response:
    can_write = person.may(Scope.WRITE_SESSIONS)
    callbacks: Sequence[CallbackLogEntry] = ()
    if session.callback_url is not None:
        callbacks = await services.callbacks.log(session.organisation_id, session.session_id)
    timeline = await read_timeline(services, person, session)
    is_settled = session.is_final and len(timeline) >= session.sequence
    drafts = session.files if session.status is SessionStatus.DRAFT else ()
    return render(
        "app/session.html",
        person=person,
        session=session,
        can_send=can_write and session.status is SessionStatus.DRAFT and bool(session.recipients),
        can_write=can_write,
        needs_you=needs_you(session),
        thumbnails=_thumbnails(session),
        is_archived=session.status is SessionStatus.CANCELLED,
        can_download=session.status in FINISHED,
        has_values=person.may(Scope.READ_VALUES) and any(r.submission for r in session.recipients),
        send_note=_send_note(session),
        remindable=", ".join(r.name for r in _remindable(session)),
        invitable=_invitable(session) if can_write else frozenset(),
        openable={
            r.recipient_id for r in session.recipients if person.may(Scope.WRITE_SIGNING_URLS) and may_open(session, r)
        },
        waiting_for=waiting_sentence(session, await services.reader.retries(session)),
        timeline=timeline,
        refresh_seconds=FINAL_REFRESH_SECONDS if is_settled else REFRESH_SECONDS,
        callbacks=[view_callback(entry, datetime.now(UTC)) for entry in callbacks[::-1][:SHOWN_CALLBACKS]],
        paused=_paused(session, callbacks),
        review=[await build_file_pages(services, session, file) for file in drafts],
        flash=flash_message_of(request),
    )


@router.api_route("/pages/{file_id}", methods=READ)
async def show_pages(services: InjectedServices, person: CurrentUser, session: OwnSession, file_id: FileId) -> Response:
    """Shows the pages of one file. Raises `FileNotFound`."""
    pages = await build_file_pages(services, session, session.file(file_id))
    return render("app/pages.html", person=person, session=session, pages=pages)


@images.api_route("/pages/{file_id}/{number:int}", methods=READ)
async def page_image(services: InjectedServices, session: OwnSession, file_id: FileId, number: int) -> Response:
    return await page_image_response(services, session, file_id, number)


def _thumbnails(session: Session) -> Mapping[FileId, str]:
    """Returns the address of the first page's image of each file."""
    addresses = {file.file_id: page_addresses(session, file)[:1] for file in session.files}
    return {file_id: first[0] for file_id, first in addresses.items() if first}


def _send_note(session: Session) -> str:
    """Returns the sentence about who is invited when the draft is sent: recipients with the lowest signing order."""
    acting = [recipient for recipient in session.recipients if not recipient.gets_copy]
    lowest = min((recipient.signing_order for recipient in acting), default=0)
    emailed = [r.name or r.email for r in acting if r.signing_order == lowest and r.gets_emails]
    if session.recipients and not emailed:
        return APP.send_note_none
    names = ", ".join(emailed)
    later = sum(recipient.signing_order != lowest for recipient in acting)
    return (APP.count("send_note", later) if later else APP.send_note_all).replace("{names}", names)


def may_open(session: Session, recipient: Recipient) -> bool:
    """Returns whether the documents can be opened for the recipient to act now."""
    is_open = session.status in OPEN_FOR_SIGNING and not session.has_expired(datetime.now(UTC))
    return is_open and recipient.status in ACTIVE


def _remindable(session: Session) -> Sequence[Recipient]:
    try:
        return find_remindable(session, datetime.now(UTC))
    except SigningError:
        return ()


def _invitable(session: Session) -> frozenset[str]:
    """Returns the ids of the recipients whose invitation, or refused mail about the end, can be sent again."""
    is_open = session.status in OPEN_FOR_SIGNING
    active = {r.recipient_id for r in session.recipients if is_open and r.status in ACTIVE and r.gets_emails}
    return frozenset(
        {*active, *(r.recipient_id for r in session.recipients if session.refused_mail_of(r.recipient_id))}
    )


def _paused(session: Session, callbacks: Sequence[CallbackLogEntry]) -> str | None:
    is_paused = any(callback.paused_since for callback in callbacks)
    return receiver_of(session.callback_url) if session.callback_url and is_paused else None
