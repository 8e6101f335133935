"""Changes of templates (Specification 4.12)."""

from typing import Annotated, Literal, Self

from pydantic import ConfigDict, Field

from domain.shared.ids import TemplateId
from domain.templates.template import Template, TemplateStatus
from schemas.base import RequestModel, ResponseModel
from schemas.session_create import Name


class TemplateRename(RequestModel):
    """Another name for a template."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"name": "Lease 2027"}]})

    name: Name


class DeletedTemplate(ResponseModel):
    """The answer to archiving and deleting a template."""

    template_id: TemplateId
    name: str
    previous_status: TemplateStatus
    status: Annotated[
        Literal[TemplateStatus.ARCHIVED] | Literal["deleted"], Field(description="the status after the call")
    ]
    permanent: Annotated[bool, Field(description="whether it was deleted for ever")]
    restorable: Annotated[bool, Field(description="whether it can be restored")]

    @classmethod
    def of(cls, template: Template, *, permanent: bool) -> Self:
        """The answer about `template` as it was before."""
        return cls(
            template_id=template.template_id,
            name=template.name,
            previous_status=template.status,
            status="deleted" if permanent else TemplateStatus.ARCHIVED,
            permanent=permanent,
            restorable=not permanent,
        )
