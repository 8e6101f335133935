"""Sessions in every situation, and every act that anybody or anything can try on them.

Ada signs first, Grace second; there are reminders every week, and thirty days until expiry.
"""

from collections.abc import Callable
from datetime import timedelta

from domain.session.downloads import CERTIFICATE
from domain.session.session import Session, Step
from domain.shared.ids import RecipientId
from tests.builders import NOON, draft, identifier, occasion, reference, submission

ADA, GRACE = RecipientId(identifier("ada")), RecipientId(identifier("grace"))
DAYS = 30
LATE = NOON + timedelta(days=DAYS)

Act = Callable[[Session], Step]


def drafted() -> Session:
    return Session.create(draft(expiry_days=DAYS, reminder_enabled=True), occasion()).session


def sent() -> Session:
    return drafted().send(occasion()).session


def half_signed() -> Session:
    return sent().sign(ADA, submission("ada"), occasion()).session


def all_signed() -> Session:
    return half_signed().sign(GRACE, submission("grace"), occasion()).session


def generated() -> Session:
    return store_document(all_signed()).session


def declined() -> Session:
    return sent().decline(ADA, "The fee is wrong.", occasion()).session


def expired() -> Session:
    return sent().expire(occasion(LATE)).session


def archived(session: Session) -> Session:
    return session.archive(occasion(session.updated_at)).session


def store_document(session: Session) -> Step:
    return session.add_signed_document(session.files[0].file_id, reference("signed.pdf"), occasion())


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
    "erased": lambda: sent().erase(occasion()).session,
}

ACTS: dict[str, Act] = {
    "send": lambda session: session.send(occasion()),
    "invite ada": lambda session: session.invite(ADA, occasion()),
    "invite grace": lambda session: session.invite(GRACE, occasion()),
    "ada views": lambda session: session.view(ADA, occasion()),
    "grace views": lambda session: session.view(GRACE, occasion()),
    "ada signs": lambda session: session.sign(ADA, submission("ada"), occasion()),
    "grace signs": lambda session: session.sign(GRACE, submission("grace"), occasion()),
    "ada declines": lambda session: session.decline(ADA, "No.", occasion()),
    "grace declines": lambda session: session.decline(GRACE, "No.", occasion()),
    "a week passes": lambda session: session.remind(occasion(NOON + timedelta(days=7))),
    "the expiry date passes": lambda session: session.expire(occasion(LATE)),
    "the signed PDF is stored": store_document,
    "the certificate is handed out": lambda session: session.hand_out([CERTIFICATE], occasion()),
    "archive": lambda session: session.archive(occasion()),
    "restore": lambda session: session.restore(occasion()),
    "erase": lambda session: session.erase(occasion()),
}
