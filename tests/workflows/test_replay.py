"""Sessions that earlier code started continue under this code."""

from pathlib import Path

import pytest
from temporalio import workflow
from temporalio.client import WorkflowHistory

from tests.builders import recipient
from tests.workflows.batch_stories import BATCH_STORIES
from tests.workflows.record_histories import HISTORIES, read_history, steps
from tests.workflows.servers import dev_server
from tests.workflows.stage import set_stage
from tests.workflows.stories import LONG_STORIES, STORIES
from tests.workflows.waiting import eventually
from workflows.client.replay_check import ReplayReport, TemporalUnreachable, replay_running, replayer, short_message
from workflows.sdk.temporal_settings import TemporalConfig
from workflows.workflow_types import CALLBACK_WORKFLOWS, WORKFLOW_TYPES, WORKFLOWS

RECORDED = sorted(HISTORIES.glob("*.json"))


def read(path: Path, replacing: tuple[str, str] = ("\0", "")) -> WorkflowHistory:
    return WorkflowHistory.from_json(path.stem, path.read_text(encoding="utf-8").replace(*replacing))


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
async def test_a_recorded_history_replays(path: Path) -> None:
    history = read(path)
    assert (await replayer().replay_workflow(history, raise_on_replay_failure=False)).replay_failure is None


def test_every_story_has_been_recorded() -> None:
    assert {
        path.stem.partition(".")[0] for path in RECORDED
    } >= STORIES.keys() | LONG_STORIES.keys() | BATCH_STORIES.keys()


def test_no_two_histories_take_the_same_steps() -> None:
    found = [steps(read_history(path)) for path in RECORDED]
    assert [path.stem for path, taken in zip(RECORDED, found, strict=True) if found.count(taken) > 1] == []


async def test_a_history_of_other_code_does_not_replay() -> None:
    other = read(HISTORIES / "signed_in_order.json", ('"generate_document"', '"write_letter"'))
    result = await replayer().replay_workflow(other, raise_on_replay_failure=False)
    assert result.replay_failure is not None
    assert "write_letter" in short_message(result.replay_failure)


async def test_running_sessions_of_a_server_are_replayed() -> None:
    async with dev_server() as environment, set_stage(environment.client) as stage:
        for number in range(3):
            await stage.send(recipient("ada"), name=f"Agreement {number}")
        address = environment.client.service_client.config.target_host

        async def replayed() -> ReplayReport:
            return await replay_running(TemporalConfig(address), limit=2)

        assert await eventually(replayed, lambda found: found.total == 2) == ReplayReport(2, ())


async def test_a_server_that_does_not_answer_is_named() -> None:
    with pytest.raises(TemporalUnreachable):
        await replay_running(TemporalConfig("127.0.0.1:1"), limit=1)


def test_every_workflow_has_its_name_in_the_registry() -> None:
    assert (
        tuple(workflow._Definition.must_from_class(cls).name for cls in (*WORKFLOWS, *CALLBACK_WORKFLOWS))
        == WORKFLOW_TYPES
    )
