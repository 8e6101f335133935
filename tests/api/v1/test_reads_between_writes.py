"""Reads with a writer at any point between them: an answer is right for one moment, and no delay is an outage."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from itertools import product
from typing import Any

import pytest
from sqlalchemy import Connection, event
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlmodel import col, delete
from structlog.testing import capture_logs

from adapters.database.engine import writing_rows
from adapters.database.repositories.administrative_acts import DatabaseAdministrativeActs
from adapters.database.tables.sessions import EventRow
from application.documents.verify import check_file
from domain.audit.events import AuditContext, Event
from domain.audit.hash_chain import find_break
from domain.audit.verification_report import Outcome
from domain.ports.administrative_acts import ActKind, Change
from domain.ports.database import SessionHistory
from domain.session.session import Session
from domain.shared.ids import OrganisationId, SessionId
from tests.api.service import OWN, Service
from tests.builders import ORGANISATION, audit
from tests.fakes.seals import SEALER
from tests.fakes.sessions import FakeSessions, WitnessedRows

Writer = Callable[[Service, str], Awaitable[object]]


class MetRows(WitnessedRows):
    """Rows; a writer runs before one of the reads, counted down by `before`."""

    def __init__(self, engine: AsyncEngine) -> None:
        super().__init__(engine)
        self.before = -1
        self.writer: Callable[[], Awaitable[object]] | None = None

    async def _meet(self) -> None:
        self.before -= 1
        if self.before == -1 and self.writer is not None:
            writer, self.writer = self.writer, None
            await writer()

    async def find(self, organisation_id: OrganisationId, session_id: SessionId) -> Session | None:
        await self._meet()
        return await super().find(organisation_id, session_id)

    async def events(self, organisation_id: OrganisationId, session_id: SessionId) -> tuple[Event, ...]:
        await self._meet()
        return await super().events(organisation_id, session_id)

    async def find_history(self, organisation_id: OrganisationId, session_id: SessionId) -> SessionHistory | None:
        await self._meet()
        return await super().find_history(organisation_id, session_id)

    def meet(self, writer: Callable[[], Awaitable[object]], before: int) -> None:
        self.writer, self.before = writer, before


async def finish(service: Service, session_id: str) -> object:
    return await service.generate(service.sessions.held[SessionId(session_id)])


async def archive(service: Service, session_id: str) -> object:
    return await service.sessions.take(service.sessions.held[SessionId(session_id)].archive(audit()))


async def archive_and_restore(service: Service, session_id: str) -> object:
    await archive(service, session_id)
    return await service.sessions.take(service.sessions.held[SessionId(session_id)].restore(audit()))


async def erase(service: Service, session_id: str) -> object:
    return await service.rows.erase(ORGANISATION, SessionId(session_id), audit().at)


WRITERS: list[Writer] = [finish, archive, archive_and_restore, erase]
READS = 4
"""More than any of the answers takes."""


async def signed(service: Service) -> tuple[MetRows, str]:
    rows = MetRows(service.database.engine)
    service.rows = rows
    service.sessions = FakeSessions(rows)
    service.use()
    session_id: str = (await service.create(sendImmediately=True))["sessionId"]
    await service.complete(session_id)
    return rows, session_id


@pytest.mark.parametrize("rest", ["/Certificate", "/Events", ""])
async def test_an_answer_is_right_whatever_is_written_between_its_reads(service: Service, rest: str) -> None:
    for writer, before in product(WRITERS, range(READS)):
        rows, session_id = await signed(service)
        rows.meet(lambda act=writer, of=session_id: act(service, of), before)  # type: ignore[misc]

        answer = await service.http().get(f"/api/v1/Session/{session_id}{rest}")

        case = (writer.__name__, before, answer.status_code, answer.text[:200])
        possible = {200, *([404] if writer is erase else []), *([409] if writer is archive else [])}
        assert answer.status_code in possible, case
        if answer.status_code == 200 and rest == "/Events":
            events = answer.json()["events"]
            assert events, case
            assert find_break(events) is None, case


@pytest.mark.parametrize("writer", WRITERS[:3])
async def test_the_history_is_never_behind_the_status(service: Service, writer: Writer) -> None:
    _, session_id = await signed(service)
    await writer(service, session_id)
    session = (await service.http().get(f"/api/v1/Session/{session_id}")).json()

    events = (await service.http().get(f"/api/v1/Session/{session_id}/Events")).json()["events"]

    last = {"completedAndGenerated": "session.documentsGenerated", "cancelled": "session.archived"}
    assert events[-1]["type"] == last.get(session["status"], "session.restored")


async def test_session_and_history_are_read_in_one_statement(service: Service) -> None:
    rows, session_id = await signed(service)
    statements: list[str] = []

    def note(_connection: Connection, _cursor: object, statement: str, *_: Any) -> None:
        statements.append(statement)

    engine = service.database.engine.sync_engine
    event.listen(engine, "before_cursor_execute", note)
    try:
        found = await rows.find_history(ORGANISATION, SessionId(session_id))
        strange = await rows.find_history(OrganisationId("another"), SessionId(session_id))
    finally:
        event.remove(engine, "before_cursor_execute", note)

    assert len(statements) == 2
    assert found == (rows.held[SessionId(session_id)], await rows.events(ORGANISATION, SessionId(session_id)))
    assert found is not None
    assert found.is_whole()
    assert strange is None


async def test_a_session_whose_lost_events_a_repair_recorded_has_a_certificate(service: Service) -> None:
    _, session_id = await signed(service)
    await finish(service, session_id)
    async with writing_rows(service.database.engine) as rows:
        await rows.exec(delete(EventRow).where(col(EventRow.session_id) == session_id, col(EventRow.sequence) < 3))
    change = Change(ActKind.SESSION_REPAIRED, session_id, after={"lostEvents": [1, 2]})
    acts = DatabaseAdministrativeActs(service.database.engine)
    await acts.add(ORGANISATION, AuditContext.of_system(datetime.now(UTC)), change)

    answer = await service.http(OWN).get(f"/api/v1/Session/{session_id}/Certificate")

    assert answer.status_code == 200
    report = check_file(answer.content, SEALER.trusted, datetime.now(UTC))
    assert not [finding for finding in report.findings if finding.outcome is Outcome.FAILS]
    assert any("A restore from a backup lost 2 events" in finding.text for finding in report.findings)


async def test_a_history_that_lost_events_is_an_error_of_its_own(service: Service) -> None:
    _, session_id = await signed(service)
    await finish(service, session_id)
    async with writing_rows(service.database.engine) as rows:
        await rows.exec(delete(EventRow).where(col(EventRow.session_id) == session_id, col(EventRow.sequence) > 4))

    with capture_logs() as logs:
        answer = await service.http(OWN).get(f"/api/v1/Session/{session_id}/Certificate")

    assert (answer.status_code, answer.json()["error"]) == (500, "HISTORY_NOT_WHOLE")
    assert "retry-after" not in answer.headers
    errors = [entry for entry in logs if entry["log_level"] in {"error", "warning"}]
    assert [entry["event"] for entry in errors] == ["the history of a session is not whole"]
