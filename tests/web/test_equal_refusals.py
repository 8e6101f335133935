"""Invalid links reveal nothing: one page, the same look-up, and the same time for all."""

import asyncio
from collections.abc import Awaitable, Callable
from http import HTTPStatus

import pytest

from domain.ports.session_requests import ActionRequest
from domain.session.session import Session
from domain.session.signing_links import make_token
from domain.shared.ids import OrganisationId, SessionId
from tests.builders import ORGANISATION, audit, identifier
from tests.fakes.sessions import FakeSessions, WitnessedRows
from tests.web.desk import Desk
from web.signing.resolve_link import REJECTION_STEP, until_rejection

SECRET = b"s" * 32


class WatchedRows(WitnessedRows):
    """Rows that record look-ups."""

    def __init__(self, desk: Desk, asked: list[str]) -> None:
        super().__init__(desk.database.engine)
        self._asked = asked

    async def find(self, organisation_id: OrganisationId, session_id: SessionId) -> Session | None:
        self._asked.append("row")
        return await super().find(organisation_id, session_id)


async def unknown(desk: Desk, session: Session) -> str:
    return f"/sign/{make_token(ORGANISATION, SessionId(identifier('nothing')), SECRET)}"


async def of_another_organisation(desk: Desk, session: Session) -> str:
    return f"/sign/{make_token(OrganisationId(identifier('another')), session.session_id, SECRET)}"


async def guessed(desk: Desk, session: Session) -> str:
    return f"/sign/{make_token(ORGANISATION, session.session_id, SECRET)}"


async def replaced(desk: Desk, session: Session) -> str:
    link, ada = desk.link(session), desk.recipient(session, "ada")
    await desk.change(session.with_recipient(ada, invitation=ada.invitation.next()))
    return link


async def deleted(desk: Desk, session: Session) -> str:
    link = desk.link(session)
    await desk.sessions.erase(session, ActionRequest(audit=audit()))
    return link


KINDS = [unknown, of_another_organisation, guessed, replaced, deleted]


async def refuse(
    make: Callable[[Desk, Session], Awaitable[str]], act: str
) -> tuple[int, str, dict[str, str], list[str]]:
    """Status, text, headers and look-ups for an invalid link."""
    asked: list[str] = []
    desk = Desk()
    desk.rows = WatchedRows(desk, asked)
    desk.sessions = FakeSessions(desk.rows)
    desk.serve()
    link = await make(desk, await desk.send())
    asked.clear()
    answer = await desk.browser().request(act, link)
    headers = {name: value for name, value in answer.headers.items() if name != "date"}
    return answer.status_code, answer.text.replace(link, "LINK"), headers, asked


@pytest.mark.parametrize("act", ["GET", "POST"])
async def test_every_invalid_link_has_the_same_look_up_and_response(act: str) -> None:
    first, *others = [await refuse(make, act) for make in KINDS]
    assert first[0] == HTTPStatus.NOT_FOUND
    assert first[3] == ["row"]
    assert others == [first] * len(others)


async def test_a_refusal_comes_no_sooner_than_a_whole_step_after_the_link() -> None:
    clock = asyncio.get_running_loop()
    came_at = clock.time()
    await refuse(unknown, "GET")
    assert clock.time() - came_at >= REJECTION_STEP


@pytest.mark.parametrize("passed", [0.0, 0.001, 0.1, 0.249, 0.25, 0.3, 7.1])
def test_however_long_looking_took_the_answer_comes_at_a_whole_step(passed: float) -> None:
    steps = (passed + until_rejection(passed)) / REJECTION_STEP
    assert steps == pytest.approx(round(steps))
    assert 0 < until_rejection(passed) <= REJECTION_STEP
