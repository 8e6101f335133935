"""Builds each mail about a session or a pause from its request.

The same request and identity give the same bytes at every attempt.
"""

from activities.interface import InvitationRequest, OutcomeMailRequest, PauseMailRequest, ReminderRequest
from application.mails.render_mail import Facts, MailEnvelope, make_mail
from application.translations.localised_formats import format_deadline, format_moment, format_person
from domain.ports.mail import Mail
from domain.ports.sender_identity import NO_IDENTITY, SenderIdentity
from domain.session.deletion_mails import DeletionMailRecipient, DeletionMails
from domain.session.recipients import RecipientRole
from domain.shared.frozen_model import FrozenModel
from domain.shared.linkable_text import without_links
from domain.shared.object_names import digest
from domain.texts.languages import ENGLISH
from domain.workflow_ids import pause_id


def invitation_mail(
    request: InvitationRequest, address: str, identity: SenderIdentity = NO_IDENTITY, zone: str = "UTC"
) -> Mail:
    """Builds the mail with the signing link `address`. Its times are in the time zone `zone`."""
    link = request.link
    message_id = _message_id(f"invitation.{link.session_id}.{link.recipient_id}.{link.invitation}", request)
    envelope = MailEnvelope(
        message_id,
        *_to(request),
        request.invited_at,
        reply_to=request.reply_to,
        sender_name=request.sender_name,
        identity=identity,
        language=request.language or ENGLISH,
    )
    return make_mail("invitation", _invitation_facts(request, address, envelope.language, zone), envelope)


def reminder_mail(
    request: ReminderRequest, address: str, identity: SenderIdentity = NO_IDENTITY, zone: str = "UTC"
) -> Mail:
    """Builds a reminder: the invitation again, with an address to unsubscribe from reminders."""
    invitation = request.invitation
    link, sender = invitation.link, invitation.reply_to
    message_id = _message_id(f"reminder.{link.session_id}.{link.recipient_id}.{request.reminder}", invitation)
    envelope = MailEnvelope(
        message_id,
        *_to(invitation),
        request.due_at,
        reply_to=sender,
        sender_name=invitation.sender_name,
        unsubscribe=sender,
        identity=identity,
        language=invitation.language or ENGLISH,
    )
    facts = _invitation_facts(invitation, address, envelope.language, zone)
    return make_mail("invitation", {**facts, "is_reminder": True}, envelope)


def outcome_mail(
    request: OutcomeMailRequest, address: str | None, identity: SenderIdentity = NO_IDENTITY, zone: str = "UTC"
) -> Mail:
    """Builds a mail about the outcome of a session. `address` leads to the copy or, for the sender, to the session."""
    notice = request.notice
    to = notice.recipient_id or notice.user_id or "sender"
    language = request.language or ENGLISH
    facts: Facts = {
        "name": request.to_name,
        "organisation": request.organisation_name,
        "session": request.session_name,
        "session_id": request.session_id,
        "is_sender": notice.recipient_id is None,
        "is_user": notice.user_id is not None,
        "signer": request.signer,
        "signed": str(request.signed),
        "signers": str(request.signers),
        "has_approvers": request.has_approvers,
        "is_approval": request.actor_role is RecipientRole.APPROVER,
        "is_approver": request.role is RecipientRole.APPROVER,
        "delegator": notice.delegation.name if notice.delegation else None,
        "delegate": notice.delegation.to_name if notice.delegation else None,
        "is_copy": request.role is RecipientRole.COPY,
        "at": format_moment(notice.at, language, zone),
        "until": format_moment(request.expires_at, language, zone) if request.expires_at else None,
        "decliner": request.decliner,
        "quote": notice.delegation.reason if notice.delegation else request.reason,
        "address": address,
    }
    envelope = MailEnvelope(
        message_id=_message_id(f"{notice.kind.value}.{request.session_id}.{to}.{notice.cause}", request),
        to_name=request.to_name,
        to_email=request.to_email,
        organisation=request.organisation_name,
        sent_at=notice.at,
        reply_to=request.reply_to,
        sender_name=request.sender_name,
        identity=identity,
        language=language,
    )
    return make_mail(notice.kind.value, facts, envelope)


def deletion_mail(
    mails: DeletionMails, recipient: DeletionMailRecipient, identity: SenderIdentity = NO_IDENTITY
) -> Mail:
    """Builds the mail to a recipient of a session that was deleted while it was open for signing."""
    facts: Facts = {
        "name": recipient.name,
        "organisation": mails.organisation_name,
        "session": mails.session_name,
        "is_approver": recipient.role is RecipientRole.APPROVER,
    }
    envelope = MailEnvelope(
        message_id=_message_id(f"deleted.{mails.session_id}.{recipient.recipient_id}", recipient),
        to_name=recipient.name,
        to_email=recipient.email,
        organisation=mails.organisation_name,
        sent_at=mails.erased_at,
        reply_to=mails.reply_to,
        identity=identity,
        language=recipient.language or ENGLISH,
    )
    return make_mail("deleted", facts, envelope)


def pause_mail(
    request: PauseMailRequest,
    organisation: str,
    to: tuple[str, str],
    address: str,
    identity: SenderIdentity = NO_IDENTITY,
) -> Mail:
    """Builds the mail about a paused receiver, to a name and an address. Signed-in users resume it at `address`."""
    pause = request.pause
    facts: Facts = {
        "name": to[0],
        "organisation": organisation,
        "receiver": pause.receiver.partition("://")[2],  # mail programs would turn a whole URL into a link
        "at": format_moment(pause.at, ENGLISH),
        "address": address,
    }
    envelope = MailEnvelope(
        message_id=_message_id(f"{pause_id(pause).replace('/', '.')}.{request.user_id or 'sender'}", request),
        to_name=to[0],
        to_email=to[1],
        organisation=organisation,
        sent_at=pause.at,
        identity=identity,
    )
    return make_mail("paused", facts, envelope)


def _message_id(cause: str, request: FrozenModel) -> str:
    """Returns one id for all attempts of the same mail, from its cause and its content.

    After a restore from a backup, a different mail of the same cause has another id, so that mail servers accept it.
    """
    return f"{cause}@undersign-{digest(request.model_dump_json(exclude_defaults=True).encode())[:16]}"


def _to(request: InvitationRequest) -> tuple[str, str, str]:
    return request.recipient_name, request.recipient_email, request.organisation_name


def _invitation_facts(request: InvitationRequest, address: str, language: str, zone: str) -> Facts:
    return {
        "name": request.recipient_name,
        "organisation": format_person(without_links(request.sender_name or ""), request.organisation_name, language),
        "session": request.session_name,
        "is_reminder": False,
        "is_approver": request.role is RecipientRole.APPROVER,
        "expires": format_deadline(request.expires_at, language, zone) if request.expires_at else None,
        "delegator": request.delegation.name if request.delegation else None,
        "delegation_reason": request.delegation.reason if request.delegation else None,
        "part": f"{request.part[0]}/{request.part[1]}" if request.part else None,
        "quote": request.message,
        "address": address,
    }
