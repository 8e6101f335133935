"""Tools for templates, and for sessions that are made from them."""

from collections.abc import Mapping
from typing import Any

from pydantic_core import to_json

from api.mcp.recipient_summary import of_session
from api.mcp.tool import Answer, Call, Effect, Operation, Tool
from application.caller import Caller
from application.errors import InvalidRequest
from application.idempotency import Attempt
from application.json_members import parse_json
from application.scopes import Scope
from application.services import Services
from application.templates import create, create_session
from application.templates.create_session import with_all_issues
from application.templates.find import get_template, require_template
from asgi.idempotency import IdempotencyKey
from domain.shared.errors import NotArchived
from domain.shared.ids import SessionId
from domain.shared.times import to_milliseconds
from domain.templates.template import Template, TemplateStatus
from schemas.base import Identifier, RequestModel
from schemas.session_from_template import SessionFromTemplate
from schemas.session_read import SessionCreated
from schemas.template_create import TemplateCreate, TemplateRename
from schemas.template_read import DeletedTemplate, TemplateListQuery, TemplateRead, TemplatesRead

_KEY = "idempotencyKey"
_ARCHIVE_FIRST = (
    "Only an archived template is deleted here. Archive it with archive_template first, if the user agrees."
)


class CreateTemplate(TemplateCreate):
    """A template to be made, once for a key."""

    idempotency_key: IdempotencyKey | None = None


class CreateFromTemplate(SessionFromTemplate):
    """A session to be made from a template, once for a key."""

    idempotency_key: IdempotencyKey | None = None


class OneTemplate(RequestModel):
    """Which template."""

    template_id: Identifier


class RenameTemplate(TemplateRename):
    """Which template gets which name."""

    template_id: Identifier


async def _create(call: Call[CreateTemplate]) -> Answer:
    async def act(attempt: Attempt) -> tuple[None, TemplateRead]:
        template = await create.create_template(call.services, call.caller, call.asked, attempt)
        return None, TemplateRead.from_template(template, call.services.base_url)

    return Answer(await call.once(call.asked.idempotency_key, act))


async def _find(call: Call[Any]) -> Template:
    """Returns the template that the call names. Raises `TemplateNotFound`."""
    return await get_template(call.services.templates, call.caller.organisation_id, call.asked.template_id)


def _shown(call: Call[Any], template: Template | None) -> Answer:
    return Answer.of(TemplateRead.from_template(require_template(template), call.services.base_url))


async def _get(call: Call[OneTemplate]) -> Answer:
    return _shown(call, await _find(call))


async def _list(call: Call[TemplateListQuery]) -> Answer:
    asked = call.asked
    page = await call.services.templates.list(call.caller.organisation_id, asked.statuses(), asked.limit, asked.offset)
    return Answer.of(TemplatesRead.from_page(page, asked.limit, asked.offset))


async def _rename(call: Call[RenameTemplate]) -> Answer:
    template, at = await _find(call), to_milliseconds(call.caller.audit.at)
    templates, name = call.services.templates, call.asked.name
    return _shown(call, await templates.rename(template.organisation_id, template.template_id, name, at))


async def _archive(call: Call[OneTemplate]) -> Answer:
    template, at = await _find(call), to_milliseconds(call.caller.audit.at)
    require_template(await call.services.templates.archive(template.organisation_id, template.template_id, at))
    return Answer.of(DeletedTemplate.of(template, permanent=False))


async def _restore(call: Call[OneTemplate]) -> Answer:
    template, at = await _find(call), to_milliseconds(call.caller.audit.at)
    return _shown(call, await call.services.templates.restore(template.organisation_id, template.template_id, at))


async def _delete(call: Call[OneTemplate]) -> Answer:
    template = await _find(call)
    if template.status is not TemplateStatus.ARCHIVED:
        raise NotArchived(_ARCHIVE_FIRST)
    await call.services.templates.delete(template.organisation_id, template.template_id)
    return Answer.of(DeletedTemplate.of(template, permanent=True))


async def _read(
    services: Services, caller: Caller, sent: Mapping[str, Any], model: type[CreateFromTemplate]
) -> CreateFromTemplate:
    try:
        return parse_json(to_json(sent), model, services)
    except InvalidRequest as refused:
        body = to_json({name: value for name, value in sent.items() if name != _KEY})
        raise await with_all_issues(services.templates, caller.organisation_id, body, refused) from refused


async def _use(call: Call[CreateFromTemplate]) -> Answer:
    async def act(attempt: Attempt) -> tuple[SessionId, SessionCreated]:
        session, warnings = await create_session.create_session(call.services, call.caller, call.asked, attempt)
        return session.session_id, SessionCreated.of(session, warnings, call.services.base_url)

    body = await call.once(call.asked.idempotency_key, act)
    return Answer(body, of_session(body))


CREATE = Tool(
    name="create_template",
    title="Create template",
    description="""\
Creates a template: a block document, as create_session takes it, in which `{{{variableName}}}` stands for what \
differs from session to session. Tokens may stand in every text of the document and in names and emails of \
recipients; each has to be declared in `variables`. It is a draft unless `activate` is true; sessions are made from \
active templates only. Nobody is emailed. Look at the document with preview_document (`kind`: `template`) first.""",
    operation=Operation("POST", "/api/v1/Template"),
    scopes=(Scope.WRITE_TEMPLATES,),
    asked=CreateTemplate,
    act=_create,
    effect=Effect.WRITES,
    is_idempotent=False,
)

LIST = Tool(
    name="list_templates",
    title="List templates",
    description="""\
Lists the organisation's templates, active ones unless `status` says otherwise, the one that was changed last first. \
get_template shows the variables of one.""",
    operation=Operation("GET", "/api/v1/Templates"),
    scopes=(Scope.READ_TEMPLATES,),
    asked=TemplateListQuery,
    act=_list,
    counts_as_read=True,
)

GET = Tool(
    name="get_template",
    title="Get template",
    description="""\
Reads one template: its document, its recipients, and its variables with their types and defaults. Read it before \
create_session_from_template.""",
    operation=Operation("GET", "/api/v1/Template/{templateId}"),
    scopes=(Scope.READ_TEMPLATES,),
    asked=OneTemplate,
    act=_get,
    counts_as_read=True,
)

USE = Tool(
    name="create_session_from_template",
    title="Create session from template",
    description="""\
Creates a signing session from an active template: as a draft, of which nobody is told, unless `sendImmediately` is \
true. The answer says whom sending it will email. With `sendImmediately: true` it EMAILS the first recipients at \
once: do that only when the user has seen the values and the addresses and asked for it.

`variableValues` has a value for every required variable without a default (get_template lists them): text as \
strings, dates as YYYY-MM-DD, numbers as either. `recipients` say, by `key` or in the template's order, what the \
template leaves open: every recipient needs a name and an email. A `path` of an issue that begins with /document \
points into the template's document, all others into this input.""",
    operation=Operation("POST", "/api/v1/SessionFromTemplate"),
    scopes=(Scope.WRITE_SESSIONS,),
    asked=CreateFromTemplate,
    read=_read,
    act=_use,
    effect=Effect.WRITES,
    is_idempotent=False,
    reaches_people=True,
)

RENAME = Tool(
    name="rename_template",
    title="Rename template",
    description="Gives a template another name. Sessions that were made from it keep theirs.",
    operation=Operation("PATCH", "/api/v1/Template/{templateId}"),
    scopes=(Scope.WRITE_TEMPLATES,),
    asked=RenameTemplate,
    act=_rename,
    effect=Effect.WRITES,
)

ARCHIVE = Tool(
    name="archive_template",
    title="Archive template",
    description="""\
Puts a template away: no sessions can be made from it, and list_templates leaves it out unless `status` names \
`archived`. Sessions that were made from it stay as they are. restore_template brings it back.""",
    operation=Operation("DELETE", "/api/v1/Template/{templateId}"),
    decided=frozenset({"permanent"}),
    scopes=(Scope.WRITE_TEMPLATES,),
    asked=OneTemplate,
    act=_archive,
    effect=Effect.DESTROYS,
)

RESTORE = Tool(
    name="restore_template",
    title="Restore template",
    description="Brings an archived template back: a draft as a draft, an active one as active.",
    operation=Operation("POST", "/api/v1/Template/{templateId}/Restore"),
    scopes=(Scope.WRITE_TEMPLATES,),
    asked=OneTemplate,
    act=_restore,
    effect=Effect.WRITES,
)

DELETE = Tool(
    name="delete_template",
    title="Delete template permanently",
    description="""\
Deletes an archived template permanently; nothing brings it back. Sessions made from it stay as they are. Use \
archive_template first, and ask the user to confirm by the name of the template before this.""",
    operation=Operation("DELETE", "/api/v1/Template/{templateId}"),
    decided=frozenset({"permanent"}),
    scopes=(Scope.WRITE_TEMPLATES,),
    asked=OneTemplate,
    act=_delete,
    effect=Effect.DESTROYS,
)
