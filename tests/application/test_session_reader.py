"""Sessions are found by identifier and by signing link; `test_signing_links` tests which links are valid."""

import pytest

from application.session_reader import SessionReader
from domain.ports.database import DatabaseUnavailable
from domain.ports.session_requests import ActionRequest
from domain.session.session import Session
from domain.session.signing_links import Link, link_hash, link_secret
from domain.shared.errors import LinkNotValid, SessionNotFound
from domain.shared.ids import OrganisationId, SessionId
from tests.api.repositories import Repositories
from tests.builders import ORGANISATION, audit, created, identifier
from tests.fakes.sessions import LINK_KEY, FakeSessions, WitnessedRows

STRANGER = OrganisationId(identifier("another organisation"))
DRAFT = created().session


class Reading:
    """A session that was sent, and a reader of the rows that it is in."""

    def __init__(self, rows: WitnessedRows) -> None:
        self.sessions = FakeSessions(rows)
        self.reader = SessionReader(self.sessions, rows, LINK_KEY)

    @property
    def session(self) -> Session:
        return self.sessions.held[DRAFT.session_id]


@pytest.fixture
async def reading() -> Reading:
    made = Reading(Repositories().rows)
    await made.sessions.create(created(), audit())
    return made


def link(**members: str) -> Link:
    """The link of the first invitation of the first recipient, with changed `members`."""
    secret = link_secret(LINK_KEY, DRAFT.session_id, DRAFT.recipients[0].recipient_id, 1)
    return Link(ORGANISATION, DRAFT.session_id, link_hash(secret))._replace(**members)


@pytest.mark.parametrize("is_away", [False, True])
async def test_a_session_is_found_by_its_identifier_and_by_a_link(reading: Reading, *, is_away: bool) -> None:
    reading.sessions.runs.is_away = is_away
    found, recipient = await reading.reader.get_by_link(link())
    assert found == reading.session
    assert recipient == reading.session.recipients[0]
    assert await reading.reader.get(ORGANISATION, DRAFT.session_id) == reading.session


@pytest.mark.parametrize(
    "wrong",
    [link(link_hash="0" * 64), link(session_id=identifier("unknown")), link(organisation_id=STRANGER)],
)
async def test_a_link_without_an_invitation_is_not_valid(reading: Reading, wrong: Link) -> None:
    with pytest.raises(LinkNotValid):
        await reading.reader.get_by_link(wrong)


async def test_an_erased_session_is_not_found(reading: Reading) -> None:
    await reading.sessions.erase(reading.session, ActionRequest(audit=audit()))
    with pytest.raises(SessionNotFound):
        await reading.reader.get(ORGANISATION, DRAFT.session_id)
    with pytest.raises(LinkNotValid):
        await reading.reader.get_by_link(link())


async def test_another_organisation_finds_nothing(reading: Reading) -> None:
    with pytest.raises(SessionNotFound):
        await reading.reader.get(STRANGER, DRAFT.session_id)


@pytest.mark.parametrize("session_id", ["", "x", DRAFT.session_id.upper(), identifier("unknown")])
async def test_an_unknown_identifier_is_not_found(reading: Reading, session_id: str) -> None:
    with pytest.raises(SessionNotFound):
        await reading.reader.get(ORGANISATION, SessionId(session_id))


async def test_an_unavailable_database_is_not_a_missing_session() -> None:
    class Silent(WitnessedRows):
        async def find(self, organisation_id: OrganisationId, session_id: SessionId) -> Session | None:
            raise DatabaseUnavailable

    reader = Reading(Silent(Repositories().database.engine)).reader

    with pytest.raises(DatabaseUnavailable):
        await reader.get(ORGANISATION, DRAFT.session_id)
    with pytest.raises(DatabaseUnavailable):
        await reader.get_by_link(link())
