"""Every operation that changes something, called twice at the same moment: one result or a clear refusal.

The operations are those of the API's description. A new one fails the first test until it has a case here.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, NamedTuple

import httpx
import pytest
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.database.repository import table_of
from adapters.database.tables.organisations import ClientRow
from adapters.database.tables.sessions import BatchRow, SessionRow
from adapters.database.tables.uploads import FileRow, ImageRow, TemplateRow
from tests.api.belongings import Belongings, make_all
from tests.api.operations import SECURED, Operation
from tests.api.service import OWN, Service, document, session_request
from tests.application.uploads import pdfs
from tests.layout.pictures import encoded, shades

CHANGES = [operation for operation in SECURED if operation.method != "GET"]
TABLES = (BatchRow, ClientRow, FileRow, ImageRow, SessionRow, TemplateRow)
TEMPLATE = {"name": "Lease", "document": document(), "recipients": session_request()["recipients"]}


class Case(NamedTuple):
    """What a call sends, by what there is, and the operations that precede it.

    `is_refused`: the operation needs a run or a callback, which only whole installations have.
    """

    content: Callable[[Belongings], dict[str, Any]] = lambda _: {}
    before: tuple[str, ...] = ()
    is_refused: bool = False


def json_of(body: Mapping[str, Any]) -> Case:
    return Case(lambda _: {"json": body})


def file_of(name: str, content: bytes, kind: str) -> Case:
    return Case(lambda _: {"files": {"file": (name, content, kind)}})


SESSION, TEMPLATES, BATCHES = "/api/v1/Session", "/api/v1/Template", "/api/v1/SessionFromTemplate/Batch"
CASES: dict[str, Case] = {
    "POST /api/v1/Document/Preview": json_of(
        {"kind": "session", "document": document(), "recipients": [{"key": "ada"}]}
    ),
    "POST /api/v1/File": file_of("terms.pdf", pdfs.pdf(), "application/pdf"),
    "DELETE /api/v1/File/{fileId}": Case(),
    "PUT /api/v1/FrameOrigins": json_of({"frameOrigins": ["https://shop.example.com"]}),
    "POST /api/v1/Image": file_of("logo.png", encoded(shades(30, 30)), "image/png"),
    "DELETE /api/v1/Image/{fileId}": Case(),
    f"POST {SESSION}": json_of(session_request(sendImmediately=True)),
    f"DELETE {SESSION}/{{sessionId}}": Case(),
    f"PATCH {SESSION}/{{sessionId}}": Case(lambda _: {"json": {"name": "Rent"}}, before=("draft",)),
    f"POST {SESSION}/{{sessionId}}/Callback/{{eventId}}/Redeliver": Case(is_refused=True),
    f"POST {SESSION}/{{sessionId}}/Duplicate": Case(),
    f"PATCH {SESSION}/{{sessionId}}/Recipient/{{recipientId}}": json_of({"email": "ada@right.example"}),
    f"POST {SESSION}/{{sessionId}}/Recipient/{{recipientId}}/SigningUrl": json_of({}),
    f"POST {SESSION}/{{sessionId}}/Restore": Case(before=(f"DELETE {SESSION}/{{sessionId}}",)),
    f"POST {SESSION}/{{sessionId}}/Send": Case(before=("draft",)),
    f"POST {SESSION}/{{sessionId}}/SendInvitation": Case(lambda own: {"json": {"recipientId": own["recipientId"]}}),
    f"POST {SESSION}/{{sessionId}}/SendReminder": Case(lambda own: {"json": {"recipientId": own["recipientId"]}}),
    "POST /api/v1/SessionFromTemplate": Case(lambda own: {"json": {"templateId": own["templateId"]}}),
    f"POST {BATCHES}": Case(lambda own: {"json": {"templateId": own["templateId"], "name": "All", "rows": [{}]}}),
    f"DELETE {BATCHES}/{{batchId}}": Case(before=(f"POST {BATCHES}/{{batchId}}/Cancel",)),
    f"POST {BATCHES}/{{batchId}}/Cancel": Case(),
    f"POST {BATCHES}/{{batchId}}/Pause": Case(is_refused=True),
    f"POST {BATCHES}/{{batchId}}/Resume": Case(is_refused=True),
    f"POST {TEMPLATES}": json_of(TEMPLATE),
    f"DELETE {TEMPLATES}/{{templateId}}": Case(),
    f"PATCH {TEMPLATES}/{{templateId}}": json_of({"name": "Rent"}),
    f"POST {TEMPLATES}/{{templateId}}/Activate": Case(before=(f"PUT {TEMPLATES}/{{templateId}}/NextVersion",)),
    f"POST {TEMPLATES}/{{templateId}}/Duplicate": Case(),
    f"DELETE {TEMPLATES}/{{templateId}}/NextVersion": Case(before=(f"PUT {TEMPLATES}/{{templateId}}/NextVersion",)),
    f"PUT {TEMPLATES}/{{templateId}}/NextVersion": json_of({**TEMPLATE, "name": "Next"}),
    f"POST {TEMPLATES}/{{templateId}}/Restore": Case(before=(f"DELETE {TEMPLATES}/{{templateId}}",)),
}


def test_every_operation_that_changes_something_has_a_case() -> None:
    assert set(CASES) == {str(operation) for operation in CHANGES}


async def call(service: Service, operation: Operation, own: Belongings, key: str = "") -> httpx.Response:
    return await service.http().request(
        operation.method,
        operation.url_on(own),
        headers={"Idempotency-Key": key} if key else {},
        **CASES[str(operation)].content(own),
    )


async def prepared(service: Service, operation: Operation) -> Belongings:
    """Returns what there is, after the operations that precede `operation`."""
    own = dict(await make_all(service, OWN))
    for name in CASES[str(operation)].before:
        if name == "draft":
            own["sessionId"] = (await service.create())["sessionId"]
            continue
        (earlier,) = [other for other in CHANGES if str(other) == name]
        done = await call(service, earlier, own)
        assert done.status_code < httpx.codes.BAD_REQUEST, done.text
    return own


async def counts(engine: AsyncEngine) -> list[int]:
    async with engine.connect() as connection:
        statements = [select(func.count()).select_from(table_of(table)) for table in TABLES]
        return [(await connection.execute(statement)).scalar_one() for statement in statements]


async def at_once(act: Callable[[], Awaitable[httpx.Response]], *, is_refused: bool) -> list[httpx.Response]:
    """Returns the successful ones of two equal calls; the other may be refused."""
    answers = await asyncio.gather(act(), act())
    assert max(answer.status_code for answer in answers) < httpx.codes.INTERNAL_SERVER_ERROR, answers[0].text
    done = [answer for answer in answers if answer.status_code < httpx.codes.BAD_REQUEST]
    assert bool(done) != is_refused, [answer.text for answer in answers]
    return done


@pytest.mark.parametrize("operation", CHANGES, ids=str)
async def test_two_calls_at_the_same_moment_have_one_result(database: AsyncEngine, operation: Operation) -> None:
    service = Service(database)
    await service.add_organisations()
    own = await prepared(service, operation)
    before = await counts(database)

    takes_key = "Idempotency-Key" in operation.headers
    key = "one key" if takes_key else ""
    done = await at_once(lambda: call(service, operation, own, key), is_refused=CASES[str(operation)].is_refused)

    if takes_key:
        assert len({answer.text for answer in done}) <= 1
    grown = [now - then for then, now in zip(before, await counts(database), strict=True)]
    assert sum(grown) <= 1, dict(zip(TABLES, grown, strict=True))
