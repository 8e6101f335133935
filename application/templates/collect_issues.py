"""What else is wrong with a request for a session from a template, when its shape is: all is said at once."""

from collections.abc import Sequence
from typing import Any

from pydantic import ValidationError
from pydantic_core import from_json, to_json

from application.errors import MOST_ISSUES, InvalidRequest, RequestIssue, TemplateNotFound
from application.templates.find import get_template
from application.templates.substitute import session_of
from domain.shared.ids import OrganisationId
from domain.templates.template import TemplateStatus
from domain.templates.variables import resolve_values
from ports.templates import Templates
from schemas.session_from_template import SessionFromTemplate


async def with_all_issues(
    templates: Templates, organisation_id: OrganisationId, body: bytes, refused: InvalidRequest
) -> InvalidRequest:
    """`refused`, of a `body` whose shape is wrong, with what else is wrong with it."""
    if len(refused.issues) == MOST_ISSUES or not all(issue.path for issue in refused.issues):
        return refused
    return InvalidRequest(await _all_issues(templates, organisation_id, body, refused.issues))


async def _all_issues(
    templates: Templates, organisation_id: OrganisationId, body: bytes, known: Sequence[RequestIssue]
) -> list[RequestIssue]:
    """`known`, which are mistakes of shape, and what the template leaves open, as far as the rest can be read."""
    request = _without(body, [issue.path for issue in known])
    if request is None:
        return list(known)
    try:
        template = await get_template(templates, organisation_id, request.template_id)
    except TemplateNotFound:
        return list(known)
    values = resolve_values(template.variables, request.variable_values)
    if template.status is not TemplateStatus.ACTIVE or values.wrong:
        return list(known)
    told = {issue.path for issue in known}
    try:
        session_of(template, request, values.printed)
    except InvalidRequest as refused:
        return [*known, *(issue for issue in refused.issues if issue.path not in told)]
    return list(known)


def _without(body: bytes, paths: Sequence[str]) -> SessionFromTemplate | None:
    """The request without what is wrong at `paths`; None if nothing can be read without it."""
    try:
        written = from_json(body)
        for path in paths:
            _take_out(written, path.split("/")[1:])
        return SessionFromTemplate.model_validate_json(to_json(written), strict=True, by_alias=True, by_name=False)
    except (ValidationError, ValueError, LookupError, TypeError):
        return None


def _take_out(here: Any, steps: Sequence[str]) -> None:  # noqa: ANN401  # any JSON
    *way, last = steps
    for step in way:
        here = here[int(step)] if isinstance(here, list) else here[step]
    del here[last]
