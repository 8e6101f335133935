"""Every form and call outside `/api/v1`, sent twice at the same moment: one result or a clear refusal.

The routes are those of the whole application. A new one that changes something fails the first test until it has a case
here, in `test_every_change_twice.py` or in `test_every_tool_twice.py`. The record of administrative acts has a line for
each request.
"""

import asyncio
import json
from collections import Counter

import httpx
import pytest
from fastapi.routing import iter_route_contexts
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.database.repository import table_of
from adapters.database.tables import callbacks, organisations, sessions, uploads
from tests.adapters.database import test_every_change_twice as changes
from tests.api.service import Service
from tests.web.every_form import APP_FORMS, OTHERS, Place

READS = {"GET", "HEAD", "OPTIONS"}
ELSEWHERE = {
    "POST /mcp": "test_every_tool_twice.py",
    "POST /app/sign-in/provider/organisation": "the page of `/app/sign-in/{secret}` after the way to a provider",
    "POST /api/v1/Session/{sessionId}/Recipients/{recipientId}/SigningUrl": "another name of `.../Recipient/...`",
}
TABLES = (
    organisations.ApplicationRow, organisations.ApprovalRow, organisations.ClientRow, organisations.GrantRow,
    organisations.OrganisationRow, organisations.RefreshTokenRow, organisations.SignInRow, organisations.UserRow,
    sessions.BatchRow, sessions.SessionRow, uploads.FileRow, uploads.ImageRow,
    uploads.TemplateRow, callbacks.WebhookSecretRow,
)  # fmt: skip
CASES = {**APP_FORMS, **OTHERS}
ACTED = {"/app/bulk", "/app/batches/{batch_id}"}


def changing_routes() -> set[str]:
    """The method and the path of each route of the application that may change something."""
    routes = iter_route_contexts(Service().app.routes)
    return {f"{method} {route.path}" for route in routes for method in set(route.methods or ()) - READS}


def form_of(case: str) -> str:
    """The route of a form. Of some routes, each value of `act` has a form of its own."""
    folder, _, name = case.rpartition("/")
    return f"POST {folder}/{{act}}" if folder in ACTED and name not in {"new", "preview", "delete"} else f"POST {case}"


def test_every_route_that_changes_something_has_a_case() -> None:
    of_the_api = {str(operation) for operation in changes.CHANGES}
    assert changing_routes() == of_the_api | set(map(form_of, CASES)) | set(ELSEWHERE)


async def counts(place: Place, engine: AsyncEngine) -> dict[str, int]:
    async with engine.connect() as connection:
        rows = {
            table.__name__: (await connection.execute(select(func.count()).select_from(table_of(table)))).scalar_one()
            for table in TABLES
        }
    return {**rows, "mails": len(place.service.mailer.sent)}


async def events(engine: AsyncEngine) -> Counter[str]:
    """How often each event stands in a history, without its time."""
    table = table_of(sessions.EventRow)
    async with engine.connect() as connection:
        found = (await connection.execute(select(table.c.session_id, table.c.event))).all()
    kept = ("type", "recipientId", "recipient_id", "details")
    return Counter(f"{session} {json.dumps({k: event.get(k) for k in kept}, default=str)}" for session, event in found)


def is_done(answer: httpx.Response) -> bool:
    return answer.status_code < httpx.codes.BAD_REQUEST and "error=" not in answer.headers.get("location", "")


@pytest.mark.parametrize("path", CASES)
async def test_a_form_that_is_sent_twice_at_the_same_moment_has_one_result(database: AsyncEngine, path: str) -> None:
    case, place = CASES[path], Place(database)
    await place.furnish()
    send = await case.prepare(place, path)
    before, history = await counts(place, database), await events(database)

    answers = await asyncio.gather(send(), send())

    told = [f"{answer.status_code} {answer.headers.get('location')} {answer.text[:2000]}" for answer in answers]
    assert max(answer.status_code for answer in answers) < httpx.codes.INTERNAL_SERVER_ERROR, told
    assert any(map(is_done, answers)) != case.is_refused, told
    grown = {name: now - before[name] for name, now in (await counts(place, database)).items()}
    assert max(grown.values()) <= getattr(case, "times", 1), grown
    assert set((await events(database) - history).values()) <= {1}
