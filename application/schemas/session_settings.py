"""The settings of a session that a template may hold, in requests and responses, as in `domain.session.settings`."""

from typing import Annotated

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from application.schemas.base import DELEGATION_RULE, MULTI_LINE, RequestModel, ResponseModel
from domain.session.recipients import RecipientVerification
from domain.session.reminder_schedule import ReminderFrequency
from domain.shared.frozen_model import omitted_default
from domain.shared.limits import MAX_MESSAGE
from layout.schema.block_document import Language
from layout.schema.part import WHOLE


class SessionDefaults(RequestModel):
    """Settings of a session that a template may hold for its sessions."""

    expiry_days: Annotated[int, Field(ge=1, le=730), WHOLE] | None = Field(
        None, description="Days from sending to expiry. null: the session never expires.", examples=[30]
    )
    reminder_enabled: bool = Field(False, description="Whether recipients are reminded when it is their turn.")
    reminder_frequency: ReminderFrequency = Field(ReminderFrequency.WEEKLY, description="Interval of reminders.")
    message: Annotated[str, Field(max_length=MAX_MESSAGE), MULTI_LINE] | None = Field(
        None, description="Message in the invitations, at most 1,000 characters. null: no message."
    )
    recipient_verification: RecipientVerification = Field(
        RecipientVerification.NONE,
        description="`emailCode`: before the documents open, each recipient enters a 6-digit code from a mail to their "
        "address. A code works once, for 10 minutes and 5 attempts.",
    )
    delegation: bool = Field(
        False, description="Whether a recipient whose turn it is may pass it on to another person, on the signing page."
    )
    language: Language | None = Field(
        None,
        description="Language of pages, emails and the certificate of completion. null: that of the organisation; "
        "without one, pages are in the language of the browser, and the rest is in English.",
        examples=["de"],
    )


class SettingsRead(ResponseModel):
    """Settings of a session or template."""

    expiry_days: int | None = Field(description="Days from sending to expiry; null if it never expires.", examples=[30])
    reminder_enabled: bool = Field(description="Whether recipients are reminded when it is their turn.")
    reminder_frequency: ReminderFrequency = Field(description="Interval of reminders.")
    recipient_verification: RecipientVerification = Field(description="Verification of recipients before signing.")
    delegation: bool = omitted_default(False, DELEGATION_RULE)
    language: str | SkipJsonSchema[None] = omitted_default(
        None, "Language of pages, emails and certificate; absent: that of the browser, and English."
    )
