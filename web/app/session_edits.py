"""Pages that edit a draft, correct or remind a recipient, and change the deadline and reminders of a session.

The names of the inputs are the JSON pointers of the API's requests, so that each issue is shown at its input.
"""

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from itertools import count, takewhile
from typing import Any

from fastapi import Response
from pydantic.alias_generators import to_camel
from pydantic_core import to_json

from application.errors import DocumentValidationFailed, InvalidRequest
from application.parse_json import parse_json
from application.schemas.session_actions import ReminderCreate
from application.schemas.session_update import RecipientUpdate, SessionUpdate
from application.scopes import Scope
from application.sessions import edit
from application.time_zones import day_in
from domain.session.recipients import OPEN, AddressedRecipient, RecipientRole, RecipientVerification
from domain.session.reminder_schedule import ReminderFrequency
from domain.session.session import Session
from domain.session.settings import TemplateSettings
from domain.session.status import OPEN_FOR_SIGNING, SessionStatus
from domain.shared import errors
from domain.shared.errors import CodedError
from domain.shared.frozen_model import members_of
from domain.shared.ids import RecipientId
from domain.shared.whole_numbers import read_whole_number
from web.app.app_router import app_router
from web.app.current_user import CurrentAudit, CurrentUser, InjectedForm, SignedInUser
from web.app.responses import redirect_with_flash, render_form
from web.app.session_actions import run_action
from web.app.session_page import OwnSession
from web.asgi.dependencies import InjectedServices
from web.forms import PostedForm
from web.page_route import READ
from web.texts import APP

router = app_router("/sessions/{session_id}", read=Scope.WRITE_SESSIONS)

NEVER = "never"
"""The name of the input that removes the deadline."""

_OFF = "off"
_EXPIRY = "/expiryDays"
_REMINDERS = "/reminderFrequency"
_MAX_LENGTH = timedelta(days=730)

_REQUIRED = frozenset({"key", "name", "email"})
"""Members that every recipient has."""

_SETTINGS = {to_camel(name): field.annotation for name, field in TemplateSettings.model_fields.items()}
"""The types of the settings, by the names of their members."""

_OWN_INPUT = {"reminderEnabled", "reminderFrequency"}
"""Settings with one input, which `_reminders_in` reads."""

Values = Mapping[str, str]
"""The values of a form's inputs, by name."""

Problems = Mapping[str, str]
"""The problems, by the name of the input."""


@router.api_route("/edit", methods=READ)
async def show_draft(person: CurrentUser, session: OwnSession) -> Response:
    """Shows the form of a draft. Redirects to the session's page if it is no longer a draft."""
    if session.status is not SessionStatus.DRAFT:
        return redirect_with_flash(_page_of(session), error="not-a-draft")
    return _draft_page(person, session, _values_of(session), {})


@router.post("/edit")
async def edit_draft(
    services: InjectedServices, posted: InjectedForm, session: OwnSession, audit: CurrentAudit
) -> Response:
    """Changes the draft; shows the form again if it has errors."""
    values = dict(posted.form.items())
    try:
        wanted = await parse_json(to_json(_update_of(session, posted.form)), SessionUpdate, services)
        return await run_action(session, edit.update(services, session, (wanted, audit), posted.attempt), "edited")
    except (InvalidRequest, DocumentValidationFailed) as error:
        problems = _problems_of(error)
        return _draft_page(posted.person, session, values, problems)


@router.api_route("/recipients/{recipient_id}/correct", methods=READ)
async def show_recipient(person: CurrentUser, session: OwnSession, recipient_id: RecipientId) -> Response:
    """Shows the form that corrects a recipient. Redirects to the session's page if the recipient has finished."""
    recipient = session.recipient(recipient_id)
    if session.status not in OPEN_FOR_SIGNING or recipient.status not in OPEN:
        return redirect_with_flash(_page_of(session), error="not-correctable")
    return _recipient_page(person, session, recipient_id, {"/name": recipient.name, "/email": recipient.email}, {})


@router.post("/recipients/{recipient_id}/correct")
async def correct_recipient(
    services: InjectedServices,
    posted: InjectedForm,
    session: OwnSession,
    audit: CurrentAudit,
    recipient_id: RecipientId,
) -> Response:
    """Corrects the recipient; shows the form again if it has errors."""
    before, form = session.recipient(recipient_id), posted.form
    body = {"name": form.get("/name", ""), "email": form.get("/email", "")}
    try:
        wanted = await parse_json(to_json(body), RecipientUpdate, services)
        was_invited = before.invitation.number and before.gets_emails and wanted.email != before.email
        act = edit.correct(services, session, recipient_id, (wanted, audit), posted.attempt)
        return await run_action(
            session,
            act,
            "corrected-and-invited" if was_invited else "corrected",
            keys={errors.RecipientNotActive: "not-correctable", errors.SessionNotActive: "not-correctable"},
        )
    except (InvalidRequest, DocumentValidationFailed) as error:
        problems = _problems_of(error)
        return _recipient_page(posted.person, session, recipient_id, dict(form.items()), problems)


@router.post("/recipients/{recipient_id}/remind")
async def remind_recipient(
    services: InjectedServices,
    posted: InjectedForm,
    session: OwnSession,
    audit: CurrentAudit,
    recipient_id: RecipientId,
) -> Response:
    named = ReminderCreate.model_validate({"recipientId": session.recipient(recipient_id).recipient_id})
    act = edit.remind(services, session, (named, audit), posted.attempt)
    return await run_action(session, act, "reminded", keys={errors.TooOften: "reminded-lately"})


@router.post("/remind")
async def remind_everyone(
    services: InjectedServices, _: InjectedForm, session: OwnSession, audit: CurrentAudit
) -> Response:
    """Reminds every recipient who can be reminded now."""
    keys: Mapping[type[CodedError], str] = {
        errors.TooOften: "reminded-lately",
        errors.RecipientNotActive: "not-delivered",
    }
    return await run_action(session, edit.remind_all(services, session, audit), "reminded", keys=keys)


@router.api_route("/schedule", methods=READ)
async def show_schedule(person: CurrentUser, session: OwnSession) -> Response:
    """Shows the form of the deadline and the reminders of an open session."""
    if session.status not in OPEN_FOR_SIGNING:
        return redirect_with_flash(_page_of(session), error="not-reschedulable")
    deadline = _deadline(person, session)
    values = {_EXPIRY: deadline.isoformat() if deadline else "", _REMINDERS: _reminders_of(session)}
    return _schedule_page(person, session, values, {})


@router.post("/schedule")
async def reschedule(
    services: InjectedServices, posted: InjectedForm, session: OwnSession, audit: CurrentAudit
) -> Response:
    """Changes deadline and reminders; shows the form again if it has errors."""
    values, body = dict(posted.form.items()), _reminders_in(posted.form)
    deadline = _deadline(posted.person, session)
    if NEVER in values:
        body["expiryDays"] = None
    elif deadline and session.sent_at and values.get(_EXPIRY) != deadline.isoformat():
        day = _day(values.get(_EXPIRY, ""))
        if day is None or not deadline < day <= _last_day(posted.person, session.sent_at):
            return _schedule_page(posted.person, session, values, {_EXPIRY: APP.deadline_wrong})
        body["expiryDays"] = days_until(day, session.sent_at, posted.person.organisation.time_zone)
    try:
        wanted = await parse_json(to_json(body), SessionUpdate, services)
        act = edit.update(services, session, (wanted, audit), posted.attempt)
        return await run_action(
            session,
            act,
            "rescheduled",
            keys={errors.NotADraft: "not-reschedulable", errors.SessionNotActive: "not-reschedulable"},
        )
    except InvalidRequest as error:
        problems = _problems_of(error)
        return _schedule_page(posted.person, session, values, problems)


def _draft_page(person: SignedInUser, session: Session, values: Values, problems: Problems) -> Response:
    in_order = {name: problems[name] for name in values if name in problems}
    return render_form(
        "app/session-edit.html",
        {**in_order, **problems},
        person=person,
        session=session,
        values=values,
        positions=list(_positions(values)),
        reminders=(_OFF, *ReminderFrequency),
        verifications=tuple(RecipientVerification),
        roles=tuple(RecipientRole),
    )


def _recipient_page(
    person: SignedInUser, session: Session, recipient_id: RecipientId, values: Values, problems: Problems
) -> Response:
    return render_form(
        "app/recipient-correct.html",
        problems,
        person=person,
        session=session,
        recipient=session.recipient(recipient_id),
        values=values,
    )


def _schedule_page(person: SignedInUser, session: Session, values: Values, problems: Problems) -> Response:
    return render_form(
        "app/session-schedule.html",
        problems,
        person=person,
        session=session,
        values=values,
        reminders=(_OFF, *ReminderFrequency),
        deadline=_deadline(person, session),
        last_day=_last_day(person, session.sent_at or session.updated_at),
        never=NEVER,
    )


def _values_of(session: Session) -> Values:
    values = {"/name": session.name}
    values |= {f"/{to_camel(name)}": _text(value) for name, value in members_of(TemplateSettings, session).items()}
    values[_REMINDERS] = _reminders_of(session)
    for position, recipient in enumerate(session.recipients):
        members = members_of(AddressedRecipient, recipient)
        values |= {f"/recipients/{position}/{to_camel(name)}": _text(value) for name, value in members.items()}
    return values


def _update_of(session: Session, form: PostedForm) -> dict[str, Any]:
    """Returns the body of Update Session for the form of a draft. Members without an input stay as they are."""
    members = {recipient.key: members_of(AddressedRecipient, recipient) for recipient in session.recipients}
    inputs: dict[str, dict[str, str]] = {}
    for name, text in form.items():
        place, _, member = name.rpartition("/")
        inputs.setdefault(place, {})[member] = text.strip()
    recipients = []
    for position in _positions(form):
        entered = inputs[f"/recipients/{position}"]
        before = {to_camel(name): value for name, value in members.get(entered["key"], {}).items()}
        recipients.append(before | {name: _member(name, text) for name, text in entered.items()})
    return {
        "name": form.get("/name", "").strip(),
        **{name: _setting(name, form[f"/{name}"]) for name in _SETTINGS.keys() - _OWN_INPUT if f"/{name}" in form},
        **_reminders_in(form),
        "recipients": recipients,
    }


def _text(value: object) -> str:
    """Returns the value of an input."""
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _member(name: str, text: str) -> object:
    """Returns the member of a recipient that was entered; None for a blank input of a member that may be missing."""
    if not text and name not in _REQUIRED:
        return None
    return _number(text) if name == "signingOrder" else text


def _setting(name: str, text: str) -> object:
    """Returns the setting that was entered; None for a blank input."""
    if _SETTINGS[name] is bool:
        return text == "true"
    entered = text.replace("\r\n", "\n").strip()
    return (_number(entered) if name == "expiryDays" else entered) or None


def _positions(values: Mapping[str, str]) -> "takewhile[int]":
    return takewhile(lambda position: f"/recipients/{position}/key" in values, count())


def _reminders_in(form: PostedForm) -> dict[str, Any]:
    frequency = form.get(_REMINDERS, _OFF)
    if frequency == _OFF:
        return {"reminderEnabled": False}
    return {"reminderEnabled": True, "reminderFrequency": frequency}


def _reminders_of(session: Session) -> str:
    return session.reminder_frequency.value if session.reminder_enabled else _OFF


def _number(text: str) -> int | str:
    """Returns the entered number; other text unchanged, which validation refuses."""
    number = read_whole_number(text)
    return text if number is None else number


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _deadline(person: SignedInUser, session: Session) -> date | None:
    """Returns the last day to sign, in the time zone of the organisation."""
    return day_in(person.organisation.time_zone, session.expires_at) if session.expires_at else None


def _last_day(person: SignedInUser, sent_at: datetime) -> date:
    return day_in(person.organisation.time_zone, sent_at + _MAX_LENGTH)


def days_until(day: date, sent_at: datetime, zone: str) -> int:
    """Returns the number of days (of 24 hours) from `sent_at` to a time on `day` in the zone.

    A day of 23 hours may hold none of these times: then to the day after it.
    """
    near = (day - day_in(zone, sent_at)).days
    return next(days for days in range(near - 1, near + 2) if day_in(zone, sent_at + timedelta(days=days)) >= day)


def _problems_of(error: InvalidRequest | DocumentValidationFailed) -> Problems:
    """Returns the first issue of each input, in the order of the request."""
    if isinstance(error, DocumentValidationFailed):
        found = [(filed.path, filed.issue.message) for filed in error.issues]
    else:
        found = [(issue.path, issue.message) for issue in error.issues]
    first = dict(reversed(found))
    return {path: first[path] for path, _ in found}


def _page_of(session: Session) -> str:
    return f"/app/sessions/{session.session_id}"
