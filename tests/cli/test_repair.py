"""`undersign repair` prints and repairs disagreements; `undersign replay` checks this version."""

from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import timedelta
from pathlib import Path
from unittest.mock import AsyncMock

import pytest
from temporalio import workflow
from temporalio.testing import WorkflowEnvironment
from temporalio.worker import UnsandboxedWorkflowRunner, Worker

from activities.interface import SESSIONS_QUEUE
from application.sessions import repair as comparing
from application.sessions.repair import Disagreement
from cli.backends import open_repositories
from cli.output import BackendUnavailable, CommandFailed, InvalidInput
from cli.repair import check_running_sessions, repair
from config.settings import Settings
from domain.ports.database import DatabaseUnavailable
from domain.ports.session_requests import SessionStart
from domain.shared.errors import ConfigError, Unavailable
from domain.shared.ids import SessionId
from tests.builders import created, identifier, recipient
from tests.workflows.servers import dev_server
from tests.workflows.stage import invited, set_stage
from tests.workflows.waiting import eventually
from workflows.client.replay_check import check_version

ONE, TWO, THREE = (SessionId(identifier(name)) for name in ("one", "two", "three"))


class Comparison:
    """A comparison that finds the given disagreements, and then raises `failure`."""

    def __init__(self, *disagreements: Disagreement, failure: Exception | None = None, compared: int = 4) -> None:
        self.compared = compared
        self._disagreements = disagreements
        self._failure = failure

    def __call__(self, *_collaborators: object) -> "Comparison":
        return self

    async def find(self) -> AsyncIterator[Disagreement]:
        for one in self._disagreements:
            yield one
        if self._failure:
            raise self._failure


@pytest.fixture
def repaired(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Awaitable[int]]:
    """Repairs what a comparison finds; returns the number of sessions that are not repaired."""

    async def run(comparison: Comparison, *, apply: bool = True, all_lost: bool = False) -> int:
        monkeypatch.setattr(comparing, "Comparison", comparison)
        return await repair(Settings(data_dir=tmp_path), apply=apply, all_lost=all_lost)

    return run


async def test_disagreements_are_repaired_only_with_apply(
    repaired: Callable[..., Awaitable[int]], capsys: pytest.CaptureFixture[str]
) -> None:
    mend = AsyncMock()
    behind = Disagreement(ONE, "It is behind.", "It is written.", mend=mend)
    comparison = Comparison(
        behind,
        Disagreement(ONE, "Its run was stopped.", "It is started.", mend=mend),
        Disagreement(THREE, "Its run was stopped.", "It is started.", mend=mend),
        Disagreement(TWO, "It has two histories.", "The row stays as it is.", "The rest."),
    )

    assert (await repaired(Comparison(behind), apply=False), mend.await_count) == (1, 0)
    assert "1 session to repair; nothing was changed." in capsys.readouterr().out
    assert (await repaired(comparison), mend.await_count) == (1, 3)
    output = capsys.readouterr().out
    assert f"session/{TWO}: It has two histories.\n  The row stays as it is.\n  Lost: The rest." in output
    assert "2 sessions repaired. Not repaired: 1 session; see above." in output


async def test_nothing_is_repaired_while_most_sessions_have_no_run_unless_all_are_lost(
    repaired: Callable[..., Awaitable[int]],
) -> None:
    mend = AsyncMock()
    lost = Disagreement(ONE, "Temporal has no run of it.", "It is started.", mend=mend, has_no_run=True)

    with pytest.raises(CommandFailed, match=r"1 of 1 sessions have no run.*--all-lost"):
        await repaired(Comparison(lost, compared=1))
    assert mend.await_count == 0
    assert (await repaired(Comparison(lost, compared=2)), mend.await_count) == (0, 1)
    assert (await repaired(Comparison(lost, compared=1), all_lost=True), mend.await_count) == (0, 2)


async def test_a_process_of_another_installation_repairs_nothing(
    repaired: Callable[..., Awaitable[int]], tmp_path: Path
) -> None:
    mend = AsyncMock()
    async with open_repositories(Settings(data_dir=tmp_path)) as database:
        await database.installation.add({"object-store": "gs://documents"})

    with pytest.raises(InvalidInput, match="undersign installation accept object-store"):
        await repaired(Comparison(Disagreement(ONE, "It is behind.", "It is written.", mend=mend)))
    assert mend.await_count == 0


@pytest.mark.parametrize(
    ("failure", "words"),
    [(Unavailable(), "Temporal does not answer"), (DatabaseUnavailable(), "The database does not")],
)
async def test_a_backend_that_does_not_answer_is_named(
    repaired: Callable[..., Awaitable[int]], failure: Exception, words: str
) -> None:
    with pytest.raises(BackendUnavailable, match=words):
        await repaired(Comparison(failure=failure))


@workflow.defn(name="SigningSession")
class OtherCode:
    """A session as another program would run it."""

    @workflow.run
    async def run(self, start: SessionStart) -> None:
        await workflow.sleep(timedelta(days=1))


def settings_of(environment: WorkflowEnvironment) -> Settings:
    return Settings(temporal_address=environment.client.service_client.config.target_host)


async def running(environment: WorkflowEnvironment) -> None:
    """Returns when the list of workflows knows one."""
    await eventually(environment.client.count_workflows, lambda found: found.count == 1)


@pytest.mark.temporal
async def test_running_workflows_that_replay_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    async with dev_server() as environment, set_stage(environment.client) as stage:
        await invited(stage, await stage.start(created(recipient("ada"))), 1)
        await running(environment)
        await check_running_sessions(settings_of(environment), limit=10)

    assert capsys.readouterr().out.startswith("1 running workflows replayed")


@pytest.mark.temporal
async def test_a_workflow_that_does_not_replay_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    step = created(recipient("ada"))
    start = SessionStart(session=step.session, events=step.events)
    async with dev_server() as environment:
        client, runner = environment.client, UnsandboxedWorkflowRunner()
        async with Worker(client, task_queue=SESSIONS_QUEUE, workflows=[OtherCode], workflow_runner=runner):
            run = await client.start_workflow(OtherCode.run, start, id="session/other", task_queue=SESSIONS_QUEUE)
            await eventually(run.fetch_history, lambda history: len(history.events) > 4)
        await running(environment)
        with pytest.raises(CommandFailed, match="1 of 1"):
            await check_running_sessions(settings_of(environment), limit=10)
        queues, temporal = AsyncMock(), settings_of(environment).temporal
        queues.failing_runs.return_value = []
        with pytest.raises(ConfigError, match=r"session/other: .*\n.*does not start"):
            await check_version(temporal, queues)
        queues.failing_runs.return_value = ["session/other"]  # the version that runs now cannot continue it either
        await check_version(temporal, queues)

    assert capsys.readouterr().out.startswith("session/other: ")


async def test_a_temporal_server_that_does_not_answer_is_named() -> None:
    with pytest.raises(BackendUnavailable, match="UNDERSIGN_TEMPORAL_ADDRESS"):
        await check_running_sessions(Settings(temporal_address="127.0.0.1:1"), limit=10)
