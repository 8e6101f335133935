"""Templates, and sessions made from them (Specification 4.12, 4.13)."""

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request, Response

from application.caller import Caller
from application.charge_sending_limit import SENDING_LIMIT_ERRORS
from application.errors import (
    DocumentValidationFailed,
    InsufficientScope,
    InvalidRequest,
    InvalidVariableValues,
    TemplateArchived,
    TemplateNotActive,
    TemplateNotFound,
    Unauthorized,
    UnsupportedMediaType,
)
from application.idempotency import IDEMPOTENCY_ERRORS, Attempt
from application.templates import create_session, templates
from application.templates.create_session import with_all_issues
from asgi.dependencies import InjectedServices, SessionWriteCaller, TemplateReadCaller, TemplateWriteCaller
from asgi.error_handlers import error_responses
from asgi.idempotency import SessionIdempotency, TemplateIdempotency, to_response
from asgi.json_body import json_body, read_json, read_with_documents
from asgi.query_validation import StrictRoute
from domain.session.labels import ExternalIdTaken
from domain.shared.errors import AlreadyArchived, NotArchived, Unavailable
from domain.shared.ids import SessionId
from domain.shared.times import to_milliseconds
from domain.templates.template import Template
from schemas.base import QueryBoolean
from schemas.session_from_template import SessionFromTemplate
from schemas.session_read import SessionCreated
from schemas.template_changes import DeletedTemplate, TemplateRename
from schemas.template_create import TemplateCreate
from schemas.template_read import TemplateListQuery, TemplateRead, TemplatesRead

router = APIRouter(
    route_class=StrictRoute,
    prefix="/api/v1",
    tags=["Templates"],
    responses=error_responses(Unauthorized, InsufficientScope, Unavailable),
)

TemplateIdPath = Annotated[str, Path(alias="templateId", description="an id that is no UUID is treated as unknown")]


async def get_template_create(request: Request, caller: TemplateWriteCaller) -> tuple[Caller, TemplateCreate]:
    """The body, read only for a caller who may send it."""
    return caller, await read_with_documents(request, caller, TemplateCreate)


@router.post(
    "/Template",
    response_model=TemplateRead,
    responses=error_responses(InvalidRequest, DocumentValidationFailed, UnsupportedMediaType, *IDEMPOTENCY_ERRORS),
    openapi_extra=json_body(TemplateCreate),
)
async def create_template(
    asked: Annotated[tuple[Caller, TemplateCreate], Depends(get_template_create)],
    services: InjectedServices,
    once: TemplateIdempotency,
) -> Response:
    """Creates a template from a block document, as a draft or active at once.

    Texts of the document, and names and emails of recipients, may hold tokens such as `{{{tenant}}}` of the variables
    that are declared. The document is laid out and checked as a session's is, except for what only values will show: a
    title with a token may become too long later.
    """

    async def act(attempt: Attempt) -> tuple[None, TemplateRead]:
        template = await templates.create_template(services, *asked, attempt)
        return None, TemplateRead.from_template(template, services.base_url)

    return to_response(await once.do(act))


async def get_readable_template(
    caller: TemplateReadCaller, template_id: TemplateIdPath, services: InjectedServices
) -> Template:
    return await templates.get_template(services.templates, caller.organisation_id, template_id)


async def get_writable_template(
    caller: TemplateWriteCaller, template_id: TemplateIdPath, services: InjectedServices
) -> Template:
    return await templates.get_template(services.templates, caller.organisation_id, template_id)


@router.get("/Template/{templateId}", responses=error_responses(TemplateNotFound))
async def get_template(
    template: Annotated[Template, Depends(get_readable_template)], services: InjectedServices
) -> TemplateRead:
    """Returns the template. Its document has the members that it was posted with."""
    return TemplateRead.from_template(template, services.base_url)


@router.get("/Templates", responses=error_responses(InvalidRequest))
async def list_templates(
    caller: TemplateReadCaller, wanted: Annotated[TemplateListQuery, Query()], services: InjectedServices
) -> TemplatesRead:
    """Lists the templates of the organisation, the last changed first."""
    page = await services.templates.list(caller.organisation_id, wanted.statuses(), wanted.limit, wanted.offset)
    return TemplatesRead.from_page(page, wanted.limit, wanted.offset)


async def get_template_update(
    request: Request, template: Annotated[Template, Depends(get_writable_template)]
) -> tuple[Template, TemplateRename]:
    """The body, read only for a template that is there."""
    return template, await read_json(request, TemplateRename)


@router.patch(
    "/Template/{templateId}",
    responses=error_responses(TemplateNotFound, InvalidRequest, UnsupportedMediaType),
    openapi_extra=json_body(TemplateRename),
)
async def update_template(
    asked: Annotated[tuple[Template, TemplateRename], Depends(get_template_update)],
    caller: TemplateWriteCaller,
    services: InjectedServices,
) -> TemplateRead:
    """Renames a template. Sessions that were created from it keep their names."""
    (template, wanted), at = asked, to_milliseconds(caller.audit.at)
    renamed = await services.templates.rename(caller.organisation_id, template.template_id, wanted.name, at)
    return TemplateRead.from_template(templates.require_template(renamed), services.base_url)


@router.delete("/Template/{templateId}", responses=error_responses(TemplateNotFound, AlreadyArchived, InvalidRequest))
async def delete_template(
    template: Annotated[Template, Depends(get_writable_template)],
    caller: TemplateWriteCaller,
    services: InjectedServices,
    permanent: Annotated[QueryBoolean, Query(description="true deletes permanently, false archives")] = False,
) -> DeletedTemplate:
    """Archives a template, which can be restored, or deletes it permanently, archived or not.

    No sessions can be created from it any more, and lists leave it out unless they are asked for `archived` ones.
    Sessions that were created from it have copies of their own and stay as they are.
    """
    if permanent:
        await services.templates.delete(caller.organisation_id, template.template_id)
    else:
        at = to_milliseconds(caller.audit.at)
        templates.require_template(await services.templates.archive(caller.organisation_id, template.template_id, at))
    return DeletedTemplate.of(template, permanent=permanent)


@router.post("/Template/{templateId}/Restore", responses=error_responses(TemplateNotFound, NotArchived))
async def restore_template(
    archived: Annotated[Template, Depends(get_writable_template)],
    caller: TemplateWriteCaller,
    services: InjectedServices,
) -> TemplateRead:
    """Restores an archived template: a draft as a draft, an active one as active."""
    at = to_milliseconds(caller.audit.at)
    template = templates.require_template(
        await services.templates.restore(caller.organisation_id, archived.template_id, at)
    )
    return TemplateRead.from_template(template, services.base_url)


@router.post("/Template/{templateId}/Activate", responses=error_responses(TemplateNotFound, TemplateArchived))
async def activate_template(
    caller: TemplateWriteCaller,
    draft: Annotated[Template, Depends(get_writable_template)],
    services: InjectedServices,
) -> TemplateRead:
    """Activates a draft, so that sessions can be created from it. An active template stays as it is."""
    at = to_milliseconds(caller.audit.at)
    template = await templates.activate_template(services.templates, caller.organisation_id, draft.template_id, at)
    return TemplateRead.from_template(template, services.base_url)


async def get_session_from_template(
    request: Request, caller: SessionWriteCaller, services: InjectedServices
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
    responses=error_responses(
        InvalidRequest,
        TemplateNotFound,
        TemplateNotActive,
        TemplateArchived,
        InvalidVariableValues,
        DocumentValidationFailed,
        UnsupportedMediaType,
        ExternalIdTaken,
        *SENDING_LIMIT_ERRORS,
        *IDEMPOTENCY_ERRORS,
    ),
    openapi_extra=json_body(SessionFromTemplate),
)
async def create_session_from_template(
    asked: Annotated[tuple[Caller, SessionFromTemplate], Depends(get_session_from_template)],
    services: InjectedServices,
    once: SessionIdempotency,
) -> Response:
    """Creates a session from an active template, as a draft or sent at once; answered as Create Session is.

    Values are text: never markup, and never tokens again. They are printed as given; a JSON number in plain decimals, a
    date in the `dateFormat` of its variable.
    The filled document is checked as any session's. The `path` of an issue about it points into the template as Get
    Template answers with it: `/document/blocks/3/text`; its message ends with the values that fill the text, as in
    `/variableValues/tenant`. Every other one points into the request: `/recipients/0/email`
    is about the first entry of `recipients` as it was sent, whichever recipient of the template that is; a recipient
    whom the request does not mention is told at `/recipients`, by its key.
    """

    async def act(attempt: Attempt) -> tuple[SessionId, SessionCreated]:
        session, warnings = await create_session.create_session(services, *asked, attempt)
        return session.session_id, SessionCreated.of(session, warnings, services.base_url)

    return to_response(await once.do(act))
