"""Requests as recipients and clients make them."""

from domain.audit.events import ActorKind
from domain.ports.session_requests import (
    ApproveRequest,
    ArchiveRequest,
    CorrectRequest,
    DeclineRequest,
    DelegateRequest,
    InviteRequest,
    RecordDownloadRequest,
    RemindRequest,
    RescheduleRequest,
    RestoreRequest,
    SignRequest,
    ViewRequest,
)
from domain.session.delegation import Delegate
from domain.session.edits import Correction, Expiry, ScheduleChange
from domain.session.reminder_schedule import ReminderFrequency
from domain.shared.ids import RecipientId
from tests.builders import audit, identifier, submission

ACT = ArchiveRequest(audit=audit())
RESTORE = RestoreRequest(audit=audit())


def opened_by(key: str, invitation: int = 1) -> ViewRequest:
    """A request of the recipient `key` with the link of that invitation."""
    return ViewRequest(
        recipient_id=RecipientId(identifier(key)), invitation=invitation, audit=audit(kind=ActorKind.RECIPIENT)
    )


def approved_by(key: str) -> ApproveRequest:
    return ApproveRequest(**dict(opened_by(key)))


def signed_by(key: str, invitation: int = 1) -> SignRequest:
    return SignRequest(**dict(opened_by(key, invitation)), submission=submission(key))


def declined_by(key: str) -> DeclineRequest:
    return DeclineRequest(**dict(opened_by(key)), reason="The fee is wrong.")


def passed_on_by(key: str, email: str) -> DelegateRequest:
    """The recipient `key` passes their turn on to Mary at that address."""
    to = Delegate(name="Mary Jackson", email=email, reason="She is the new director.")
    return DelegateRequest(**dict(opened_by(key)), to=to)


def copies(*wanted: str, by: ActorKind = ActorKind.CLIENT) -> RecordDownloadRequest:
    return RecordDownloadRequest(audit=audit(kind=by), wanted=wanted)


def ask_again(key: str) -> InviteRequest:
    return InviteRequest(audit=audit(), recipient_id=RecipientId(identifier(key)))


def remind_of(key: str) -> RemindRequest:
    return RemindRequest(audit=audit(), recipient_id=RecipientId(identifier(key)))


def right_address(key: str, email: str) -> CorrectRequest:
    """A correction of the address of the recipient `key`."""
    return CorrectRequest(audit=audit(), recipient_id=RecipientId(identifier(key)), right=Correction(email=email))


def expire_after(days: int | None) -> RescheduleRequest:
    return RescheduleRequest(audit=audit(), change=ScheduleChange(expiry=Expiry(days=days)))


def remind_every(frequency: ReminderFrequency) -> RescheduleRequest:
    change = ScheduleChange(reminder_enabled=True, reminder_frequency=frequency)
    return RescheduleRequest(audit=audit(), change=change)
