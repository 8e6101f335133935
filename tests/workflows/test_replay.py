"""Sessions that were begun by earlier code go on under this code."""

from pathlib import Path

import pytest
from temporalio.client import WorkflowHistory
from temporalio.contrib.pydantic import pydantic_data_converter
from temporalio.worker import Replayer

from tests.workflows.record_histories import HISTORIES
from tests.workflows.stories import LONG_STORIES, STORIES
from workflows.closed_session import ClosedSessionWorkflow
from workflows.erasure import ErasureWorkflow
from workflows.safe_updates import SafeUpdates
from workflows.signing_session import SigningSessionWorkflow

RECORDED = sorted(HISTORIES.glob("*.json"))


def replayer() -> Replayer:
    return Replayer(
        workflows=[SigningSessionWorkflow, ClosedSessionWorkflow, ErasureWorkflow],
        data_converter=pydantic_data_converter,
        interceptors=[SafeUpdates()],
    )


def read(path: Path, replacing: tuple[str, str] = ("\0", "")) -> WorkflowHistory:
    return WorkflowHistory.from_json(path.stem, path.read_text(encoding="utf-8").replace(*replacing))


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
async def test_a_recorded_history_replays(path: Path) -> None:
    history = read(path)
    result = await replayer().replay_workflow(history, raise_on_replay_failure=False)
    assert result.replay_failure is None


def test_every_story_has_been_recorded() -> None:
    assert {path.stem for path in RECORDED} >= STORIES.keys() | LONG_STORIES.keys()


async def test_a_history_of_other_code_does_not_replay() -> None:
    other = read(HISTORIES / "signed_in_order.json", ('"send_invitation"', '"send_letter"'))
    result = await replayer().replay_workflow(other, raise_on_replay_failure=False)
    assert result.replay_failure is not None
