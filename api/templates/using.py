"""Sessions from templates: filled, and then created as any session is (Specification 4.13)."""

from dataclasses import replace

from api import creation
from api.creation import Created
from api.dependencies import Caller
from api.idempotency import Attempt
from api.pointers import pointer
from api.refusals import (
    DocumentValidationFailed,
    InvalidVariableValues,
    RequestIssue,
    TemplateArchived,
    TemplateNotActive,
)
from api.services import Services
from api.templates.filling import places_of, session_of, with_variables
from api.templates.finding import get_template
from api.v1.schemas.session_from_template import SessionFromTemplate
from domain.templates import TemplateStatus
from domain.variables import values_of


async def create_session(services: Services, caller: Caller, request: SessionFromTemplate, attempt: Attempt) -> Created:
    """Makes the session that `request` asks for, and sends it if it says so.

    Raises:
        TemplateNotFound: the organisation has no such template.
        TemplateNotActive: it is a draft.
        TemplateArchived: it is archived.
        InvalidVariableValues: with every value that is missing, unknown, or does not fit.
        InvalidRequest, DocumentValidationFailed, and the rest: as `api.creation.create_session`.
    """
    template = await get_template(services.templates, caller.organisation_id, request.template_id)
    if template.status is TemplateStatus.DRAFT:
        raise TemplateNotActive
    if template.status is TemplateStatus.ARCHIVED and not await _is_made(services, caller, attempt):
        raise TemplateArchived
    values = values_of(template.variables, request.variable_values)
    if values.wrong:
        raise InvalidVariableValues(
            [RequestIssue(pointer(("variableValues", wrong.name)), wrong.message) for wrong in values.wrong]
        )
    session = session_of(template, request, values.printed)
    origin = replace(creation.TEMPLATE, recipients=places_of(template, request))
    try:
        return await creation.create_session(services, caller, session, attempt, origin)
    except DocumentValidationFailed as refused:
        raise with_variables(template, refused) from refused


async def _is_made(services: Services, caller: Caller, attempt: Attempt) -> bool:
    """Whether an earlier attempt of the request made the session, before the template was archived."""
    if not attempt.is_repeated:
        return False
    return await services.rows.find(caller.organisation_id, attempt.session_id) is not None
