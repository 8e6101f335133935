"""Versions of a template: a next version is saved, activated or discarded; a copy is a template of its own."""

from collections.abc import Mapping
from typing import Any

from pydantic.alias_generators import to_camel
from pydantic_core import to_json

from application.caller import Caller
from application.errors import NoNextVersion, TemplateArchived
from application.idempotency import Attempt
from application.parse_json import parse_json
from application.schemas.session_settings import SessionDefaults
from application.schemas.template_create import TemplateCreate
from application.services import Services
from application.templates.templates import (
    activate_template,
    build_template,
    check_template,
    create_template,
    require_template,
    use_images,
)
from domain.session.settings import TemplateSettings
from domain.shared.frozen_model import members_of
from domain.shared.times import to_milliseconds
from domain.templates.template import Template, TemplateRecipient, TemplateStatus

MAX_NAME = 50
_COPY = " (copy)"


async def save_next_version(
    services: Services, caller: Caller, template: Template, request: TemplateCreate
) -> Template:
    """Stores `request` as the next version of `template`, and returns it; activates it if `activate` is set.

    A draft is its own next version. Sessions are created from the active version until the next one is activated.

    Raises:
        TemplateNotFound, TemplateArchived: the template was deleted or archived.
        InvalidRequest, DocumentValidationFailed: see `create_template`.
    """
    if template.status is TemplateStatus.ARCHIVED:
        raise TemplateArchived
    await check_template(services, caller.organisation_id, request)
    await use_images(services, caller, request, template.template_id)
    content = build_template(caller, request.model_copy(update={"activate": False}), template.template_id)
    saved = require_template(await services.templates.save_next_version(content))
    if saved.status is TemplateStatus.ARCHIVED:
        raise TemplateArchived
    if request.activate:
        return await activate_template(
            services.templates, caller.organisation_id, template.template_id, to_milliseconds(caller.audit.at)
        )
    return await get_next_version(services, template)


async def get_next_version(services: Services, template: Template) -> Template:
    """Returns the next version of `template`. Raises `NoNextVersion`."""
    found = await services.templates.find_next_version(template.organisation_id, template.template_id)
    if found is None:
        raise NoNextVersion
    return found


async def discard_next_version(services: Services, template: Template) -> Template:
    """Deletes the next version, and returns the template. Raises `NoNextVersion` if there is none."""
    if not template.has_next_version:
        raise NoNextVersion
    return require_template(
        await services.templates.discard_next_version(template.organisation_id, template.template_id)
    )


async def duplicate_template(services: Services, caller: Caller, template: Template, attempt: Attempt) -> Template:
    """Creates a draft with the content of `template`, and returns it. Raises the errors of `create_template`."""
    body = {**content_of(template), "name": template.name[: MAX_NAME - len(_COPY)] + _COPY}
    return await create_template(services, caller, await parse_json(to_json(body), TemplateCreate, services), attempt)


def content_of(template: Template) -> Mapping[str, Any]:
    """Returns the request that creates `template`, as JSON, without the members that have their defaults."""
    recipients = [_recipient(recipient, position) for position, recipient in enumerate(template.recipients, start=1)]
    variables = [variable.model_dump(mode="json", exclude_defaults=True) for variable in template.variables]
    settings = SessionDefaults.model_validate(members_of(TemplateSettings, template), by_name=True)
    return {
        "name": template.name,
        "document": template.document,
        "recipients": recipients,
        **({"variables": [_in_camel_case(variable) for variable in variables]} if variables else {}),
        **settings.model_dump(mode="json", by_alias=True, exclude_defaults=True),
    }


def _recipient(recipient: TemplateRecipient, position: int) -> dict[str, Any]:
    members = recipient.model_dump(mode="json", exclude_defaults=True)
    if recipient.signing_order == position:  # the default
        del members["signing_order"]
    return _in_camel_case(members)


def _in_camel_case(variable: Mapping[str, Any]) -> dict[str, Any]:
    return {to_camel(name): value for name, value in variable.items()}
