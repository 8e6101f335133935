"""Templates: documents with variables, of which sessions are made (Specification 2.14)."""

from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from pydantic import JsonValue

from domain.session.recipients import RecipientVerification
from domain.session.reminders import ReminderFrequency
from domain.shared.frozen_model import FrozenModel
from domain.shared.ids import OrganisationId, TemplateId
from domain.templates.variables import Variable


class TemplateStatus(StrEnum):
    DRAFT = "draft"  # made, and not yet for use
    ACTIVE = "active"  # sessions can be made from it
    ARCHIVED = "archived"  # no sessions can be made from it, until it is restored


class TemplateRecipient(FrozenModel):
    """Somebody who will be asked to sign. Name and email may be blank, or hold tokens. Specification 2.9."""

    key: str
    name: str
    email: str
    signing_order: int


class Template(FrozenModel):
    """A template. `document` is the block document as it was posted; what follows is for the sessions made from it."""

    organisation_id: OrganisationId
    template_id: TemplateId
    name: str
    status: TemplateStatus
    created_at: datetime
    updated_at: datetime
    document: dict[str, JsonValue]
    recipients: tuple[TemplateRecipient, ...]
    variables: tuple[Variable, ...]
    expiry_days: int | None
    reminder_enabled: bool
    reminder_frequency: ReminderFrequency
    message: str | None
    recipient_verification: RecipientVerification = RecipientVerification.NONE

    def activated(self, at: datetime) -> "Template":
        """The template, for use; one that is active already stays as it is."""
        if self.status is TemplateStatus.ACTIVE:
            return self
        return self.model_copy(update={"status": TemplateStatus.ACTIVE, "updated_at": at})


class TemplateSummary(NamedTuple):
    """A template as a row of a list."""

    template_id: TemplateId
    name: str
    status: TemplateStatus
    created_at: datetime
    updated_at: datetime
    recipient_count: int
    has_variables: bool


class TemplatePage(NamedTuple):
    """A stretch of a list of templates. `total` counts all that the list has."""

    rows: tuple[TemplateSummary, ...]
    total: int
