"""Lists of templates (Specification 4.12)."""

from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints, WithJsonSchema
from pydantic_core import PydanticCustomError

from domain.templates.template import TemplateStatus
from schemas.pagination import PageWanted

_ONE_OF = "|".join(TemplateStatus)


def _statuses(text: str) -> str:
    known = [status.value for status in TemplateStatus]
    if any(status not in known for status in text.split(",")):
        raise PydanticCustomError("status", "Name statuses out of {known}, separated by commas.", {"known": known})
    return text


class TemplatesWanted(PageWanted):
    """Which templates a list is to have."""

    status: Annotated[
        str,
        StringConstraints(max_length=200),
        AfterValidator(_statuses),
        WithJsonSchema({"type": "string", "pattern": f"^({_ONE_OF})(,({_ONE_OF}))*$", "maxLength": 200}),
        Field(description="`draft`, `active` or `archived`, or several of them, separated by commas"),
    ] = TemplateStatus.ACTIVE.value

    def statuses(self) -> set[TemplateStatus]:
        """What `status` names."""
        return {TemplateStatus(status) for status in self.status.split(",")}
