"""Sessions from templates: filled, and then created as any session is (Specification 4.13)."""

from dataclasses import replace

from application.caller import Caller
from application.errors import (
    DocumentValidationFailed,
    InvalidVariableValues,
    RequestIssue,
    TemplateArchived,
    TemplateNotActive,
)
from application.idempotency import Attempt
from application.services import Services
from application.sessions import create
from application.sessions.create import CreatedSession
from application.templates.find import get_template
from application.templates.substitute import places_of, session_of, with_variables
from application.validation_issues import pointer
from domain.templates.template import TemplateStatus
from domain.templates.variables import resolve_values
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
