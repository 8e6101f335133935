"""The database or Temporal was restored or lost, and the other repairs it."""

import shutil
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from unittest.mock import patch
from uuid import uuid4

import pytest
from temporalio.testing import WorkflowEnvironment

from adapters.temporal.dev_server import TUNING
from application.sessions import repair
from application.sessions.repair import Comparison, Disagreement
from domain.audit.hash_chain import chain_is_intact
from domain.ports.administrative_acts import ActKind, AdministrativeActs
from domain.ports.temporal import RunState
from domain.session.session import Session
from domain.session.status import SessionStatus
from domain.session.waiting_for import waiting_for
from domain.shared.errors import SessionNotFound, Unavailable
from domain.workflow_ids import session_workflow_id
from tests.builders import created, submission
from tests.fakes.administrative_acts import RecordedActs
from tests.fakes.effects import FakeEffects
from tests.workflows.acts import ACT, opened_by, signed_by
from tests.workflows.servers import dev_server
from tests.workflows.stage import Stage, history, invited, receipt_of, result_of, seen, set_clean_stage, set_stage
from tests.workflows.stories import generated
from tests.workflows.waiting import eventually

pytestmark = pytest.mark.temporal


@pytest.fixture(scope="module")
async def server() -> AsyncIterator[WorkflowEnvironment]:
    async with dev_server(*TUNING) as environment:
        yield environment


@pytest.fixture
async def stage(server: WorkflowEnvironment) -> AsyncIterator[Stage]:
    async with set_clean_stage(server.client) as stage:
        yield stage


@pytest.fixture(autouse=True)
def _settled() -> Iterator[None]:
    with patch.object(repair, "SETTLED_AFTER", timedelta()):
        yield


@asynccontextmanager
async def stage_of(folder: Path, effects: FakeEffects) -> AsyncIterator[Stage]:
    """On a server that keeps its histories in `folder`.

    A copy of the whole folder is a backup; of `temporal.db` alone it is not, as a server that ended may leave the
    newest changes in the write-ahead log beside it.
    """
    folder.mkdir(exist_ok=True)
    file = folder / "temporal.db"
    async with dev_server(*TUNING, file=file) as server, set_stage(server.client, effects=effects) as stage:
        yield stage


async def sent(stage: Stage) -> Session:
    return await invited(stage, await stage.start(created(name=f"Agreement {uuid4()}")), 1)


async def sent_and_saved(folder: Path, saved: Path, effects: FakeEffects) -> Session:
    """A session that is sent, after which the folder of the server is copied to `saved`."""
    async with stage_of(folder, effects) as stage:
        session = await sent(stage)
    shutil.copytree(folder, saved)
    return session


async def found(stage: Stage, session: Session, acts: AdministrativeActs | None = None) -> list[Disagreement]:
    """What disagrees about the session: others of the server are of other tests."""
    comparison = Comparison(stage.runs, stage.effects.rows, acts or RecordedActs(), look_again=0)
    return [one async for one in comparison.find() if one.session_id == session.session_id]


async def mended(stage: Stage, session: Session, acts: AdministrativeActs | None = None) -> Disagreement:
    """The one disagreement, which is gone afterwards."""
    [one] = await found(stage, session, acts)
    assert one.mend
    await one.mend()
    assert await found(stage, session) == []
    return one


async def finished(stage: Stage, session: Session) -> None:
    """The session goes on to its documents, and its history is whole."""
    for key in ("ada", "grace"):
        if (await seen(stage, session)).recipient(opened_by(key).recipient_id).completed_at is None:
            await stage.sessions.act(session, signed_by(key))
    done = await generated(stage, session)
    events = await history(stage, session)
    assert (len(events), chain_is_intact(events)) == (done.sequence, True)


async def test_stores_that_agree_are_left_alone(stage: Stage) -> None:
    session = await sent(stage)
    before = await found(stage, session)
    await finished(stage, session)
    assert (before, await found(stage, session)) == ([], [])


async def test_a_terminated_run_is_reported_and_started_again(stage: Stage) -> None:
    session = await sent(stage)
    await stage.client.get_workflow_handle(session_workflow_id(session.session_id)).terminate()
    with pytest.raises(Unavailable, match="undersign repair"):
        await stage.sessions.act(session, signed_by("ada"))
    assert waiting_for(await seen(stage, session)).startswith("Stopped")
    one = await mended(stage, session)
    assert one.problem == "Its run was stopped in Temporal."
    assert (await seen(stage, session)).stopped_at is None
    await finished(stage, session)


async def test_a_run_that_is_missing_is_started_from_the_row(server: WorkflowEnvironment, stage: Stage) -> None:
    session = await sent(stage)
    async with dev_server(*TUNING) as lost, set_stage(lost.client, effects=stage.effects) as other:
        one = await mended(other, session)
        assert one.problem == "Temporal has no run of it."
        await finished(other, session)


async def test_a_row_that_was_set_back_is_written_from_the_history(stage: Stage) -> None:
    session = await sent(stage)
    saved = stage.effects.rows.save()
    await stage.sessions.act(session, signed_by("ada"))
    after = await invited(stage, session, 2)
    stage.effects.rows.load(saved)
    assert (await seen(stage, session)).sequence < after.sequence
    one = await mended(stage, session)
    assert (one.lost, (await seen(stage, session)).status) == (None, SessionStatus.IN_PROGRESS)
    await finished(stage, session)


async def test_a_row_without_the_delivered_invitation_is_written_from_the_history(stage: Stage) -> None:
    stage.effects.mail_server.clear()
    session = await stage.start(created(name=f"Agreement {uuid4()}"))
    saved = stage.effects.rows.save()
    stage.effects.mail_server.set()
    await invited(stage, session, 1)
    stage.effects.rows.load(saved)
    assert "to be delivered" in waiting_for(await seen(stage, session))
    await eventually(lambda: found(stage, session), bool)  # the run gets the result after the row is written
    one = await mended(stage, session)
    assert one.problem == "The database does not have the emails that its run has delivered since."
    assert waiting_for(await seen(stage, session)).startswith("Waiting for the signature of Ada")
    await finished(stage, session)


async def test_a_row_of_a_finished_session_is_written_from_the_history(stage: Stage) -> None:
    session = await sent(stage)
    saved = stage.effects.rows.save()
    await finished(stage, session)
    await result_of(stage, session)
    after = await history(stage, session)
    stage.effects.rows.load(saved)
    one = await mended(stage, session)
    row = await seen(stage, session)
    assert (one.lost, row.status, row.needs_run) == (None, SessionStatus.COMPLETED_AND_GENERATED, False)
    assert await history(stage, session) == after


async def test_lost_events_are_reported_and_recorded(stage: Stage) -> None:
    saved, acts = stage.effects.rows.save(), RecordedActs()
    session = await sent(stage)
    stage.effects.rows.load(saved)
    one = await mended(stage, session, acts)
    [act] = await acts.list_about(session.organisation_id, session.session_id)
    assert (act.change.kind, act.change.after) == (ActKind.SESSION_REPAIRED, {"lostEvents": [1, 2, 3]})
    assert one.problem == "The database has no row of it."
    assert (one.lost or "").startswith("3 events")  # created, sent and invited were written before the run began
    assert (await seen(stage, session)).status is SessionStatus.PENDING


async def test_the_history_of_a_deleted_session_is_erased_again(stage: Stage) -> None:
    session = await sent(stage)
    with patch.object(stage.runs, "start_erasure", side_effect=Unavailable):
        await stage.sessions.erase(session, ACT)
    await stage.effects.rows.mark_erasing(session.organisation_id, session.session_id)
    [one] = await found(stage, session)
    assert one.mend
    await one.mend()
    assert one.problem.startswith("It was deleted permanently")
    [due] = await stage.effects.rows.to_erase(datetime.now(UTC), 10)
    await stage.runs.start_erasure(due.organisation_id, due.session_id, due.erased_at)
    await receipt_of(stage, session)
    with pytest.raises(SessionNotFound):
        await seen(stage, session)


async def test_a_run_of_a_session_that_is_over_is_terminated(tmp_path: Path) -> None:
    folder, saved, effects = tmp_path / "temporal", tmp_path / "saved", FakeEffects()
    session = await sent_and_saved(folder, saved, effects)
    async with stage_of(folder, effects) as stage:
        await finished(stage, session)
        after = await history(stage, session)
    async with stage_of(saved, effects) as stage:
        one = await mended(stage, session)
        assert one.problem.startswith("It is over with")
        assert await stage.runs.state(session.session_id) is RunState.STOPPED
        assert await history(stage, session) == after


async def test_a_run_that_was_set_back_is_replaced_by_one_of_the_row(tmp_path: Path) -> None:
    folder, saved, effects = tmp_path / "temporal", tmp_path / "saved", FakeEffects()
    session = await sent_and_saved(folder, saved, effects)
    async with stage_of(folder, effects) as stage:
        await stage.sessions.act(session, signed_by("ada"))
        await invited(stage, session, 2)
    async with stage_of(saved, effects) as stage:
        one = await mended(stage, session)
        assert "Temporal is older than the database" in one.problem
        await finished(stage, session)


@pytest.mark.parametrize("signers", [("ada",), ("ada", "grace")])
async def test_a_run_that_went_on_after_it_was_set_back_is_replaced_by_one_of_the_row(
    tmp_path: Path, signers: tuple[str, ...]
) -> None:
    folder, saved, effects = tmp_path / "temporal", tmp_path / "saved", FakeEffects()
    session = await sent_and_saved(folder, saved, effects)
    async with stage_of(folder, effects) as stage:
        await stage.sessions.act(session, signed_by("ada"))
        before = await invited(stage, session, 2)
    async with stage_of(saved, effects) as stage:
        for key in signers:
            other = signed_by(key).model_copy(update={"submission": submission(f"other {key}")})
            await stage.runs.act(session.session_id, other)
        one = await mended(stage, session)
        assert "Its run has another event" in one.problem
        ada = opened_by("ada").recipient_id
        assert (await seen(stage, session)).recipient(ada) == before.recipient(ada)
        await finished(stage, session)
