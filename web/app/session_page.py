"""A session's page: its details, status, activity and actions."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated

from fastapi import Depends, Request, Response

from application.scopes import Scope
from application.services import Services
from asgi.dependencies import InjectedServices
from domain.audit.events import Actor, ActorKind, Details, Event, EventType
from domain.audit.recipient_names import names_at_events
from domain.callbacks.callback import receiver_of
from domain.callbacks.retries_and_pauses import CallbackLogEntry
from domain.session.recipients import ACTIVE
from domain.session.session import Session
from domain.session.snapshot import FINISHED, OPEN_FOR_SIGNING, SessionStatus
from domain.session.waiting_for import waiting_sentence
from domain.shared.ids import FileId, SessionId
from web.app.callback_view import view_callback
from web.app.current_user import CurrentUser, SignedInUser
from web.app.page_overlay import build_file_pages, page_addresses
from web.app.responses import app_router, flash_message_of
from web.app.session_rows import needs_you
from web.html_response import render
from web.page_route import READ
from web.signing.images import page_image_response
from web.texts import APP

router = app_router("/sessions/{session_id}")
images = app_router("/sessions/{session_id}", is_counted=False)

SHOWN_CALLBACKS = 50

REFRESH_SECONDS, FINAL_REFRESH_SECONDS = 5, 60
"""Seconds between refreshes of the page; the second applies when the session is final and fully recorded."""


async def get_session(services: InjectedServices, person: CurrentUser, session_id: SessionId) -> Session:
    """Returns the latest state of the session. Raises `SessionNotFound`, also for other organisations."""
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
    timeline = await _read_timeline(services, person, session)
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
        send_note=_send_note(session),
        invitable=_invitable(session) if can_write else frozenset(),
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
    """Returns the recipients who are invited when the draft is sent: those with the lowest signing order."""
    acting = [recipient for recipient in session.recipients if not recipient.gets_copy]
    lowest = min((recipient.signing_order for recipient in acting), default=0)
    emailed = [r.name or r.email for r in acting if r.signing_order == lowest and r.gets_emails]
    if session.recipients and not emailed:
        return APP.send_note_none
    names = ", ".join(emailed)
    later = sum(recipient.signing_order != lowest for recipient in acting)
    return (APP.count("send_note", later) if later else APP.send_note_all).replace("{names}", names)


def _invitable(session: Session) -> frozenset[str]:
    if session.status not in OPEN_FOR_SIGNING:
        return frozenset()
    return frozenset(r.recipient_id for r in session.recipients if r.status in ACTIVE and r.gets_emails)


def _paused(session: Session, callbacks: Sequence[CallbackLogEntry]) -> str | None:
    is_paused = any(callback.paused_since for callback in callbacks)
    return receiver_of(session.callback_url) if session.callback_url and is_paused else None


@dataclass(frozen=True, slots=True)
class TimelineEntry:
    """An event as a sentence. `quote` is the reason that a user gave."""

    at: datetime
    text: str
    quote: str
    css_class: str


_EVENT_CLASSES = {
    EventType.RECIPIENT_COMPLETED: "good",
    EventType.RECIPIENT_APPROVED: "good",
    EventType.SESSION_COMPLETED: "good",
    EventType.SESSION_DOCUMENTS_GENERATED: "good",
    EventType.RECIPIENT_DECLINED: "bad",
    EventType.SESSION_DECLINED: "bad",
    EventType.SESSION_EXPIRED: "bad",
    EventType.RECIPIENT_INVITATION_FAILED: "bad",
}


async def _read_timeline(services: Services, person: SignedInUser, session: Session) -> tuple[TimelineEntry, ...]:
    """Returns the whole history, newest first."""
    events = await services.rows.events(session.organisation_id, session.session_id)
    return tuple(_entries(events, session, await _names(services, person, events)))[::-1]


async def _names(services: Services, person: SignedInUser, events: Sequence[Event]) -> Mapping[str, str]:
    """Returns the names of the users and API clients in `events`, by id."""
    kinds = {event.actor.kind for event in events}
    names: dict[str, str] = {}
    if ActorKind.USER in kinds:
        names |= {user.user_id: user.name for user in await services.users.list(person.organisation_id)}
    if ActorKind.CLIENT in kinds:
        clients = await services.organisations.list_clients(person.organisation_id)
        names |= {client.client_id: client.name for client in clients}
    return names


def _entries(events: Sequence[Event], session: Session, names: Mapping[str, str]) -> Iterator[TimelineEntry]:
    present: dict[str, str] = {who.recipient_id: who.name or who.email for who in session.recipients}
    approvers = {who.recipient_id for who in session.recipients if who.approves}
    for event, people in zip(events, names_at_events(events, present), strict=True):
        details = event.details
        recipient = people.get(str(details.get("recipientId")), APP.somebody)
        sentence = APP.table("events")[event.type]
        if details.get("recipientId") in approvers:
            sentence = APP.table("approver_events").get(event.type, sentence)
        if event.type is EventType.RECIPIENT_INVITED and event.actor.kind is not ActorKind.SYSTEM:
            sentence = APP.invited_again
        if event.type is EventType.RECIPIENT_REMINDED and event.actor.kind is not ActorKind.SYSTEM:
            sentence = APP.reminded_now
        if event.type is EventType.RECIPIENT_CORRECTED:
            sentence = APP.table("corrections")[_corrected(details)]
        if event.type is EventType.SESSION_ARCHIVED and details.get("previousStatus") in OPEN_FOR_SIGNING:
            sentence = APP.withdrew
        values = {**details, "who": _name(event.actor, {**names, **people}), "recipient": recipient}
        text = sentence.format(**values)
        quote = str(details.get("reason") or "")
        yield TimelineEntry(event.at, text, quote, _EVENT_CLASSES.get(event.type, ""))


def _corrected(details: Details) -> str:
    """Returns the name of the sentence about the members that were corrected."""
    return "_and_".join(m for m in ("name", "email") if details[m] != details[f"previous{m.capitalize()}"])


def _name(actor: Actor, names: Mapping[str, str]) -> str:
    if actor.kind is ActorKind.SYSTEM:
        return APP.the_service
    fallback = APP.a_client if actor.kind is ActorKind.CLIENT else APP.somebody
    return names.get(actor.id, fallback)
