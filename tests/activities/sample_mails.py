"""One mail of each kind, and some with difficult text."""

from base64 import b64decode
from datetime import UTC, datetime, timedelta

from activities.build_mails import deletion_mail, invitation_mail, outcome_mail, pause_mail, reminder_mail
from activities.interface import InvitationRequest, LinkRequest, OutcomeMailRequest, PauseMailRequest, ReminderRequest
from application.mails.render_mail import MailEnvelope, make_mail
from domain.callbacks.delivery_schedule import ReceiverPause
from domain.ports.mail import Mail
from domain.ports.sender_identity import Logo, SenderIdentity
from domain.session.deletion_mails import DeletionMailRecipient, DeletionMails
from domain.session.outcome_mail_kinds import OutcomeMail, OutcomeMailKind
from domain.session.recipients import Delegation, RecipientRole
from domain.shared.ids import RecipientId, SessionId, UserId
from tests.builders import NOON, ORGANISATION, identifier

LOGO = Logo(
    b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGPgL0gHAAGeAOZzyvCrAAAAAElFTkSuQmCC"), 120, 32
)
"""A plain colour."""

SESSION = f"https://sign.example.com/app/sessions/{identifier('session')}"
ADDRESS = "https://sign.example.com/sign/" + "a" * 86
LINK = LinkRequest(
    organisation_id=ORGANISATION,
    session_id=SessionId(identifier("session")),
    recipient_id=RecipientId(identifier("ada")),
    invitation=1,
)


def invitation(**members: object) -> InvitationRequest:
    return InvitationRequest.model_validate(
        {
            "link": LINK,
            "organisation_name": "Northwind Trading",
            "session_name": "Consulting agreement",
            "message": "Please have a look.",
            "recipient_name": "Ada Lovelace",
            "recipient_email": "ada@example.com",
            "invited_at": NOON,
            **members,
        }
    )


def reminder(**members: object) -> ReminderRequest:
    return ReminderRequest(invitation=invitation(**members), reminder=3, due_at=NOON + timedelta(days=3))


def notice(kind: OutcomeMailKind, *, to_sender: bool = False, **members: object) -> OutcomeMailRequest:
    return OutcomeMailRequest.model_validate(
        {
            "organisation_id": ORGANISATION,
            "session_id": LINK.session_id,
            "organisation_name": "Northwind Trading",
            "session_name": "Consulting agreement",
            "notice": OutcomeMail(kind=kind, cause=9, at=NOON, recipient_id=None if to_sender else LINK.recipient_id),
            "to_name": "Northwind Trading" if to_sender else "Ada Lovelace",
            "to_email": "contracts@northwind.example" if to_sender else "ada@example.com",
            "link": None if to_sender else LINK,
            "decliner": "Grace Hopper" if kind is OutcomeMailKind.DECLINED else None,
            "reason": "The fee is wrong." if kind is OutcomeMailKind.DECLINED and to_sender else None,
            "expires_at": NOON - timedelta(minutes=1) if kind is OutcomeMailKind.EXPIRED else None,
            **members,
        }
    )


def to_user(kind: OutcomeMailKind, **members: object) -> OutcomeMailRequest:
    """An email to the user who sent the session, as the activity builds it."""
    about = OutcomeMail(kind=kind, cause=9, at=NOON, user_id=UserId(identifier("olivia")))
    whom = {"to_name": "Olivia Wells", "to_email": "olivia@northwind.example"}
    return notice(kind, to_sender=True, **{"notice": about, **whom, **members})


IDENTITY = SenderIdentity(
    logo=LOGO,
    sender_name="Northwind",
    accent="#c2410c",
    imprint_url="https://northwind.example/imprint",
    privacy_url="https://northwind.example/privacy",
)

PASSED_ON = Delegation(
    name="Grace Hopper",
    email="grace@example.com",
    to_name="Ada Lovelace",
    to_email="ada@example.com",
    reason="She is the new director.",
    invitation=1,
)

DELETED = DeletionMails(
    session_id=LINK.session_id,
    session_name="Consulting agreement",
    organisation_name="Northwind Trading",
    erased_at=NOON,
    reply_to="contracts@northwind.example",
    recipients=(DeletionMailRecipient(recipient_id=LINK.recipient_id, name="Ada Lovelace", email="ada@example.com"),),
)


def _of_the_page(kind: str, **facts: str) -> Mail:
    everything = {"name": "Ada Lovelace", "organisation": "Northwind Trading", "minutes": "10", **facts}
    envelope = MailEnvelope(f"{kind}.1@undersign", "Ada Lovelace", "ada@example.com", "Northwind Trading", NOON)
    return make_mail(kind, everything, envelope)


SAMPLES: dict[str, Mail] = {
    "invitation": invitation_mail(
        invitation(
            expires_at=datetime(2027, 1, 3, 9, 5, tzinfo=UTC), message="Dear Ada,\n\nplease see section 4.\nThanks!"
        ),
        ADDRESS,
    ),
    "invitation in Arabic": invitation_mail(
        invitation(
            organisation_name="شركة الرياح الشمالية",
            session_name="اتفاقية استشارات 2026",
            recipient_name="آدا لوفلايس",
            message="يرجى مراجعة البند 4. شكرا!",
        ),
        ADDRESS,
    ),
    "invitation with a logo": invitation_mail(invitation(), ADDRESS, SenderIdentity(logo=LOGO)),
    "invitation with an identity": invitation_mail(invitation(), ADDRESS, IDENTITY),
    "signed, to the user": outcome_mail(
        to_user(OutcomeMailKind.SIGNED, signer="Grace Hopper", signed=1, signers=2), SESSION
    ),
    "signed": outcome_mail(notice(OutcomeMailKind.SIGNED), ADDRESS),
    "approved": outcome_mail(notice(OutcomeMailKind.SIGNED, role="approver"), ADDRESS),
    "declined, to the user": outcome_mail(to_user(OutcomeMailKind.DECLINED, reason="The fee is wrong."), SESSION),
    "invitation to approve": invitation_mail(invitation(role="approver", expires_at=NOON), ADDRESS),
    "reminder to approve": reminder_mail(reminder(role="approver"), ADDRESS),
    "invitation, passed on": invitation_mail(invitation(delegation=PASSED_ON), ADDRESS),
    "invitation to approve, passed on": invitation_mail(invitation(role="approver", delegation=PASSED_ON), ADDRESS),
    "delegated, to the user": outcome_mail(
        to_user(
            OutcomeMailKind.DELEGATED,
            notice=OutcomeMail(
                kind=OutcomeMailKind.DELEGATED,
                cause=9,
                at=NOON,
                user_id=UserId(identifier("olivia")),
                delegation=PASSED_ON,
            ),
        ),
        SESSION,
    ),
    "approved, to the user": outcome_mail(
        to_user(
            OutcomeMailKind.SIGNED,
            signer="Grace Hopper",
            signed=1,
            signers=2,
            has_approvers=True,
            actor_role="approver",
        ),
        SESSION,
    ),
    "completed, to an approver": outcome_mail(notice(OutcomeMailKind.COMPLETED, role="approver"), ADDRESS),
    "completed, with a copy": outcome_mail(notice(OutcomeMailKind.COMPLETED, role="copy"), ADDRESS),
    "declined by an approver": outcome_mail(notice(OutcomeMailKind.DECLINED, actor_role="approver"), None),
    "expired, to an approver": outcome_mail(notice(OutcomeMailKind.EXPIRED, role="approver"), None),
    "cancelled, to an approver": outcome_mail(notice(OutcomeMailKind.CANCELLED, role="approver"), None),
    "replaced, to an approver": outcome_mail(notice(OutcomeMailKind.REPLACED, role="approver"), None),
    "deleted, to an approver": deletion_mail(
        DELETED, DELETED.recipients[0].model_copy(update={"role": RecipientRole.APPROVER})
    ),
    "deleted": deletion_mail(DELETED, DELETED.recipients[0]),
    "cancelled with a reason": outcome_mail(
        notice(OutcomeMailKind.CANCELLED, reason="The fee was wrong.\nSorry!"), None
    ),
    "reminder": reminder_mail(reminder(message=None, reply_to="contracts@northwind.example"), ADDRESS),
    "completed": outcome_mail(notice(OutcomeMailKind.COMPLETED), ADDRESS),
    "completed, to the sender": outcome_mail(notice(OutcomeMailKind.COMPLETED, to_sender=True), SESSION),
    "declined": outcome_mail(notice(OutcomeMailKind.DECLINED), None),
    "declined, to the sender": outcome_mail(notice(OutcomeMailKind.DECLINED, to_sender=True), SESSION),
    "expired": outcome_mail(notice(OutcomeMailKind.EXPIRED), None),
    "expired, to the sender": outcome_mail(notice(OutcomeMailKind.EXPIRED, to_sender=True), SESSION),
    "cancelled": outcome_mail(notice(OutcomeMailKind.CANCELLED), None),
    "replaced": outcome_mail(notice(OutcomeMailKind.REPLACED), None),
    "paused": pause_mail(
        PauseMailRequest(
            pause=ReceiverPause(organisation_id=ORGANISATION, receiver="https://hooks.northwind.example:443", at=NOON),
            user_id=UserId(identifier("ada")),
        ),
        "Northwind Trading",
        ("Ada Lovelace", "ada@example.com"),
        "https://sign.example.com/app/organisation/webhooks",
    ),
    "code": _of_the_page("code", session="Consulting agreement", code="481 902"),
    "sign-in": _of_the_page("sign-in", address="https://sign.example.com/enter/" + "b" * 43),
    "member-invitation": _of_the_page(
        "member-invitation",
        inviter="Grace Hopper",
        inviter_address="grace@northwind.example",
        organisation_id=ORGANISATION,
        days="7",
        address="https://sign.example.com/app/sign-in/" + "b" * 43,
    ),
}
