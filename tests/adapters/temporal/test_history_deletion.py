"""Histories are deleted on a real server, whether their runs go on or have ended."""

import pytest

from adapters.temporal.dev_server import TUNING
from adapters.temporal.history_deletion import TemporalHistories
from domain.session.session import Session
from domain.shared.workflow_ids import erasure_id, session_workflow_id
from tests.builders import created, recipient
from tests.workflows.servers import dev_server
from tests.workflows.stage import Stage, invited, set_stage
from tests.workflows.waiting import eventually


async def sent(stage: Stage, name: str) -> Session:
    return await invited(stage, await stage.start(created(recipient("ada"), name=name)), 1)


@pytest.mark.temporal
async def test_all_runs_of_the_named_workflows_are_deleted_and_no_others() -> None:
    async with dev_server(*TUNING) as environment, set_stage(environment.client) as stage:
        client, histories = environment.client, TemporalHistories(environment.client)
        running, ended, other = [await sent(stage, name) for name in ("running", "ended", "other")]
        await client.get_workflow_handle(session_workflow_id(ended.session_id)).terminate()
        names = [session_workflow_id(session.session_id) for session in (running, ended)]
        await eventually(client.count_workflows, lambda found: found.count == 3)

        found = await histories.delete([*names, erasure_id(running.session_id)])
        await eventually(lambda: histories.delete(names, found), lambda left: left == [])

        assert len(set(found)) == 2
        left = [run.id async for run in client.list_workflows()]
        assert left == [session_workflow_id(other.session_id)]
        assert (await stage.runs.read_session(other.session_id)).session_id == other.session_id
