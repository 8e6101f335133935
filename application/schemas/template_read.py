"""Templates in responses, and their lists (Specification 2.14, 4.12)."""

from typing import Annotated, Literal, Self

from pydantic import Field, PlainSerializer

from application.schemas.base import PageQuery, Pagination, ResponseModel, TemplateUuid, Timestamp, known_statuses
from application.schemas.recipient_members import RecipientMembersRead
from application.schemas.session_settings import SettingsRead
from domain.templates.template import Template, TemplatePage, TemplateStatus
from domain.templates.variables import VariableType
from layout.schema.block_document import BlockDocument
from layout.schema.input import DateFormat

AsPosted = Annotated[
    BlockDocument, PlainSerializer(lambda document: document.model_dump(mode="json", by_alias=True, exclude_unset=True))
]
"""A document with exactly the members that were posted, because an absent member may differ from null."""


_TOKENS = "May be blank, or hold variable tokens."
_VERSION = "Number of the version, from 1. A next version has the number that it gets when it is activated."
_HAS_NEXT = "Whether an edited version waits to be activated."


class TemplateRecipientRead(RecipientMembersRead):
    """A recipient of a template."""

    name: str = Field(description=f"Full name. {_TOKENS}")
    email: str = Field(description=f"Email address. {_TOKENS}")


class VariableRead(ResponseModel):
    """A variable of the template."""

    name: str = Field(description="Name in tokens: `{{{name}}}`.", examples=["tenant"])
    display_name: str | None = Field(description="Name for display.")
    type: VariableType = Field(description="Type of its values.")
    required: bool = Field(description="Whether it must have a value or a default.")
    default_value: str | None = Field(description="Value if none is given.")
    description: str | None = Field(description="Hint for the person who enters the value.")
    date_format: DateFormat | None = Field(description="Format in which a date is printed; null: as it is given.")


class TemplateHead(ResponseModel):
    """What identifies a template, and its times."""

    template_id: TemplateUuid
    name: str = Field(description="Name of the template for display.", examples=["Lease"])
    status: TemplateStatus = Field(description="Status of the template.")
    created_at: Timestamp = Field(description="Time of creation.")
    updated_at: Timestamp = Field(description="Time of the latest change.")


class TemplateListed(TemplateHead):
    """A template in a list."""

    recipient_count: int = Field(description="Number of recipients.", examples=[2])
    has_variables: bool = Field(description="Whether the template declares variables.", examples=[True])
    version: int = Field(description=_VERSION, examples=[1])
    has_next_version: bool = Field(description=_HAS_NEXT)


class TemplateRead(SettingsRead, TemplateHead):
    """A template."""

    version: int = Field(description=_VERSION, examples=[1])
    has_next_version: bool = Field(description=_HAS_NEXT)
    editor_url: str | None = Field(description="Page on which users review and activate the draft; null once active.")
    document: AsPosted = Field(description="The block document.")
    recipients: tuple[TemplateRecipientRead, ...] = Field(description="The recipients.")
    variables: tuple[VariableRead, ...] = Field(description="Variables that tokens may name.")
    message: str | None = Field(description="Message in the invitations of its sessions; null for none.")

    @classmethod
    def from_template(cls, template: Template, base_url: str) -> Self:
        is_draft, page = template.status is TemplateStatus.DRAFT, f"{base_url}/app/templates/{template.template_id}"
        is_next = template.version > 1  # of a draft
        members = {
            "editor_url": (f"{page}/next" if is_next else page) if is_draft else None,
            "recipients": tuple(dict(recipient) for recipient in template.recipients),
            "variables": tuple(dict(variable) for variable in template.variables),
        }
        return cls.model_validate({**dict(template), **members})


class DeletedTemplate(ResponseModel):
    """The response to archiving or deleting a template."""

    template_id: TemplateUuid
    name: str = Field(description="Name of the template for display.", examples=["Lease"])
    previous_status: TemplateStatus = Field(description="Status before the request.")
    status: Literal[TemplateStatus.ARCHIVED] | Literal["deleted"] = Field(description="Status after the request.")
    permanent: bool = Field(description="Whether the template was deleted permanently.")
    restorable: bool = Field(description="Whether the template can be restored.")

    @classmethod
    def of(cls, template: Template, *, permanent: bool) -> Self:
        """Returns the response. `template` is the template before the request."""
        status = "deleted" if permanent else TemplateStatus.ARCHIVED
        members = {"previous_status": template.status, "permanent": permanent, "restorable": not permanent}
        return cls.model_validate({**dict(template), "status": status, **members})


class TemplatesRead(ResponseModel):
    """A page of the organisation's templates, last changed first."""

    templates: tuple[TemplateListed, ...] = Field(description="Templates of the page.")
    pagination: Pagination = Field(description="Position of the page in the list.")

    @classmethod
    def from_page(cls, page: TemplatePage, limit: int, offset: int) -> Self:
        return cls(
            templates=tuple(TemplateListed.model_validate(row, from_attributes=True) for row in page.rows),
            pagination=Pagination.of(page.total, limit, offset),
        )


class TemplateListQuery(PageQuery):
    """The query of a list of templates."""

    status: Annotated[tuple[TemplateStatus, ...], known_statuses(TemplateStatus)] = Field(
        (TemplateStatus.ACTIVE,),
        min_length=1,
        max_length=50,
        description="Statuses, separated by commas. Default: `active`.",
    )
