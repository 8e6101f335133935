"""Changes a session before all have signed: edit, correct, remind, reschedule (Specification 4.23 to 4.25)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from uuid import UUID, uuid4, uuid5

from application.charge_sending_limit import MailBatch, spend
from application.documents.collect_issues import Named, misplaced_placeholders, not_a_signer, signer_keys
from application.documents.render_jobs import undrawable_names
from application.errors import DocumentValidationFailed, InvalidRequest, RequestIssue
from application.idempotency import Attempt
from application.schemas.errors import FiledIssue
from application.schemas.session_actions import ReminderCreate
from application.schemas.session_create import RecipientCreate
from application.schemas.session_update import SCHEDULE, RecipientUpdate, ReminderSent, SessionUpdate
from application.services import Services
from application.sessions.create import refuse_unprintable
from application.sessions.organisation_actions import check_first, choose_recipient, single_attempt
from domain.audit.events import AuditContext
from domain.ports.session_requests import CorrectRequest, RemindRequest, RescheduleRequest
from domain.session.edits import (
    Correction,
    Expiry,
    ScheduleChange,
    correct_recipient,
    edit_draft,
    find_remindable,
    remind_recipient,
    reschedule,
)
from domain.session.recipients import AddressedRecipient, Recipient
from domain.session.session import Session
from domain.session.status import OPEN_FOR_SIGNING
from domain.shared.errors import ExpiryNotLater, RecipientNotActive, SigningError, TooOften
from domain.shared.frozen_model import members_of
from domain.shared.ids import RecipientId, RecipientRef
from layout.checks.find_issues import token_issues
from layout.schema.block_document import BlockDocument
from layout.schema.issues import Issue, IssueKind
from layout.schema.part import FILLED
from layout.zone import ZONES

_PRINTED = (
    "The text of “{title}” names “{name}”, and pages that were sent never change. Correct the email address alone, or "
    "archive this session and create a new one."
)


async def update(
    services: Services, session: Session, request: tuple[SessionUpdate, AuditContext], attempt: Attempt
) -> Session:
    """Changes a draft, or expiry and reminders of a session that is open for signing; all members or none.

    Raises:
        NotADraft: the session is not a draft, and the request changes more than expiry and reminders.
        SessionNotActive: the session is not open for signing any more.
        InvalidRequest: unprintable names, or an earlier expiry.
        DocumentValidationFailed: placeholders, or a recipient is missing whom a document names.
    """
    wanted, audit = request
    values = _given(wanted)
    if session.status in OPEN_FOR_SIGNING and values.keys() <= SCHEDULE:
        return await _reschedule(services, session, request, attempt)
    edit_draft(session, {}, audit)  # raises `NotADraft`
    if "recipients" in values:
        await _check_recipients(services, session, wanted.recipients)
        values["recipients"] = tuple(_recipients(session, wanted.recipients))
    return await services.sessions.edit(session, values, audit)


async def correct(
    services: Services,
    session: Session,
    recipient_id: RecipientId,
    request: tuple[RecipientUpdate, AuditContext],
    attempt: Attempt,
) -> Session:
    """Corrects name and address of a recipient who has not signed, and returns the session.

    A new address counts as an invitation, and the saved form of the earlier address is deleted. Pages never show a
    saved form to another person (`web.signing.saved_form`).

    Raises `RecipientNotFound`, `SessionNotActive`, `RecipientNotActive`, `TooOften`, `InvalidRequest` or
    `DocumentValidationFailed`.
    """
    wanted, audit = request
    before = session.recipient(recipient_id)
    right = Correction(name=wanted.name, email=wanted.email)
    check_first(attempt, lambda: correct_recipient(session, recipient_id, right, audit))
    await check_names(services, [wanted], {0: "/name"})
    if issues := list(token_issues("/name", wanted.name or "", 1, None)):
        raise DocumentValidationFailed([FiledIssue(0, "/name", issue) for issue in issues])
    if wanted.name not in (None, before.name):
        await _refuse_printed_name(services, session, before.name)
    is_moved = wanted.email not in (None, before.email)
    if is_moved:
        act = f"correct {session.session_id} {attempt.update_id or uuid4()}"
        await spend(services, audit, MailBatch(act, [wanted.email or ""]))
    corrected = await services.sessions.act(
        session, CorrectRequest(audit=audit, recipient_id=recipient_id, right=right), attempt.update_id
    )
    if is_moved:
        await services.drafts.discard(RecipientRef(session.organisation_id, session.session_id, recipient_id))
    return corrected


async def remind(
    services: Services, session: Session, request: tuple[ReminderCreate, AuditContext], attempt: Attempt
) -> ReminderSent:
    """Reminds the recipient that the request names, by default the next one. It counts as an invitation.

    Raises the errors of `choose_recipient`, `RecipientNotActive` or `TooOften`.
    """
    wanted, audit = request
    recipient = choose_recipient(session, wanted)
    recipient_id = recipient.recipient_id
    check_first(attempt, lambda: remind_recipient(session, recipient_id, audit))
    act = f"remind {session.session_id} {attempt.update_id or uuid4()}"
    await spend(services, audit, MailBatch(act, [recipient.email]))
    reminded = await services.sessions.act(
        session, RemindRequest(audit=audit, recipient_id=recipient_id), attempt.update_id
    )
    return ReminderSent.from_snapshot(reminded, recipient_id)


async def remind_all(services: Services, session: Session, audit: AuditContext) -> Session:
    """Reminds every recipient who can be reminded now, and returns the session.

    Raises the errors of `find_remindable`, or the error of `remind` if no recipient was reminded.
    """
    wanted, refusals = find_remindable(session, audit.at), list[SigningError]()
    for recipient in wanted:
        named = ReminderCreate.model_validate({"recipientId": recipient.recipient_id})
        try:
            await remind(services, session, (named, audit), single_attempt())
        except (RecipientNotActive, TooOften) as error:  # signed or reminded meanwhile
            refusals.append(error)
    if len(refusals) == len(wanted):
        raise refusals[0]
    return session


async def _reschedule(
    services: Services, session: Session, request: tuple[SessionUpdate, AuditContext], attempt: Attempt
) -> Session:
    wanted, audit = request
    given = _given(wanted)
    change = ScheduleChange(
        expiry=Expiry(days=wanted.expiry_days) if "expiry_days" in given else None,
        reminder_enabled=given.get("reminder_enabled"),
        reminder_frequency=given.get("reminder_frequency"),
    )
    try:
        check_first(attempt, lambda: reschedule(session, change, audit))
        return await services.sessions.act(session, RescheduleRequest(audit=audit, change=change), attempt.update_id)
    except ExpiryNotLater as error:
        raise InvalidRequest([RequestIssue("/expiryDays", error.message)]) from error


def _given(wanted: SessionUpdate) -> dict[str, Any]:
    """Returns the members that the request sets, by name, without those of subclasses (assistant tools)."""
    return {name: getattr(wanted, name) for name in SessionUpdate.model_fields if name in wanted.model_fields_set}


async def _check_recipients(services: Services, session: Session, recipients: Sequence[RecipientCreate]) -> None:
    """Raises the errors that creating the session with `recipients` would raise."""
    await check_names(services, recipients, {n: f"/recipients/{n}/name" for n in range(len(recipients))})
    issues = [*misplaced_placeholders(recipients, None), *await _missing(services, session, recipients)]
    if issues:
        raise DocumentValidationFailed(issues)


async def check_names(services: Services, recipients: Sequence[Named], places: Mapping[int, str]) -> None:
    unprintable = await services.pool.run(undrawable_names, tuple(recipient.name or "" for recipient in recipients))
    refuse_unprintable([(places[n], characters) for n, characters in enumerate(unprintable) if characters])


async def _missing(services: Services, session: Session, recipients: Sequence[RecipientCreate]) -> list[FiledIssue]:
    """Returns an issue for each recipient whom a document names and who is not a signer among `recipients`."""
    places = {recipient.key: number for number, recipient in enumerate(recipients)}
    keys = signer_keys(recipients)
    found = []
    for number, file in enumerate(session.files):
        zones = ZONES.validate_json(await services.objects.get(file.zones)) if file.zones else ()
        first = {zone.recipient: zone for zone in reversed(zones) if zone.recipient not in keys}
        for key, zone in reversed(first.items()):
            if key in places:
                message, path = not_a_signer(recipients[places[key]]), f"/recipients/{places[key]}/role"
                issue = Issue(IssueKind.NOT_A_SIGNER, zone.page, message, key, path)
            else:
                message = f"The document “{file.title}” needs the recipient “{key}”. Keep a recipient with this key."
                issue = Issue(IssueKind.UNKNOWN_RECIPIENT, zone.page, message, key, "/recipients")
            found.append(FiledIssue(number, issue.path, issue))
    return found


async def _refuse_printed_name(services: Services, session: Session, name: str) -> None:
    """Raises `InvalidRequest` if the text of a document holds `name`: the pages that were sent never change.

    Signature blocks are not checked, since names are printed into them at the end.
    """
    printed = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    for file in session.files:
        if file.source is None:
            continue
        document = BlockDocument.model_validate_json(await services.objects.get(file.source), context=FILLED)
        if any(printed.search(text) for _, text in document.whole_texts()):
            message = _PRINTED.format(title=file.title, name=name)
            raise InvalidRequest([RequestIssue("/name", message)])


def _recipients(session: Session, recipients: Sequence[RecipientCreate]) -> Iterator[Recipient]:
    """Yields the recipients of the draft. An id derives from the key, so every attempt yields the same ones."""
    ids = {recipient.key: recipient.recipient_id for recipient in session.recipients}
    for position, wanted in enumerate(recipients, start=1):
        new = RecipientId(str(uuid5(UUID(session.session_id), f"recipient key {wanted.key}")))
        yield Recipient(
            recipient_id=ids.get(wanted.key, new),
            **{**members_of(AddressedRecipient, wanted), "signing_order": wanted.signing_order or position},
        )
