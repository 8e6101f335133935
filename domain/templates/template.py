"""Templates: documents with variables, from which sessions are created (Specification 2.14)."""

from datetime import datetime
from typing import NamedTuple

from pydantic import JsonValue

from domain.session.recipients import RecipientSettings
from domain.session.settings import TemplateSettings
from domain.shared.ids import OrganisationId, TemplateId
from domain.templates.variables import Variable
from domain.texts.described_enum import DescribedEnum


class TemplateStatus(DescribedEnum):
    """Status of a template."""

    DRAFT = "draft", "created, not ready for use"
    ACTIVE = "active", "sessions can be created from it"
    ARCHIVED = "archived", "no sessions can be created from it until it is restored"


class TemplateRecipient(RecipientSettings):
    """A recipient of a template. Name and email may be blank or hold variable tokens (Specification 2.9)."""


class Template(TemplateSettings):
    """A template. `document` is the block document as posted. The settings apply to sessions created from it.

    `version` is the number of its content, from 1. The next version of an active template is a `Template` of its own,
    with the same id and the status draft, until it is activated.
    """

    organisation_id: OrganisationId
    template_id: TemplateId
    name: str
    status: TemplateStatus
    created_at: datetime
    updated_at: datetime
    document: dict[str, JsonValue]
    recipients: tuple[TemplateRecipient, ...]
    variables: tuple[Variable, ...]
    version: int = 1
    has_next_version: bool = False

    def activated(self, at: datetime) -> "Template":
        """Returns the template as active; an active one is unchanged."""
        if self.status is TemplateStatus.ACTIVE:
            return self
        return self.model_copy(update={"status": TemplateStatus.ACTIVE, "updated_at": at})


class TemplateSummary(NamedTuple):
    """A row of a list of templates."""

    template_id: TemplateId
    name: str
    status: TemplateStatus
    created_at: datetime
    updated_at: datetime
    recipient_count: int
    has_variables: bool
    version: int
    has_next_version: bool


class TemplatePage(NamedTuple):
    """A page of a list of templates. `total` is the length of the list."""

    rows: tuple[TemplateSummary, ...]
    total: int
