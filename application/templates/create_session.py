"""Creates a session from a template (Specification 4.13)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pydantic import ValidationError
from pydantic_core import from_json, to_json

from application.caller import Caller
from application.errors import (
    MAX_ISSUES,
    DocumentValidationFailed,
    InvalidRequest,
    InvalidVariableValues,
    RequestIssue,
    TemplateArchived,
    TemplateNotActive,
    TemplateNotFound,
)
from application.idempotency import Attempt
from application.off_loop import off_loop
from application.schemas.session_create import SessionCreate
from application.schemas.session_from_template import SessionFromTemplate
from application.services import Services
from application.sessions import create
from application.sessions.create import CreatedSession
from application.templates.substitute import MAX_FILLED, parent_of, places_of, session_of, with_variables
from application.templates.templates import get_template
from application.validation_issues import pointer
from domain.ports.templates import Templates
from domain.shared.ids import OrganisationId
from domain.templates.template import Template, TemplateStatus
from domain.templates.variables import resolve_values, sample_values


async def create_session(
    services: Services, caller: Caller, request: SessionFromTemplate, attempt: Attempt
) -> CreatedSession:
    """Fills the template, and creates the session.

    Raises `TemplateNotFound`, `TemplateNotActive`, `TemplateArchived`, `InvalidVariableValues` with all invalid values,
    or the errors of `application.sessions.create.create_session`.
    """
    template = await get_template(services.templates, caller.organisation_id, request.template_id)
    # an earlier attempt may have created the session before the template was archived
    is_late = template.status is TemplateStatus.ARCHIVED and attempt.is_repeated
    if not (is_late and await services.rows.find(caller.organisation_id, attempt.session_id)):
        _check_is_active(template)
    session, source = await fill_template(template, request)
    try:
        return await create.create_session(services, caller, session, attempt, source)
    except DocumentValidationFailed as refused:
        raise with_variables(template, refused) from refused


async def find_active_template(templates: Templates, organisation_id: OrganisationId, template_id: str) -> Template:
    """Returns the template. Raises `TemplateNotFound`, `TemplateNotActive` or `TemplateArchived`."""
    template = await get_template(templates, organisation_id, template_id)
    _check_is_active(template)
    return template


def _check_is_active(template: Template) -> None:
    if template.status is TemplateStatus.DRAFT:
        raise TemplateNotActive
    if template.status is TemplateStatus.ARCHIVED:
        raise TemplateArchived


async def fill_template(
    template: Template, request: SessionFromTemplate
) -> tuple[SessionCreate, create.DocumentSource]:
    """Returns the request of the session with all values, and the source of its document.

    Raises `InvalidVariableValues` with all invalid values, or `InvalidRequest`.
    """
    return await off_loop(MAX_FILLED, lambda: _fill_template(template, request))


def _fill_template(template: Template, request: SessionFromTemplate) -> tuple[SessionCreate, create.DocumentSource]:
    issues = issues_of_values(template, request.variable_values)
    if issues:
        raise InvalidVariableValues(issues)
    values = resolve_values(template.variables, request.variable_values)
    session = session_of(template, request, values.printed)
    return session, replace(create.TEMPLATE, recipients=places_of(template, request))


def fill_or_collect(
    template: Template, request: SessionFromTemplate
) -> tuple[SessionCreate | None, list[RequestIssue]]:
    """Returns the request of the session, or None with all issues of values, recipients and texts at once."""
    issues = issues_of_values(template, request.variable_values)
    values = resolve_values(template.variables, request.variable_values)
    try:
        session = session_of(template, request, {**sample_values(template.variables), **values.printed})
    except InvalidRequest as refused:
        return None, [*issues, *refused.issues]
    return (None, issues) if issues else (session, [])


def issues_of_values(template: Template, given: Mapping[str, object]) -> list[RequestIssue]:
    """Returns the issues of the values that are given for the variables of `template`."""
    wrong = resolve_values(template.variables, given).wrong
    return [RequestIssue(pointer(("variableValues", one.name)), one.message) for one in wrong]


async def with_all_issues(
    templates: Templates, organisation_id: OrganisationId, body: bytes, refused: InvalidRequest
) -> InvalidRequest:
    """Returns `refused`, the validation error of `body`, with the issues of the filled template added."""
    if len(refused.issues) == MAX_ISSUES or not all(issue.path for issue in refused.issues):
        return refused
    paths = [issue.path for issue in refused.issues]
    request = _without(body, paths)
    if request is None:
        return refused
    try:
        template = await get_template(templates, organisation_id, request.template_id)
    except TemplateNotFound:
        return refused
    values = resolve_values(template.variables, request.variable_values)
    if template.status is not TemplateStatus.ACTIVE or values.wrong:
        return refused
    try:
        await off_loop(MAX_FILLED, lambda: session_of(template, request, values.printed))
    except InvalidRequest as others:
        return InvalidRequest([*refused.issues, *(issue for issue in others.issues if issue.path not in paths)])
    return refused


def _without(body: bytes, paths: Sequence[str]) -> SessionFromTemplate | None:
    """Returns the request without its members at `paths`; None if it is still invalid."""
    try:
        members = from_json(body)
        for path in paths:
            parent, last = parent_of(members, path)
            del parent[last]
        return SessionFromTemplate.model_validate_json(to_json(members), strict=True, by_alias=True, by_name=False)
    except (ValidationError, ValueError, LookupError, TypeError):
        return None
