"""Templates, and sessions made from them (Specification 4.12, 4.13)."""

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request, Response

from api.bodies import json_body, read_json
from api.budgets import BUDGET_REFUSALS
from api.dependencies import Caller, InjectedServices, SessionsWriting, TemplatesReading, TemplatesWriting
from api.idempotency import KEY_REFUSALS, Attempt, OnlyOnce, TemplateOnlyOnce
from api.problems import refused
from api.refusals import (
    DocumentValidationFailed,
    InsufficientScope,
    InvalidRequest,
    InvalidVariableValues,
    TemplateNotActive,
    TemplateNotFound,
    Unauthorized,
    UnsupportedMediaType,
)
from api.strict_queries import StrictRoute
from api.templates import making, using
from api.templates.finding import activate_template, get_template
from api.templates.mistakes import with_all_issues
from api.v1.schemas.session_created import SessionCreated
from api.v1.schemas.session_from_template import SessionFromTemplate
from api.v1.schemas.template_create import TemplateCreate
from api.v1.schemas.template_list import TemplatesWanted
from api.v1.schemas.template_read import TemplateRead, TemplatesRead
from domain.errors import Unavailable
from domain.ids import SessionId
from domain.templates import Template
from domain.times import to_milliseconds

router = APIRouter(
    route_class=StrictRoute,
    prefix="/api/v1",
    tags=["Templates"],
    responses=refused(Unauthorized, InsufficientScope, Unavailable),
)

TemplateInPath = Annotated[str, Path(alias="templateId", description="what is no UUID is answered like an unknown one")]


async def get_template_create(request: Request, caller: TemplatesWriting) -> tuple[Caller, TemplateCreate]:
    """The body, read only for a caller who may send it."""
    return caller, await read_json(request, TemplateCreate)


@router.post(
    "/Template",
    response_model=TemplateRead,
    responses=refused(InvalidRequest, DocumentValidationFailed, UnsupportedMediaType, *KEY_REFUSALS),
    openapi_extra=json_body(TemplateCreate),
)
async def create_template(
    asked: Annotated[tuple[Caller, TemplateCreate], Depends(get_template_create)],
    services: InjectedServices,
    once: TemplateOnlyOnce,
) -> Response:
    """Creates a template from a block document, as a draft or active at once.

    Texts of the document, and names and emails of recipients, may hold tokens such as `{{{tenant}}}` of the variables
    that are declared. The document is laid out and checked as a session's is, except for what only values will show: a
    title with a token may become too long later.
    """

    async def create(attempt: Attempt) -> tuple[None, TemplateRead]:
        template = await making.create_template(services, *asked, attempt)
        return None, TemplateRead.from_template(template, services.base_url)

    return await once.answer(create)


async def get_readable_template(
    caller: TemplatesReading, template_id: TemplateInPath, services: InjectedServices
) -> Template:
    return await get_template(services.templates, caller.organisation_id, template_id)


async def get_writable_template(
    caller: TemplatesWriting, template_id: TemplateInPath, services: InjectedServices
) -> Template:
    return await get_template(services.templates, caller.organisation_id, template_id)


@router.get("/Template/{templateId}", responses=refused(TemplateNotFound))
async def read_template(
    template: Annotated[Template, Depends(get_readable_template)], services: InjectedServices
) -> TemplateRead:
    """The template. Its document has the members that it was posted with."""
    return TemplateRead.from_template(template, services.base_url)


@router.get("/Templates", responses=refused(InvalidRequest))
async def list_templates(
    caller: TemplatesReading, wanted: Annotated[TemplatesWanted, Query()], services: InjectedServices
) -> TemplatesRead:
    """The organisation's templates, the one that was changed last first."""
    page = await services.templates.list(caller.organisation_id, wanted.statuses(), wanted.limit, wanted.offset)
    return TemplatesRead.from_page(page, wanted.limit, wanted.offset)


@router.post("/Template/{templateId}/Activate", responses=refused(TemplateNotFound))
async def activate(
    caller: TemplatesWriting,
    draft: Annotated[Template, Depends(get_writable_template)],
    services: InjectedServices,
) -> TemplateRead:
    """Makes a draft active, for sessions to be made from it. One that is active already stays as it is."""
    at = to_milliseconds(caller.occasion.at)
    template = await activate_template(services.templates, caller.organisation_id, draft.template_id, at)
    return TemplateRead.from_template(template, services.base_url)


async def get_session_from_template(
    request: Request, caller: SessionsWriting, services: InjectedServices
) -> tuple[Caller, SessionFromTemplate]:
    """The body, read only for a caller who may send it."""
    try:
        return caller, await read_json(request, SessionFromTemplate)
    except InvalidRequest as refused:
        body = await request.body()
        raise await with_all_issues(services.templates, caller.organisation_id, body, refused) from refused


@router.post(
    "/SessionFromTemplate",
    response_model=SessionCreated,
    responses=refused(
        InvalidRequest,
        TemplateNotFound,
        TemplateNotActive,
        InvalidVariableValues,
        DocumentValidationFailed,
        UnsupportedMediaType,
        *BUDGET_REFUSALS,
        *KEY_REFUSALS,
    ),
    openapi_extra=json_body(SessionFromTemplate),
)
async def create_session_from_template(
    asked: Annotated[tuple[Caller, SessionFromTemplate], Depends(get_session_from_template)],
    services: InjectedServices,
    once: OnlyOnce,
) -> Response:
    """Creates a session from an active template, as a draft or sent at once; answered as Create Session is.

    Values are text: never markup, and never tokens again. They are printed as given; a JSON number in plain decimals.
    The filled document is checked as any session's. The `path` of an issue about it points into the template as Get
    Template answers with it: `/document/blocks/3/text`; its message ends with the values that fill the text, as in
    `/variableValues/tenant`. Every other one points into the request: `/recipients/0/email`
    is about the first entry of `recipients` as it was sent, whichever recipient of the template that is; a recipient
    whom the request does not mention is told at `/recipients`, by its key.
    """

    async def create(attempt: Attempt) -> tuple[SessionId, SessionCreated]:
        session, warnings = await using.create_session(services, *asked, attempt)
        return session.session_id, SessionCreated.of(session, warnings, services.base_url)

    return await once.answer(create)
