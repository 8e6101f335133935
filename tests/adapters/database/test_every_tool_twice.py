"""Every tool for assistants that changes something, called twice at the same moment: one result or a clear refusal."""

import asyncio
from base64 import b64encode
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import pytest
from mcp.types import CallToolResult
from sqlalchemy.ext.asyncio import AsyncEngine

from api.mcp.server import TOOLS
from api.mcp.tool import IdempotentCall
from tests.adapters.database.test_every_change_twice import counts
from tests.api.belongings import Belongings, make_all
from tests.api.mcp.assistant import assistant
from tests.api.mcp.test_previewing import look
from tests.api.service import OWN, Service, document, session_request
from tests.layout.pictures import encoded, shades

CHANGES = [name for name, tool in TOOLS.items() if not tool.counts_as_read]
TEMPLATE = {"name": "Lease", "document": document(), "recipients": session_request()["recipients"]}
Arguments = Callable[[Belongings], Mapping[str, Any]]


def of(*names: str, **others: Any) -> Arguments:
    """Arguments that name what there is, and others."""
    return lambda own: {**{name: own[name] for name in names}, **others}


class Case(NamedTuple):
    """What a call is given, and the tools that are called before it.

    `is_refused`: it needs a run, which only whole installations have.
    """

    arguments: Arguments
    before: tuple[str, ...] = ()
    is_refused: bool = False


CASES: dict[str, Case] = {
    "preview_document": Case(lambda _: look(document())),
    "upload_image": Case(lambda _: {"fileName": "logo.png", "data": b64encode(encoded(shades(30, 30))).decode()}),
    "create_session": Case(lambda _: session_request()),
    "send_session": Case(of("sessionId"), before=("draft",)),
    "update_session": Case(of("sessionId", name="Rent"), before=("draft",)),
    "update_recipient": Case(of("sessionId", "recipientId", email="ada@right.example")),
    "archive_session": Case(of("sessionId")),
    "restore_session": Case(of("sessionId"), before=("archive_session",)),
    "delete_session": Case(of("sessionId", "confirmationToken"), before=("delete_session",)),
    "send_invitation": Case(of("sessionId", "recipientId")),
    "send_reminder": Case(of("sessionId", "recipientId")),
    "create_template": Case(lambda _: TEMPLATE),
    "save_next_version": Case(of("templateId", **TEMPLATE)),
    "rename_template": Case(of("templateId", name="Rent")),
    "archive_template": Case(of("templateId")),
    "restore_template": Case(of("templateId"), before=("archive_template",)),
    "delete_template": Case(of("templateId"), before=("archive_template",)),
    "create_session_from_template": Case(of("templateId")),
    "create_batch": Case(of("templateId", name="All", rows=[{}])),
    "pause_batch": Case(of("batchId"), is_refused=True),
    "resume_batch": Case(of("batchId"), is_refused=True),
    "cancel_batch": Case(of("batchId")),
}


def test_every_tool_that_changes_something_has_a_case() -> None:
    assert set(CASES) == set(CHANGES)


async def call(service: Service, tool: str, arguments: Mapping[str, Any]) -> CallToolResult:
    async with assistant(service) as connected:
        return await connected.call_tool(tool, dict(arguments))


async def prepared(service: Service, tool: str) -> dict[str, str]:
    """Returns what there is, after the tools that precede `tool`."""
    own = dict(await make_all(service, OWN))
    for name in CASES[tool].before:
        if name == "draft":
            own["sessionId"] = (await service.create())["sessionId"]
            continue
        given = {"sessionId": own["sessionId"]} if name == tool else CASES[name].arguments(own)
        done = await call(service, name, given)
        assert not done.is_error, done.structured_content
        own["confirmationToken"] = str((done.structured_content or {}).get("confirmationToken"))
    return own


@pytest.mark.parametrize("tool", CHANGES)
async def test_a_tool_that_is_called_twice_at_the_same_moment_has_one_result(database: AsyncEngine, tool: str) -> None:
    case, service = CASES[tool], Service(database)
    await service.add_organisations()
    own = await prepared(service, tool)
    before = await counts(database)
    given = dict(case.arguments(own))
    if issubclass(TOOLS[tool].model, IdempotentCall):
        given["idempotencyKey"] = "one key"

    answers = await asyncio.gather(*(call(service, tool, given) for _ in range(2)))

    errors = [str((answer.structured_content or {}).get("error")) for answer in answers if answer.is_error]
    assert "INTERNAL_ERROR" not in errors
    assert (len(errors) < len(answers)) != case.is_refused, [answer.structured_content for answer in answers]
    assert sum(await counts(database)) - sum(before) <= 1
