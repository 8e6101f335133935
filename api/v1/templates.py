"""Templates, and sessions created from them (Specification 4.12, 4.13)."""

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request

from application.charge_sending_limit import SENDING_LIMIT_ERRORS
from application.errors import (
    DocumentValidationFailed,
    InvalidRequest,
    InvalidVariableValues,
    TemplateArchived,
    TemplateNotActive,
    TemplateNotFound,
)
from application.idempotency import Attempt
from application.schemas.base import QueryBoolean
from application.schemas.session_from_template import SessionFromTemplate
from application.schemas.session_read import SessionCreated
from application.schemas.template_create import TemplateCreate, TemplateRename
from application.schemas.template_read import DeletedTemplate, TemplateListQuery, TemplateRead, TemplatesRead
from application.templates import create_session, templates, versions
from application.templates.create_session import with_all_issues
from domain.session.labels import ExternalIdTaken
from domain.shared.errors import AlreadyArchived, NotArchived
from domain.shared.ids import SessionId
from domain.shared.times import to_milliseconds
from domain.templates.template import Template
from web.asgi.dependencies import InjectedServices
from web.asgi.error_handlers import error_responses
from web.asgi.idempotency_key_header import SessionIdempotency, TemplateIdempotency, to_response
from web.asgi.json_body import read_json, read_with_documents
from web.asgi.query_validation import StrictRoute
from web.asgi.required_scopes import SessionWriteCaller, TemplateReadCaller, TemplateWriteCaller
from web.asgi.route_signature import JsonBody, ModelResponse

router = APIRouter(route_class=StrictRoute, prefix="/api/v1", tags=["Templates"])

TemplateIdPath = Annotated[str, Path(alias="templateId", description="Unique identifier of the template.")]


async def read_template_create(request: Request, caller: TemplateWriteCaller) -> TemplateCreate:
    return await read_with_documents(request, caller, TemplateCreate)


@router.post("/Template", responses=error_responses(DocumentValidationFailed))
async def create_template(
    caller: TemplateWriteCaller,
    body: Annotated[JsonBody[TemplateCreate], Depends(read_template_create)],
    services: InjectedServices,
    once: TemplateIdempotency,
) -> ModelResponse[TemplateRead]:
    """Creates a template from a block document, as a draft or active at once.

    Texts of the document, and names and emails of recipients, may hold tokens of declared variables, such as
    `{{{tenant}}}`. The document is laid out and checked like that of a session, without checks that depend on values: a
    title with a token may become too long later.
    """

    async def act(attempt: Attempt) -> tuple[None, TemplateRead]:
        template = await templates.create_template(services, caller, body, attempt)
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


ReadableTemplate = Annotated[Template, Depends(get_readable_template)]
WritableTemplate = Annotated[Template, Depends(get_writable_template)]


@router.get("/Template/{templateId}")
async def get_template(template: ReadableTemplate, services: InjectedServices) -> TemplateRead:
    """Returns the template. Its document has the members with which it was created."""
    return TemplateRead.from_template(template, services.base_url)


@router.get("/Templates")
async def list_templates(
    caller: TemplateReadCaller, query: Annotated[TemplateListQuery, Query()], services: InjectedServices
) -> TemplatesRead:
    """Lists the templates of the organisation, the last changed first."""
    page = await services.templates.list(caller.organisation_id, set(query.status), query.limit, query.offset)
    return TemplatesRead.from_page(page, query.limit, query.offset)


@router.patch("/Template/{templateId}")
async def update_template(
    template: WritableTemplate, body: JsonBody[TemplateRename], caller: TemplateWriteCaller, services: InjectedServices
) -> TemplateRead:
    """Renames a template. Sessions that were created from it keep their names."""
    at = to_milliseconds(caller.audit.at)
    renamed = await services.templates.rename(caller.organisation_id, template.template_id, body.name, at)
    return TemplateRead.from_template(templates.require_template(renamed), services.base_url)


@router.delete("/Template/{templateId}", responses=error_responses(AlreadyArchived))
async def delete_template(
    template: WritableTemplate,
    caller: TemplateWriteCaller,
    services: InjectedServices,
    permanent: Annotated[
        QueryBoolean, Query(description="Whether to delete permanently instead of archiving.")
    ] = False,
) -> DeletedTemplate:
    """Archives a template. With `permanent=true`, deletes it permanently, archived or not.

    An archived template can be restored. No sessions can be created from it, and lists include it only by the status
    `archived`. Sessions that were created from it have their own copies and do not change.
    """
    if permanent:
        await services.templates.delete(caller.organisation_id, template.template_id)
    else:
        at = to_milliseconds(caller.audit.at)
        templates.require_template(await services.templates.archive(caller.organisation_id, template.template_id, at))
    return DeletedTemplate.of(template, permanent=permanent)


@router.post("/Template/{templateId}/Restore", responses=error_responses(NotArchived))
async def restore_template(
    archived: WritableTemplate, caller: TemplateWriteCaller, services: InjectedServices
) -> TemplateRead:
    """Restores an archived template: a draft as a draft, an active one as active."""
    at = to_milliseconds(caller.audit.at)
    template = templates.require_template(
        await services.templates.restore(caller.organisation_id, archived.template_id, at)
    )
    return TemplateRead.from_template(template, services.base_url)


@router.post("/Template/{templateId}/Activate", responses=error_responses(TemplateArchived))
async def activate_template(
    caller: TemplateWriteCaller, draft: WritableTemplate, services: InjectedServices
) -> TemplateRead:
    """Activates a draft, so that sessions can be created from it, or the next version of an active template.

    An active template without a next version stays as it is. Existing sessions keep the version they were created from.
    """
    at = to_milliseconds(caller.audit.at)
    template = await templates.activate_template(services.templates, caller.organisation_id, draft.template_id, at)
    return TemplateRead.from_template(template, services.base_url)


async def read_session_from_template(
    request: Request, caller: SessionWriteCaller, services: InjectedServices
) -> SessionFromTemplate:
    try:
        return await read_json(request, SessionFromTemplate)
    except InvalidRequest as refused:
        body = await request.body()
        raise await with_all_issues(services.templates, caller.organisation_id, body, refused) from refused


@router.post(
    "/SessionFromTemplate",
    responses=error_responses(
        TemplateNotFound,
        TemplateNotActive,
        TemplateArchived,
        InvalidVariableValues,
        DocumentValidationFailed,
        ExternalIdTaken,
        *SENDING_LIMIT_ERRORS,
    ),
)
async def create_session_from_template(
    caller: SessionWriteCaller,
    body: Annotated[JsonBody[SessionFromTemplate], Depends(read_session_from_template)],
    services: InjectedServices,
    once: SessionIdempotency,
) -> ModelResponse[SessionCreated]:
    """Creates a session from an active template, as a draft or sent at once. The response is that of Create Session.

    Values are plain text: markup and tokens in them are not interpreted. They are printed as given, JSON numbers in
    plain decimals, and dates in the `dateFormat` of their variable. The filled document is checked like that of any
    session. The `path` of an issue of the document points into the template as returned by Get Template, such as
    `/document/blocks/3/text`; the message ends with the values in that text, such as `/variableValues/tenant`. Every
    other `path` points into the request: `/recipients/0/email` is in the first entry of `recipients` in the request,
    not in the template. Issues of recipients that the request does not mention are at `/recipients`, with their key.
    """

    async def act(attempt: Attempt) -> tuple[SessionId, SessionCreated]:
        session, warnings = await create_session.create_session(services, caller, body, attempt)
        return session.session_id, SessionCreated.of(session, warnings, services.base_url)

    return to_response(await once.do(act))


@router.get("/Template/{templateId}/NextVersion")
async def get_next_version(template: ReadableTemplate, services: InjectedServices) -> TemplateRead:
    """Returns the next version of a template, which is not activated yet. A draft is its own next version."""
    return TemplateRead.from_template(await versions.get_next_version(services, template), services.base_url)


@router.put("/Template/{templateId}/NextVersion", responses=error_responses(DocumentValidationFailed, TemplateArchived))
async def save_next_version(
    template: WritableTemplate,
    body: Annotated[JsonBody[TemplateCreate], Depends(read_template_create)],
    caller: TemplateWriteCaller,
    services: InjectedServices,
) -> TemplateRead:
    """Saves the next version of a template: its whole content, checked as in Create Template. It replaces an earlier
    next version, and the content of a draft.

    Sessions are created from the active version until Activate Template replaces it by the next one. With `activate`,
    the next version replaces it at once. Existing sessions keep the version they were created from.
    """
    saved = await versions.save_next_version(services, caller, template, body)
    return TemplateRead.from_template(saved, services.base_url)


@router.delete("/Template/{templateId}/NextVersion")
async def delete_next_version(template: WritableTemplate, services: InjectedServices) -> TemplateRead:
    """Deletes the next version of a template that is active or archived, and returns the template."""
    return TemplateRead.from_template(await versions.discard_next_version(services, template), services.base_url)


@router.post("/Template/{templateId}/Duplicate")
async def duplicate_template(
    template: WritableTemplate, caller: TemplateWriteCaller, services: InjectedServices, once: TemplateIdempotency
) -> ModelResponse[TemplateRead]:
    """Duplicates a template in any status as a draft of its own, with “(copy)” after the name."""

    async def act(attempt: Attempt) -> tuple[None, TemplateRead]:
        copy = await versions.duplicate_template(services, caller, template, attempt)
        return None, TemplateRead.from_template(copy, services.base_url)

    return to_response(await once.do(act))
