"""Templates in responses, and their lists (Specification 2.14, 4.12)."""

from typing import Annotated, Self

from pydantic import AfterValidator, Field, PlainSerializer, StringConstraints, WithJsonSchema
from pydantic_core import PydanticCustomError

from domain.session.recipients import RecipientVerification
from domain.session.reminders_and_outcome_mails import ReminderFrequency
from domain.shared.ids import TemplateId
from domain.templates.template import Template, TemplatePage, TemplateStatus
from domain.templates.variables import VariableType
from layout.schema.block_document import BlockDocument, DateFormat
from schemas.base import ResponseModel, Timestamp
from schemas.pagination import PageQuery, Pagination

AsPosted = Annotated[
    BlockDocument, PlainSerializer(lambda document: document.model_dump(mode="json", by_alias=True, exclude_unset=True))
]
"""A document with the members that were posted: an absent member may mean something else than null."""


class TemplateRecipientRead(ResponseModel):
    """A recipient of a template."""

    key: str
    name: Annotated[str, Field(description="may be blank, or hold variable tokens")]
    email: Annotated[str, Field(description="may be blank, or hold variable tokens")]
    signing_order: int


class VariableRead(ResponseModel):
    """A variable of the template."""

    name: str
    display_name: str | None
    type: VariableType
    required: bool
    default_value: Annotated[str | None, Field(description="the value where none is given")]
    description: str | None
    date_format: Annotated[
        DateFormat | None, Field(description="the form in which a date is printed; null: as it is given")
    ]


class TemplateRead(ResponseModel):
    """A template."""

    template_id: TemplateId
    name: str
    status: TemplateStatus
    created_at: Timestamp
    updated_at: Timestamp
    editor_url: Annotated[
        str | None,
        Field(
            description="the page on which people of the organisation review a draft and activate it; null once active"
        ),
    ]
    document: AsPosted
    recipients: tuple[TemplateRecipientRead, ...]
    variables: tuple[VariableRead, ...]
    expiry_days: Annotated[int | None, Field(description="of sessions made from it: days from sending; null: never")]
    reminder_enabled: bool
    reminder_frequency: ReminderFrequency
    message: str | None
    recipient_verification: RecipientVerification

    @classmethod
    def from_template(cls, template: Template, base_url: str) -> Self:
        return cls(
            template_id=template.template_id,
            name=template.name,
            status=template.status,
            created_at=template.created_at,
            updated_at=template.updated_at,
            editor_url=_editor_url(template, base_url),
            document=BlockDocument.model_validate(template.document),
            recipients=tuple(
                TemplateRecipientRead.model_validate(r, from_attributes=True) for r in template.recipients
            ),
            variables=tuple(VariableRead.model_validate(v, from_attributes=True) for v in template.variables),
            expiry_days=template.expiry_days,
            reminder_enabled=template.reminder_enabled,
            reminder_frequency=template.reminder_frequency,
            message=template.message,
            recipient_verification=template.recipient_verification,
        )


def _editor_url(template: Template, base_url: str) -> str | None:
    is_draft = template.status is TemplateStatus.DRAFT
    return f"{base_url}/app/templates/{template.template_id}" if is_draft else None


class TemplateListed(ResponseModel):
    """A template in a list."""

    template_id: TemplateId
    name: str
    status: TemplateStatus
    created_at: Timestamp
    updated_at: Timestamp
    recipient_count: int
    has_variables: bool


class TemplatesRead(ResponseModel):
    """A page of the organisation's templates, last changed first."""

    templates: tuple[TemplateListed, ...]
    pagination: Pagination

    @classmethod
    def from_page(cls, page: TemplatePage, limit: int, offset: int) -> Self:
        return cls(
            templates=tuple(TemplateListed.model_validate(row, from_attributes=True) for row in page.rows),
            pagination=Pagination(
                total=page.total, limit=limit, offset=offset, has_more=offset + len(page.rows) < page.total
            ),
        )


_ONE_OF = "|".join(TemplateStatus)


def _statuses(text: str) -> str:
    known = [status.value for status in TemplateStatus]
    if any(status not in known for status in text.split(",")):
        raise PydanticCustomError("status", "Name statuses out of {known}, separated by commas.", {"known": known})
    return text


class TemplateListQuery(PageQuery):
    """The query of a list of templates."""

    status: Annotated[
        str,
        StringConstraints(max_length=200),
        AfterValidator(_statuses),
        WithJsonSchema({"type": "string", "pattern": f"^({_ONE_OF})(,({_ONE_OF}))*$", "maxLength": 200}),
        Field(description="`draft`, `active` or `archived`, or several of them, separated by commas"),
    ] = TemplateStatus.ACTIVE.value

    def statuses(self) -> set[TemplateStatus]:
        """Returns the statuses in `status`."""
        return {TemplateStatus(status) for status in self.status.split(",")}
