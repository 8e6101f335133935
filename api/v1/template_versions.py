"""The next version of a template, and copies of templates (Specification 4.12)."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response

from api.v1.templates import ReadableTemplate, WritableTemplate
from application.errors import DocumentValidationFailed, TemplateArchived
from application.idempotency import Attempt
from application.templates import versions
from asgi.dependencies import InjectedServices
from asgi.error_handlers import error_responses
from asgi.idempotency_key_header import TemplateIdempotency, to_response
from asgi.json_body import json_body, read_with_documents
from asgi.query_validation import StrictRoute
from asgi.required_scopes import TemplateWriteCaller
from domain.templates.template import Template
from schemas.template_create import TemplateCreate
from schemas.template_read import TemplateRead

router = APIRouter(route_class=StrictRoute, prefix="/api/v1", tags=["Templates"])


@router.get("/Template/{templateId}/NextVersion")
async def get_next_version(template: ReadableTemplate, services: InjectedServices) -> TemplateRead:
    """Returns the next version of a template, which is not activated yet. A draft is its own next version."""
    return TemplateRead.from_template(await versions.get_next_version(services, template), services.base_url)


async def get_content(
    request: Request, caller: TemplateWriteCaller, template: WritableTemplate
) -> tuple[Template, TemplateCreate]:
    """Returns the body, read after the template is found."""
    return template, await read_with_documents(request, caller, TemplateCreate)


@router.put(
    "/Template/{templateId}/NextVersion",
    responses=error_responses(DocumentValidationFailed, TemplateArchived),
    openapi_extra=json_body(TemplateCreate),
)
async def save_next_version(
    call: Annotated[tuple[Template, TemplateCreate], Depends(get_content)],
    caller: TemplateWriteCaller,
    services: InjectedServices,
) -> TemplateRead:
    """Saves the next version of a template: its whole content, checked as in Create Template. It replaces an earlier
    next version, and the content of a draft.

    Sessions are created from the active version until Activate Template replaces it by the next one. With `activate`,
    the next version replaces it at once. Existing sessions keep the version they were created from.
    """
    template, content = call
    saved = await versions.save_next_version(services, caller, template, content)
    return TemplateRead.from_template(saved, services.base_url)


@router.delete("/Template/{templateId}/NextVersion")
async def delete_next_version(template: WritableTemplate, services: InjectedServices) -> TemplateRead:
    """Deletes the next version of a template that is active or archived, and returns the template."""
    return TemplateRead.from_template(await versions.discard_next_version(services, template), services.base_url)


@router.post("/Template/{templateId}/Duplicate", response_model=TemplateRead)
async def duplicate_template(
    template: WritableTemplate, caller: TemplateWriteCaller, services: InjectedServices, once: TemplateIdempotency
) -> Response:
    """Duplicates a template in any status as a draft of its own, with “(copy)” after the name."""

    async def act(attempt: Attempt) -> tuple[None, TemplateRead]:
        copy = await versions.duplicate_template(services, caller, template, attempt)
        return None, TemplateRead.from_template(copy, services.base_url)

    return to_response(await once.do(act))
