"""Which view of a session is shown when the workflow, the projection or both answer."""

import pytest

from adapters.database.sessions import DatabaseSessionRows
from api.reading import SessionReader
from domain.errors import LinkNotValid, SessionNotFound, SigningError, Unavailable
from domain.ids import OrganisationId, SessionId
from domain.links import Link
from domain.session import Session
from tests.api.repositories import Repositories
from tests.builders import ORGANISATION, created, identifier, occasion
from tests.fakes.sessions import FakeSessions

STRANGER = OrganisationId(identifier("another organisation"))


class SilentSessions(FakeSessions):
    """Sessions that answer every question with the same error."""

    def __init__(self, error: type[SigningError]) -> None:
        super().__init__()
        self._error = error

    async def snapshot(self, session_id: SessionId) -> Session:
        raise self._error


@pytest.fixture
async def rows() -> DatabaseSessionRows:
    rows = Repositories().rows
    draft = created()
    await rows.record(draft.session, draft.events)
    return rows


DRAFT = created().session
SENT = DRAFT.send(occasion()).session
ERASED = SENT.erase(occasion()).session


def running(session: Session) -> FakeSessions:
    sessions = FakeSessions()
    sessions.held[session.session_id] = session
    return sessions


def link(organisation_id: OrganisationId = ORGANISATION, session_id: SessionId = DRAFT.session_id) -> Link:
    return Link(organisation_id, session_id, "0" * 64)


async def test_the_workflow_is_newer_than_the_row(rows: DatabaseSessionRows) -> None:
    reader = SessionReader(running(SENT), rows)

    assert await reader.get(ORGANISATION, SENT.session_id) == SENT
    assert await reader.get_by_link(link()) == SENT


@pytest.mark.parametrize("error", [SessionNotFound, Unavailable])
async def test_the_row_answers_when_the_workflow_does_not(rows: DatabaseSessionRows, error: type[SigningError]) -> None:
    reader = SessionReader(SilentSessions(error), rows)

    assert await reader.get(ORGANISATION, DRAFT.session_id) == DRAFT
    assert await reader.get_by_link(link()) == DRAFT


async def test_an_erased_session_is_not_found_whoever_knows_of_it(rows: DatabaseSessionRows) -> None:
    still_running = SessionReader(running(ERASED), rows)
    with pytest.raises(SessionNotFound):
        await still_running.get(ORGANISATION, DRAFT.session_id)
    with pytest.raises(LinkNotValid):
        await still_running.get_by_link(link())

    await rows.erase(ORGANISATION, DRAFT.session_id, occasion().at)
    gone = SessionReader(SilentSessions(Unavailable), rows)
    with pytest.raises(SessionNotFound):
        await gone.get(ORGANISATION, DRAFT.session_id)
    with pytest.raises(LinkNotValid):
        await gone.get_by_link(link())


async def test_another_organisation_finds_nothing(rows: DatabaseSessionRows) -> None:
    for sessions in (running(SENT), SilentSessions(Unavailable)):
        reader = SessionReader(sessions, rows)
        with pytest.raises(SessionNotFound):
            await reader.get(STRANGER, DRAFT.session_id)
        with pytest.raises(LinkNotValid):
            await reader.get_by_link(link(STRANGER))


async def test_of_another_organisations_session_the_workflow_is_not_even_asked(rows: DatabaseSessionRows) -> None:
    class Counted(FakeSessions):
        asked = 0

        async def snapshot(self, session_id: SessionId) -> Session:
            self.asked += 1
            return await super().snapshot(session_id)

    sessions = Counted()
    with pytest.raises(SessionNotFound):
        await SessionReader(sessions, rows).get(STRANGER, DRAFT.session_id)

    assert sessions.asked == 0


@pytest.mark.parametrize("session_id", ["", "x", DRAFT.session_id.upper(), identifier("unknown")])
async def test_an_identifier_of_nothing_is_not_found(rows: DatabaseSessionRows, session_id: str) -> None:
    with pytest.raises(SessionNotFound):
        await SessionReader(running(SENT), rows).get(ORGANISATION, SessionId(session_id))
