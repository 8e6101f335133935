"""`undersign repair` prints and repairs disagreements; `undersign replay` checks this version."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest
from temporalio import workflow
from temporalio.testing import WorkflowEnvironment
from temporalio.worker import UnsandboxedWorkflowRunner, Worker

from activities.interface import SESSIONS_QUEUE
from application.sessions import repair as comparing
from application.sessions.repair import Disagreement
from cli.errors import BackendUnavailable, CommandFailed
from cli.repair import check_running_sessions, repair
from domain.shared.errors import Unavailable
from domain.shared.ids import SessionId
from ports.database import DatabaseUnavailable
from ports.session_requests import SessionStart
from settings import Settings
from tests.builders import created, identifier, recipient
from tests.workflows.servers import dev_server
from tests.workflows.stage import invited, set_stage
from tests.workflows.waiting import eventually

ONE, TWO, THREE = (SessionId(identifier(name)) for name in ("one", "two", "three"))


class Mended:
    """Counts how often it was called."""

    times = 0

    async def __call__(self) -> None:
        self.times += 1


class Found:
    """A comparison that finds what it was given, and then raises `failure`."""

    def __init__(self, *disagreements: Disagreement, failure: Exception | None = None) -> None:
        self._disagreements = disagreements
        self._failure = failure

    def __call__(self, *_collaborators: object) -> "Found":
        return self

    async def find(self) -> AsyncIterator[Disagreement]:
        for one in self._disagreements:
            yield one
        if self._failure:
            raise self._failure


async def repaired(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, found: Found, *, apply: bool) -> int:
    monkeypatch.setattr(comparing, "Comparison", found)
    return await repair(Settings(data_dir=tmp_path), apply=apply)


async def test_without_apply_nothing_is_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    mend = Mended()
    found = Found(Disagreement(ONE, "It is behind.", "It is written.", mend=mend))

    left = await repaired(tmp_path, monkeypatch, found, apply=False)

    assert (left, mend.times) == (1, 0)
    assert "1 session to repair; nothing was changed." in capsys.readouterr().out


async def test_a_session_is_counted_once_and_one_that_cannot_be_mended_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    mend = Mended()
    found = Found(
        Disagreement(ONE, "It is behind.", "It is written.", mend=mend),
        Disagreement(ONE, "Its run was stopped.", "It is started.", mend=mend),
        Disagreement(THREE, "Its run was stopped.", "It is started.", mend=mend),
        Disagreement(TWO, "It has two histories.", "The row stays as it is.", "The rest."),
    )

    left = await repaired(tmp_path, monkeypatch, found, apply=True)

    result = capsys.readouterr().out
    assert (left, mend.times) == (1, 3)
    assert f"session/{TWO}: It has two histories.\n  The row stays as it is.\n  Lost: The rest." in result
    assert "2 sessions repaired. Not repaired: 1 session; see above." in result


@pytest.mark.parametrize(
    ("failure", "result"),
    [(Unavailable(), "Temporal does not answer"), (DatabaseUnavailable(), "The database does not")],
)
async def test_an_engine_that_does_not_answer_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failure: Exception, result: str
) -> None:
    with pytest.raises(BackendUnavailable, match=result):
        await repaired(tmp_path, monkeypatch, Found(failure=failure), apply=True)


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
        with pytest.raises(CommandFailed, match="1 of 1"):
            await check_running_sessions(settings_of(environment), limit=10)

    assert capsys.readouterr().out.startswith("session/other: ")


async def test_a_server_that_is_not_there_is_named() -> None:
    with pytest.raises(BackendUnavailable, match="UNDERSIGN_TEMPORAL_ADDRESS"):
        await check_running_sessions(Settings(temporal_address="127.0.0.1:1"), limit=10)
