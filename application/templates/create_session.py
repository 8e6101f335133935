"""Sessions from templates: filled, and then created as any session is (Specification 4.13)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pydantic import ValidationError
from pydantic_core import from_json, to_json

from application.caller import Caller
from application.errors import (
    MOST_ISSUES,
    DocumentValidationFailed,
    InvalidRequest,
    InvalidVariableValues,
    RequestIssue,
    TemplateArchived,
    TemplateNotActive,
    TemplateNotFound,
)
from application.idempotency import Attempt
from application.services import Services
from application.sessions import create
from application.sessions.create import CreatedSession
from application.templates.find import get_template
from application.templates.substitute import places_of, session_of, with_variables
from application.validation_issues import pointer
from domain.shared.ids import OrganisationId
from domain.templates.template import TemplateStatus
from domain.templates.variables import resolve_values
from ports.templates import Templates
from schemas.session_from_template import SessionFromTemplate


async def create_session(
    services: Services, caller: Caller, request: SessionFromTemplate, attempt: Attempt
) -> CreatedSession:
    """Creates the session, and sends it if `request` says so.

    Raises:
        TemplateNotFound: the organisation has no such template.
        TemplateNotActive: it is a draft.
        TemplateArchived: it is archived.
        InvalidVariableValues: with every value that is missing, unknown, or does not fit.
        InvalidRequest, DocumentValidationFailed, and the rest: as `application.sessions.create.create_session`.
    """
    template = await get_template(services.templates, caller.organisation_id, request.template_id)
    if template.status is TemplateStatus.DRAFT:
        raise TemplateNotActive
    if template.status is TemplateStatus.ARCHIVED and not await _is_made(services, caller, attempt):
        raise TemplateArchived
    values = resolve_values(template.variables, request.variable_values)
    if values.wrong:
        raise InvalidVariableValues(
            [RequestIssue(pointer(("variableValues", wrong.name)), wrong.message) for wrong in values.wrong]
        )
    session = session_of(template, request, values.printed)
    origin = replace(create.TEMPLATE, recipients=places_of(template, request))
    try:
        return await create.create_session(services, caller, session, attempt, origin)
    except DocumentValidationFailed as refused:
        raise with_variables(template, refused) from refused


async def _is_made(services: Services, caller: Caller, attempt: Attempt) -> bool:
    """Returns whether an earlier attempt created the session before the template was archived."""
    if not attempt.is_repeated:
        return False
    return await services.rows.find(caller.organisation_id, attempt.session_id) is not None


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
