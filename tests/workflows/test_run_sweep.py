"""A session whose run is gone is marked as stopped until the run is back."""

from collections.abc import Iterator
from datetime import timedelta
from unittest.mock import patch
from uuid import uuid4

import pytest

from activities import maintenance
from activities.maintenance import RunSweep
from domain.session.session import Session, Transition
from domain.session.waiting_for import waiting_for
from domain.shared.ids import SessionId
from domain.workflow_ids import session_workflow_id
from tests.builders import created, identifier
from tests.fakes.stuck_sessions import count_stuck
from tests.workflows.acts import ACT, signed_by
from tests.workflows.stage import Stage, invited, result_of, seen
from tests.workflows.stories import generated
from tests.workflows.waiting import eventually

pytestmark = pytest.mark.temporal


@pytest.fixture(autouse=True)
def _settled() -> Iterator[None]:
    with patch.object(maintenance, "SETTLED_AFTER", timedelta()):
        yield


def new(name: str) -> Transition:
    return created(name=f"{name} {uuid4()}")


async def terminate(stage: Stage, *sessions: Session) -> None:
    """Ends their runs, and waits until Temporal's list shows it."""
    for session in sessions:
        await stage.client.get_workflow_handle(session_workflow_id(session.session_id)).terminate()
    ids = [session.session_id for session in sessions]
    await eventually(lambda: stage.runs.find_without_run(ids), lambda gone: gone == set(ids))


async def sweep(stage: Stage) -> float:
    """The number of stopped sessions after one sweep."""
    shown: list[float] = []
    await RunSweep(stage.effects.rows, stage.runs.find_without_run, shown.append, count_stuck()).sweep_next()
    return shown[-1]


async def test_a_terminated_run_is_seen_and_one_that_is_back_too(stage: Stage) -> None:
    ended, other = await stage.start(new("Ended")), await stage.start(new("Other"))
    await invited(stage, ended, 1)
    await invited(stage, other, 1)
    before = await sweep(stage)
    await terminate(stage, ended)

    assert (before, (await sweep(stage))) == (0, 1)
    assert waiting_for(await seen(stage, ended)).startswith("Stopped (found at ")
    assert "undersign repair --apply" in waiting_for(await seen(stage, ended))
    assert waiting_for(await seen(stage, other)).startswith("Waiting for the signature of")
    await stage.runs.start_again(await seen(stage, ended))
    assert await sweep(stage) == 0
    assert waiting_for(await seen(stage, ended)).startswith("Waiting for the signature of")


async def test_a_run_that_is_missing_is_seen(stage: Stage) -> None:
    step = new("Lost")
    with patch.object(stage.runs, "start"):
        session = await stage.start(step)
    await stage.effects.rows.mark_started(session)

    assert await sweep(stage) == 1
    assert (await seen(stage, session)).stopped_at is not None


async def test_sessions_that_need_no_run_are_not_marked(stage: Stage) -> None:
    await stage.start(new("Draft"), send=False)
    done = await stage.start(new("Done"))
    for key in ("ada", "grace"):
        await stage.sessions.act(done, signed_by(key))
    await generated(stage, done)
    await result_of(stage, done)
    await result_of(stage, done)

    assert await sweep(stage) == 0


async def test_a_mark_is_cleared_by_an_action_and_not_set_on_a_session_that_has_changed_since(stage: Stage) -> None:
    session = await stage.start(new("Back"))
    before = await invited(stage, session, 1)
    await stage.effects.rows.mark_stopped(await seen(stage, session), session.updated_at)

    await stage.sessions.act(session, ACT)
    after = await eventually(lambda: seen(stage, session), lambda now: now.revision > before.revision)
    assert after.stopped_at is None
    await stage.effects.rows.mark_stopped(before, session.updated_at)

    assert (await seen(stage, session)).status is after.status
    assert (await seen(stage, session)).stopped_at is None


async def test_all_sessions_are_looked_at_a_page_after_the_other(stage: Stage) -> None:
    sessions = [await stage.start(new("Session")) for _ in range(3)]
    for session in sessions:
        await invited(stage, session, 1)
    await terminate(stage, *sessions)
    shown: list[float] = []
    with patch.object(maintenance, "RUNS_AT_ONCE", 2):
        sweep = RunSweep(stage.effects.rows, stage.runs.find_without_run, shown.append, count_stuck())
        for _ in range(2):
            await sweep.sweep_next()

    assert shown == [2, 3]


async def test_no_session_costs_no_call(stage: Stage) -> None:
    assert await stage.runs.find_without_run([]) == set()
    assert await stage.runs.find_without_run([nothing := SessionId(identifier("nothing"))]) == {nothing}
