"""Sessions in every situation, and every act that anybody or anything can try on them.

Ada signs first, Grace second; there are reminders every week, and thirty days until expiry.
"""

from collections.abc import Callable
from datetime import timedelta

from domain.session.downloadable_items import CERTIFICATE
from domain.session.edits import (
    Correction,
    Expiry,
    ScheduleChange,
    correct_recipient,
    edit_draft,
    remind_recipient,
    reschedule,
)
from domain.session.session import Session, Transition
from domain.shared.ids import RecipientId
from tests.builders import NOON, audit, draft, identifier, reference, submission

ADA, GRACE = RecipientId(identifier("ada")), RecipientId(identifier("grace"))
DAYS = 30
LATE = NOON + timedelta(days=DAYS)

Act = Callable[[Session], Transition]


def drafted() -> Session:
    return Session.create(draft(expiry_days=DAYS, reminder_enabled=True), audit()).session


def sent() -> Session:
    return drafted().send(audit()).session


def half_signed() -> Session:
    return sent().sign(ADA, submission("ada"), audit()).session


def all_signed() -> Session:
    return half_signed().sign(GRACE, submission("grace"), audit()).session


def generated() -> Session:
    return store_document(all_signed()).session


def declined() -> Session:
    return sent().decline(ADA, "The fee is wrong.", audit()).session


def expired() -> Session:
    return sent().expire(audit(LATE)).session


def archived(session: Session) -> Session:
    return session.archive(audit(session.updated_at)).session


def store_document(session: Session) -> Transition:
    return session.add_signed_document(session.files[0].file_id, reference("signed.pdf"), audit())


SITUATIONS: dict[str, Callable[[], Session]] = {
    "draft": drafted,
    "pending": sent,
    "inProgress": half_signed,
    "completed": all_signed,
    "completedAndGenerated": generated,
    "declined": declined,
    "expired": expired,
    "archived draft": lambda: archived(drafted()),
    "archived pending": lambda: archived(sent()),
    "archived inProgress": lambda: archived(half_signed()),
    "archived completed": lambda: archived(all_signed()),
    "archived completedAndGenerated": lambda: archived(generated()),
    "archived declined": lambda: archived(declined()),
    "archived expired": lambda: archived(expired()),
    "erased": lambda: sent().erase(audit()).session,
}

ACTS: dict[str, Act] = {
    "send": lambda session: session.send(audit()),
    "invite ada": lambda session: session.invite(ADA, audit()),
    "invite grace": lambda session: session.invite(GRACE, audit()),
    "remind ada": lambda session: remind_recipient(session, ADA, audit()),
    "remind grace": lambda session: remind_recipient(session, GRACE, audit()),
    "correct ada": lambda session: correct_recipient(session, ADA, Correction(email="ada@right.example"), audit()),
    "correct grace": lambda session: correct_recipient(session, GRACE, Correction(name="Grace Hopper"), audit()),
    "edit": lambda session: edit_draft(session, {"name": "Lease"}, audit()),
    "extend": lambda session: reschedule(session, ScheduleChange(expiry=Expiry(days=DAYS + 1)), audit()),
    "ada views": lambda session: session.view(ADA, audit()),
    "grace views": lambda session: session.view(GRACE, audit()),
    "ada signs": lambda session: session.sign(ADA, submission("ada"), audit()),
    "grace signs": lambda session: session.sign(GRACE, submission("grace"), audit()),
    "ada declines": lambda session: session.decline(ADA, "No.", audit()),
    "grace declines": lambda session: session.decline(GRACE, "No.", audit()),
    "a week passes": lambda session: session.remind(audit(NOON + timedelta(days=7))),
    "the expiry date passes": lambda session: session.expire(audit(LATE)),
    "the signed PDF is stored": store_document,
    "the certificate is handed out": lambda session: session.record_download([CERTIFICATE], audit()),
    "archive": lambda session: session.archive(audit()),
    "restore": lambda session: session.restore(audit()),
    "erase": lambda session: session.erase(audit()),
}
