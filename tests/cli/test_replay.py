"""Before a deployment: whether the new version goes on with what is running."""

from datetime import timedelta

import pytest
from temporalio import workflow
from temporalio.testing import WorkflowEnvironment
from temporalio.worker import UnsandboxedWorkflowRunner, Worker

from activities.interface import SESSIONS_QUEUE
from cli.errors import BackendUnavailable, ReplayFailed
from cli.replay import check_running_sessions
from ports.session_requests import SessionStart
from settings import Settings
from tests.builders import created, recipient
from tests.workflows.servers import dev_server
from tests.workflows.stage import invited, set_stage
from tests.workflows.waiting import eventually


@workflow.defn(name="SigningSession")
class OtherCode:
    """A session as no version of ours would run it."""

    @workflow.run
    async def run(self, start: SessionStart) -> None:
        await workflow.sleep(timedelta(days=1))


def settings_of(environment: WorkflowEnvironment) -> Settings:
    return Settings(temporal_address=environment.client.service_client.config.target_host)


async def running(environment: WorkflowEnvironment) -> None:
    """Returns when the list of workflows knows one."""
    await eventually(environment.client.count_workflows, lambda found: found.count == 1)


@pytest.mark.temporal
async def test_a_version_that_goes_on_with_everything_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    async with dev_server() as environment, set_stage(environment.client) as stage:
        await invited(stage, await stage.start(created(recipient("ada"))), 1)
        await running(environment)
        await check_running_sessions(settings_of(environment), limit=10)

    assert capsys.readouterr().out.startswith("1 running workflows replayed")


@pytest.mark.temporal
async def test_what_would_get_stuck_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    step = created(recipient("ada"))
    start = SessionStart(session=step.session, events=step.events)
    async with dev_server() as environment:
        other = Worker(
            environment.client,
            task_queue=SESSIONS_QUEUE,
            workflows=[OtherCode],
            workflow_runner=UnsandboxedWorkflowRunner(),
        )
        async with other:
            dev_info = await environment.client.start_workflow(
                OtherCode.run, start, id="session/other", task_queue=SESSIONS_QUEUE
            )
            await eventually(dev_info.fetch_history, lambda history: len(history.events) > 4)
        await running(environment)
        with pytest.raises(ReplayFailed, match="1 of 1"):
            await check_running_sessions(settings_of(environment), limit=10)

    assert capsys.readouterr().out.startswith("session/other: ")


async def test_a_server_that_is_not_there_is_named() -> None:
    with pytest.raises(BackendUnavailable, match="UNDERSIGN_TEMPORAL_ADDRESS"):
        await check_running_sessions(Settings(temporal_address="127.0.0.1:1"), limit=10)
