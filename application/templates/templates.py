"""Creates and finds templates. A new one is checked as far as possible without values (Specification 4.12)."""

import asyncio
from collections.abc import Iterator
from datetime import datetime

from application.caller import Caller
from application.documents.collect_issues import misplaced_placeholders, signer_keys, with_role_issues
from application.documents.default_language import in_default_language
from application.documents.render_jobs import RenderedDocument, render_document, undrawable_names
from application.errors import (
    DocumentValidationFailed,
    InvalidRequest,
    RequestIssue,
    TemplateArchived,
    TemplateNotFound,
)
from application.idempotency import Attempt
from application.schemas.errors import FiledIssue
from application.schemas.template_create import TemplateCreate
from application.services import Services
from application.sessions.create import refuse_unprintable
from application.uploads.session_copies import find_images, image_files
from domain.ports.templates import Templates
from domain.ports.uploads import UploadKind
from domain.session.recipients import RecipientSettings
from domain.session.settings import TemplateSettings
from domain.shared.frozen_model import members_of
from domain.shared.ids import OrganisationId, TemplateId, advice_on_id, is_identifier
from domain.shared.times import to_milliseconds
from domain.templates.template import Template, TemplateRecipient, TemplateStatus
from domain.templates.variables import Variable

_DOCUMENT = "/document"


async def create_template(services: Services, caller: Caller, request: TemplateCreate, attempt: Attempt) -> Template:
    """Creates the template. A repeated attempt returns the existing one.

    Raises:
        InvalidRequest: a text has unprintable characters, or images are too large together or were deleted meanwhile.
        DocumentValidationFailed: the document has issues, or tokens without a variable.
        DatabaseUnavailable: the template cannot be stored.
    """
    if attempt.is_repeated:
        existing = await services.templates.find(caller.organisation_id, attempt.template_id)
        if existing is not None:
            return existing
    await check_template(services, caller.organisation_id, request)
    try:
        await use_images(services, caller, request, attempt.template_id)
    except InvalidRequest:
        await services.uploads.release(caller.organisation_id, attempt.template_id)
        raise
    return await services.templates.add(build_template(caller, request, attempt.template_id))


async def use_images(services: Services, caller: Caller, request: TemplateCreate, template_id: TemplateId) -> None:
    """Records that the template uses its images. Raises `InvalidRequest` if one was deleted meanwhile."""
    image_ids = set(request.document.image_ids().values())
    organisation_id, at = caller.organisation_id, caller.audit.at
    used = await services.uploads.use(UploadKind.IMAGE, organisation_id, image_ids, template_id, at)
    if image_ids - used:
        raise InvalidRequest([RequestIssue(_DOCUMENT, "An image of it was deleted meanwhile; upload it again.")])


async def check_template(
    services: Services, organisation_id: OrganisationId, request: TemplateCreate
) -> RenderedDocument:
    """Returns the document of a valid template, rendered. Raises `InvalidRequest` or `DocumentValidationFailed`."""
    recipients = request.recipients
    document = await in_default_language(services, organisation_id, request.document, request.language)
    variables = [variable.name for variable in request.variables]
    keys, texts = signer_keys(recipients), list(_printed_texts(request))
    images = image_files(document, await find_images(services, organisation_id, [document], _DOCUMENT))
    unprintable, result = await asyncio.gather(
        services.pool.run(undrawable_names, [text for _, text in texts]),
        services.pool.run(render_document, document, keys, images, variables),
    )
    result = with_role_issues(result, document, recipients)
    found = [(path, characters) for (path, _), characters in zip(texts, unprintable, strict=True) if characters]
    refuse_unprintable([*found, *((f"{_DOCUMENT}{path}", characters) for path, characters in result.undrawable)])
    issues = [FiledIssue(0, f"{_DOCUMENT}{issue.path}", issue) for issue in result.issues]
    issues += misplaced_placeholders(recipients, variables)
    if issues:
        raise DocumentValidationFailed(issues)
    return result


def _printed_texts(request: TemplateCreate) -> Iterator[tuple[str, str]]:
    """Yields the texts outside the document that may be printed, each with its JSON pointer."""
    for number, recipient in enumerate(request.recipients):
        yield f"/recipients/{number}/name", recipient.name
    for number, variable in enumerate(request.variables):
        if variable.default_value is not None:
            yield f"/variables/{number}/defaultValue", str(variable.default_value)


def build_template(caller: Caller, request: TemplateCreate, template_id: TemplateId) -> Template:
    """Returns the template of a valid request."""
    at = to_milliseconds(caller.audit.at)
    return Template(
        organisation_id=caller.organisation_id,
        template_id=template_id,
        name=request.name,
        status=TemplateStatus.ACTIVE if request.activate else TemplateStatus.DRAFT,
        created_at=at,
        updated_at=at,
        document=request.document.model_dump(mode="json", by_alias=True, exclude_unset=True),
        recipients=tuple(
            TemplateRecipient(**{**members_of(RecipientSettings, r), "signing_order": r.signing_order or position})
            for position, r in enumerate(request.recipients, start=1)
        ),
        variables=tuple(Variable.model_validate(variable, from_attributes=True) for variable in request.variables),
        **members_of(TemplateSettings, request),
    )


async def get_template(templates: Templates, organisation_id: OrganisationId, template_id: str) -> Template:
    """Returns the template of the organisation. Raises `TemplateNotFound`."""
    if advice := advice_on_id("templateId", template_id):
        raise TemplateNotFound(f"{TemplateNotFound.default}{advice}")
    return require_template(await templates.find(organisation_id, TemplateId(template_id)))


async def activate_template(
    templates: Templates, organisation_id: OrganisationId, template_id: str, at: datetime
) -> Template:
    """Activates and returns the template. Raises `TemplateNotFound` or `TemplateArchived`."""
    if not is_identifier(template_id):
        raise TemplateNotFound
    found = require_template(await templates.activate(organisation_id, TemplateId(template_id), at))
    if found.status is TemplateStatus.ARCHIVED:
        raise TemplateArchived
    return found


def require_template(template: Template | None) -> Template:
    """Returns the template. Raises `TemplateNotFound` if it is None."""
    if template is None:
        raise TemplateNotFound
    return template
