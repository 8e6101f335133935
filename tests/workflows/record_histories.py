"""`python -m tests.workflows.record_histories`: records every story, for `test_replay`.

Run it when a path is added. Histories that are there already are never recorded again: they stand for sessions that
run in the field, and must replay for as long as such sessions may exist. A run that takes the steps of one that is kept
is not kept.
"""

import asyncio
import os
import re
import sys
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from datetime import timedelta
from pathlib import Path

from temporalio.client import Client, WorkflowHistory
from temporalio.service import RPCError
from temporalio.testing import WorkflowEnvironment

from adapters.temporal.dev_server import TUNING
from domain.workflow_ids import batch_workflow_id, erasure_id, session_workflow_id
from tests import ROOT
from tests.workflows.batch_stage import batch_stage
from tests.workflows.batch_stories import BATCH_STORIES
from tests.workflows.batch_stories import Story as BatchStory
from tests.workflows.batch_stories import continued as continued_batch
from tests.workflows.post import post
from tests.workflows.servers import CONTINUE_EARLY, dev_server, time_skipping_server
from tests.workflows.stage import set_stage
from tests.workflows.stories import LONG_STORIES, STORIES, TIMED, Story

HISTORIES = ROOT / "tests" / "histories"


def without_machine(history: str) -> str:
    """The history without the names of processes, hosts and folders."""
    history = re.sub(r'("identity": )"[^"]*"', r'\1"worker"', history)
    history = re.sub(r'"[^"]*@[^"@]*-[0-9a-f]{32}"', '"sticky"', history)
    return history.replace(f"{ROOT}/", "")


async def record() -> None:
    HISTORIES.mkdir(exist_ok=True)
    for name, story in STORIES.items():
        await record_story(name, story, time_skipping_server() if name in TIMED else dev_server(*TUNING))
    for name, story in LONG_STORIES.items():
        await record_story(name, story, dev_server(CONTINUE_EARLY))
    for name, story in BATCH_STORIES.items():
        await record_batch(name, story, dev_server(*TUNING))
    await record_batch("batch_continued", continued_batch, dev_server(CONTINUE_EARLY))
    await record_delivery()


async def record_batch(name: str, story: BatchStory, server: AbstractAsyncContextManager[WorkflowEnvironment]) -> None:
    if any(HISTORIES.glob(f"{name}.*json")):
        return
    async with server as environment, batch_stage(environment.client) as stage:
        batch_id = (await story(stage)).batch_id
        keep(name, await histories(environment.client, batch_workflow_id(batch_id)))


async def record_story(name: str, story: Story, server: AbstractAsyncContextManager[WorkflowEnvironment]) -> None:
    if any(HISTORIES.glob(f"{name}.*json")):
        return
    async with server as environment, set_stage(environment.client, environment.sleep) as stage:
        session = (await story(stage)).session_id
        workflows = {"": session_workflow_id, ".erasure": erasure_id}
        for suffix, workflow_id in workflows.items():
            keep(f"{name}{suffix}", await histories(environment.client, workflow_id(session)))


def keep(name: str, runs: Sequence[WorkflowHistory]) -> None:
    """Writes the histories of runs, except those that take the steps of one that is kept."""
    for run, history in enumerate(runs):
        path = HISTORIES / f"{name}{f'.{run + 1}' if run else ''}.json"
        if steps(history) not in map(steps, map(read_history, HISTORIES.glob("*.json"))):
            path.write_text(without_machine(history.to_json()), encoding="utf-8")
            sys.stdout.write(f"recorded {path.name}\n")


def read_history(path: Path) -> WorkflowHistory:
    return WorkflowHistory.from_json(path.stem, path.read_text(encoding="utf-8"))


def steps(history: WorkflowHistory) -> list[tuple[int, str, str, str]]:
    """The type of each event, and the name of the activity, update or marker in it."""
    return [
        (
            event.event_type,
            event.activity_task_scheduled_event_attributes.activity_type.name,
            event.workflow_execution_update_accepted_event_attributes.accepted_request.input.name,
            event.marker_recorded_event_attributes.marker_name,
        )
        for event in history.events
    ]


async def record_delivery() -> None:
    path = HISTORIES / "delivered_after_failures.json"
    if path.exists():
        return
    async with post() as office:
        office.receiver.statuses = [500, 500, 204]
        await office.deliveries.start(office.delivery, timedelta(seconds=5))
        await office.ended()
        path.write_text(without_machine((await office.handle().fetch_history()).to_json()), encoding="utf-8")
    sys.stdout.write(f"recorded {path.name}\n")


async def histories(client: Client, workflow_id: str) -> list[WorkflowHistory]:
    """The histories of the runs that continue each other, from the first."""
    handle = client.get_workflow_handle(workflow_id)
    try:
        run = (await handle.fetch_history()).events[0].workflow_execution_started_event_attributes
    except RPCError:
        return []
    found, next_run = [], run.first_execution_run_id
    while next_run:
        history = await client.get_workflow_handle(workflow_id, run_id=next_run).fetch_history()
        found.append(history)
        next_run = history.events[-1].workflow_execution_continued_as_new_event_attributes.new_execution_run_id
    return found


if __name__ == "__main__":
    asyncio.run(record())
    sys.stdout.flush()
    os._exit(0)
