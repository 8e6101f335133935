"""Tools for templates, and for sessions created from them."""

from collections.abc import Mapping
from typing import Any

from pydantic_core import to_json

from api.mcp.tool import SENDER_IS_USER, Answer, Call, IdempotentCall, tool
from api.mcp.tools.sessions import note_on_creation
from application.caller import Caller
from application.errors import InvalidRequest
from application.idempotency import Attempt
from application.parse_json import parse_json
from application.schemas.base import Identifier, RequestModel
from application.schemas.session_from_template import SessionFromTemplate
from application.schemas.session_read import SessionCreated
from application.schemas.template_create import TemplateCreate, TemplateRename
from application.schemas.template_read import DeletedTemplate, TemplateListQuery, TemplateRead, TemplatesRead
from application.scopes import Scope
from application.services import Services
from application.templates import create_session as from_template
from application.templates import templates, versions
from application.templates.create_session import with_all_issues
from application.templates.templates import get_template as find_template
from application.templates.templates import require_template
from domain.shared.errors import NotArchived
from domain.shared.ids import SessionId
from domain.shared.times import to_milliseconds
from domain.templates.template import Template, TemplateStatus

_KEY = "idempotencyKey"
_ARCHIVE_FIRST = "Only an archived template can be deleted. Archive it with archive_template first, if the user agrees."


class CreateTemplate(TemplateCreate, IdempotentCall):
    pass


class CreateFromTemplate(SessionFromTemplate, IdempotentCall):
    pass


class OneTemplate(RequestModel):
    template_id: Identifier


class NextVersion(TemplateCreate, OneTemplate):
    pass


class RenameTemplate(TemplateRename, OneTemplate):
    pass


async def _find(call: Call[Any]) -> Template:
    """Returns the template that the call names. Raises `TemplateNotFound`."""
    return await find_template(call.services.templates, call.caller.organisation_id, call.arguments.template_id)


def _shown(call: Call[Any], template: Template | None) -> Answer:
    return Answer.of(TemplateRead.from_template(require_template(template), call.services.base_url))


async def _read(
    services: Services, caller: Caller, raw: Mapping[str, Any], model: type[CreateFromTemplate]
) -> CreateFromTemplate:
    try:
        return await parse_json(to_json(raw), model, services)
    except InvalidRequest as refused:
        body = to_json({name: value for name, value in raw.items() if name != _KEY})
        raise await with_all_issues(services.templates, caller.organisation_id, body, refused) from refused


@tool("Create template", "POST /api/v1/Template", Scope.WRITE_TEMPLATES, is_idempotent=False)
async def create_template(call: Call[CreateTemplate]) -> Answer:
    """Creates a template: a block document as for create_session, with `{{{variableName}}}` for each text that differs
    from session to session. Sends no emails.

    Every text of the document, and names and emails of recipients, may contain tokens; declare each in `variables`. The
    template is a draft unless `activate` is true; sessions are created from active templates only. Check the document
    with preview_document (`kind`: `template`) first.
    """

    async def act(attempt: Attempt) -> tuple[None, TemplateRead]:
        template = await templates.create_template(call.services, call.caller, call.arguments, attempt)
        return None, TemplateRead.from_template(template, call.services.base_url)

    return Answer(await call.once(act))


@tool("List templates", "GET /api/v1/Templates", Scope.READ_TEMPLATES)
async def list_templates(call: Call[TemplateListQuery]) -> Answer:
    """Returns the organisation's templates, last changed first; active ones only, unless `status` names others.

    get_template returns the variables of a template.
    """
    query, organisation_id = call.arguments, call.caller.organisation_id
    page = await call.services.templates.list(organisation_id, set(query.status), query.limit, query.offset)
    return Answer.of(TemplatesRead.from_page(page, query.limit, query.offset))


@tool("Get template", "GET /api/v1/Template/{templateId}", Scope.READ_TEMPLATES)
async def get_template(call: Call[OneTemplate]) -> Answer:
    """Returns a template: its document, its recipients, and its variables with their types and defaults.

    Call it before create_session_from_template.
    """
    return _shown(call, await _find(call))


@tool(
    "Create session from template",
    "POST /api/v1/SessionFromTemplate",
    Scope.WRITE_SESSIONS,
    read=_read,
    is_idempotent=False,
    emails_people=True,
    own=SENDER_IS_USER,
)
async def create_session_from_template(call: Call[CreateFromTemplate]) -> Answer:
    """Creates a signing session from an active template: a draft, unless `sendImmediately` is true. A draft emails
    nobody.

    Returns the recipients that sending will email. With `sendImmediately: true` it EMAILS the first recipients at once:
    use it only if the user has seen the values and the addresses and asked for it.

    `variableValues` has a value for every required variable without a default (get_template lists them): text as
    strings, dates as YYYY-MM-DD, numbers as either. `recipients` complete the recipients of the template, by `key` or
    in their order: each needs a name and an email. A `path` of an issue that begins with /document points into the
    template's document, all others into this input.
    """

    async def act(attempt: Attempt) -> tuple[SessionId, SessionCreated]:
        session, warnings = await from_template.create_session(call.services, call.caller, call.arguments, attempt)
        return session.session_id, SessionCreated.of(session, warnings, call.services.base_url)

    body = await call.once(act)
    return Answer(body, note_on_creation(body))


@tool("Save next version", "PUT /api/v1/Template/{templateId}/NextVersion", Scope.WRITE_TEMPLATES)
async def save_next_version(call: Call[NextVersion]) -> Answer:
    """Saves an edited version of a template: its whole content, as for create_template. get_template returns the
    version in use. Sends no emails.

    Sessions are created from the active version until the user activates this one, at the returned `editorUrl`. With
    `activate: true` it is active at once: use that only if the user asked for it. The content of a draft is replaced.
    """
    saved = await versions.save_next_version(call.services, call.caller, await _find(call), call.arguments)
    return _shown(call, saved)


@tool("Rename template", "PATCH /api/v1/Template/{templateId}", Scope.WRITE_TEMPLATES)
async def rename_template(call: Call[RenameTemplate]) -> Answer:
    """Renames a template. Sessions that were created from it keep their names."""
    template, at = await _find(call), to_milliseconds(call.caller.audit.at)
    templates, name = call.services.templates, call.arguments.name
    return _shown(call, await templates.rename(template.organisation_id, template.template_id, name, at))


@tool("Archive template", "DELETE /api/v1/Template/{templateId}", Scope.WRITE_TEMPLATES)
async def archive_template(call: Call[OneTemplate]) -> Answer:
    """Archives a template: no sessions can be created from it, and list_templates omits it unless `status` names
    `archived`. Existing sessions do not change. Undo it with restore_template.
    """
    template, at = await _find(call), to_milliseconds(call.caller.audit.at)
    require_template(await call.services.templates.archive(template.organisation_id, template.template_id, at))
    return Answer.of(DeletedTemplate.of(template, permanent=False))


@tool("Restore template", "POST /api/v1/Template/{templateId}/Restore", Scope.WRITE_TEMPLATES)
async def restore_template(call: Call[OneTemplate]) -> Answer:
    """Restores an archived template to its earlier status, draft or active."""
    template, at = await _find(call), to_milliseconds(call.caller.audit.at)
    return _shown(call, await call.services.templates.restore(template.organisation_id, template.template_id, at))


@tool("Delete template permanently", "DELETE /api/v1/Template/{templateId}", Scope.WRITE_TEMPLATES)
async def delete_template(call: Call[OneTemplate]) -> Answer:
    """Deletes an archived template permanently. This cannot be undone; sessions created from it do not change.

    Call archive_template first, and ask the user to confirm the deletion by the name of the template.
    """
    template = await _find(call)
    if template.status is not TemplateStatus.ARCHIVED:
        raise NotArchived(_ARCHIVE_FIRST)
    await call.services.templates.delete(template.organisation_id, template.template_id)
    return Answer.of(DeletedTemplate.of(template, permanent=True))
