"""No workflow task takes a result and ends without a command.

The SDK may take such a task and the next one for one, and then runs the updates of the second before the results of the
first: for a worker that does not know the run, after the task had waited for one that had died. Whoever replays the
history later takes them for two again, and may not find the same commands.
"""

from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from temporalio.api.enums.v1 import EventType
from temporalio.api.history.v1 import HistoryEvent
from temporalio.client import WorkflowHistory
from temporalio.testing import WorkflowEnvironment

from domain.session.session import Session
from domain.shared.ids import SessionId
from domain.workflow_ids import session_workflow_id
from tests.builders import created, file, recipient
from tests.workflows.acts import ACT, RESTORE, ask_again, opened_by, signed_by
from tests.workflows.record_histories import HISTORIES, read_history
from tests.workflows.stage import Stage, set_stage
from tests.workflows.waiting import eventually
from workflows.client.replay_check import replayer

Act = Callable[[Stage, Session], Awaitable[Session]]


async def cancelled(stage: Stage, session: Session) -> Session:
    await stage.client.get_workflow_handle(session_workflow_id(session.session_id)).cancel()
    return session


ACTS: dict[str, Act] = {
    "view": lambda stage, session: stage.sessions.act(session, opened_by("ada")),
    "sign": lambda stage, session: stage.sessions.act(session, signed_by("ada")),
    "invite": lambda stage, session: stage.sessions.act(session, ask_again("ada")),
    "archive": lambda stage, session: stage.sessions.act(session, ACT),
    "restore": lambda stage, session: stage.sessions.act(session, RESTORE),
    "cancel": cancelled,
}
STORIES = (
    ("view", "sign"),
    ("view", "view", "invite"),
    ("archive", "restore", "view", "sign"),
    ("archive", "cancel", "restore", "sign"),
    ("cancel", "restore", "view", "archive", "restore", "sign"),
    ("invite", "archive", "restore", "invite"),
)
RESULTS = {
    EventType.EVENT_TYPE_ACTIVITY_TASK_COMPLETED,
    EventType.EVENT_TYPE_ACTIVITY_TASK_FAILED,
    EventType.EVENT_TYPE_ACTIVITY_TASK_CANCELED,
    EventType.EVENT_TYPE_ACTIVITY_TASK_TIMED_OUT,
    EventType.EVENT_TYPE_TIMER_FIRED,
    EventType.EVENT_TYPE_WORKFLOW_EXECUTION_CANCEL_REQUESTED,
}


async def history_of(stage: Stage, session_id: SessionId) -> WorkflowHistory:
    return await stage.client.get_workflow_handle(session_workflow_id(session_id)).fetch_history()


async def at_rest(stage: Stage, session: Session) -> None:
    """Returns when no work is due and no workflow task runs."""
    ended = {EventType.EVENT_TYPE_WORKFLOW_TASK_COMPLETED, EventType.EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED}

    async def is_quiet() -> bool:
        if not await stage.is_at_rest(session):
            return False
        events = (await history_of(stage, session.session_id)).events
        tasks = [event.event_type for event in events if is_of_a_task(event)]
        return tasks[-1] in ended

    await eventually(is_quiet, bool)


def is_of_a_task(event: HistoryEvent) -> bool:
    name = EventType.Name(event.event_type)
    return name.startswith(("EVENT_TYPE_WORKFLOW_TASK", "EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED"))


@pytest.mark.parametrize("acts", STORIES, ids=" ".join)
async def test_no_task_ends_empty_after_acts_on_a_session_at_rest(
    environment: WorkflowEnvironment, acts: tuple[str, ...]
) -> None:
    async with set_stage(environment.client, cached=0) as stage:
        files = (file("One"), file("Two"))
        session = await stage.start(created(recipient("ada"), recipient("grace"), files=files, name=f"{uuid4()}"))
        for act in acts:
            await at_rest(stage, session)
            await ACTS[act](stage, session)
        await at_rest(stage, session)
        history = await history_of(stage, session.session_id)
        replayed = await replayer().replay_workflow(history, raise_on_replay_failure=False)
        assert (replayed.replay_failure, list(empty_ends(history))) == (None, [])


def empty_ends(history: WorkflowHistory) -> Iterator[int]:
    """The numbers of workflow tasks that took a result and ended without a command."""
    took = False
    for event, following in zip(history.events, [*history.events[1:], None], strict=True):
        took |= event.event_type in RESULTS
        if event.event_type == EventType.EVENT_TYPE_WORKFLOW_TASK_COMPLETED:
            if took and following and following.event_type == EventType.EVENT_TYPE_WORKFLOW_TASK_SCHEDULED:
                yield event.event_id
            took = False


@pytest.mark.parametrize("path", sorted(HISTORIES.glob("*.json")), ids=lambda path: path.stem)
def test_no_recorded_task_ends_empty(path: Path) -> None:
    assert list(empty_ends(read_history(path))) == []
