"""Parses JSON bodies, and collects all issues."""

from typing import TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import from_json

from application.errors import MOST_ISSUES, InvalidRequest, RequestIssue
from application.json_limits import exceeded_limit
from application.services import Services
from application.validation_issues import issues_of
from schemas.base import PRIVATE_CALLBACKS

M = TypeVar("M", bound=BaseModel)


def parse_json(body: bytes, model: type[M], services: Services, most: int = MOST_ISSUES) -> M:
    """Returns the JSON `body` as `model`. Raises `InvalidRequest` with all issues, at most `most`."""
    exceeded = exceeded_limit(body)
    if exceeded is not None:
        raise InvalidRequest([RequestIssue("", exceeded)])
    context = {PRIVATE_CALLBACKS: services.private_callbacks}
    try:
        return model.model_validate_json(body, strict=True, by_alias=True, by_name=False, context=context)
    except ValidationError as error:
        errors = error.errors(include_url=False, include_input=False)
        parsed = None if errors[0]["type"] == "json_invalid" else from_json(body)
        raise InvalidRequest(issues_of(errors, parsed, most), most) from error
