"""Settings of a session that a template may hold for its sessions (Specification 2.1, 2.14)."""

from domain.session.recipients import RecipientVerification
from domain.session.reminder_schedule import ReminderFrequency
from domain.shared.frozen_model import FrozenModel, omitted_default


class TemplateSettings(FrozenModel):
    """Settings of a session, or of a template for its sessions.

    `application.schemas.session_settings` has the same members.
    `delegation`: recipients may pass their turn on (`domain.session.delegation`). `language` is a key of
    `domain.texts.languages.LANGUAGES`.
    """

    message: str | None
    expiry_days: int | None = None
    reminder_enabled: bool = False
    reminder_frequency: ReminderFrequency = ReminderFrequency.WEEKLY
    recipient_verification: RecipientVerification = RecipientVerification.NONE
    delegation: bool = omitted_default(False)
    language: str | None = omitted_default(None)
