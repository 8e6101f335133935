"""What sessions have left behind in Temporal: the events and activities of all runs that are about them."""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field

from temporalio.api.enums.v1 import EventType
from temporalio.client import Client


@dataclass
class Runs:
    """The runs about one session: `events` by kind, `activities` by type, `runs` by type of workflow."""

    events: Counter[str] = field(default_factory=Counter)
    activities: Counter[str] = field(default_factory=Counter)
    runs: Counter[str] = field(default_factory=Counter)
    size: int = 0
    """Bytes of their histories."""


async def open_runs(address: str) -> set[str]:
    """Returns the identifiers of the workflows that are running."""
    client = await Client.connect(address)
    return {run.id async for run in client.list_workflows("ExecutionStatus = 'Running'")}


async def runs_by_session(address: str, session_ids: Collection[str]) -> dict[str, Runs]:
    """Returns all runs in the namespace whose identifier or start names the session: its own, deliveries, erasures.

    Payloads must not be encrypted.
    """
    client = await Client.connect(address)
    found = {session_id: Runs() for session_id in session_ids}
    async for run in client.list_workflows():
        history = await client.get_workflow_handle(run.id, run_id=run.run_id).fetch_history()
        start = run.id.encode() + history.events[0].SerializeToString()
        for session_id in session_ids:
            if session_id.encode() in start:
                _add(found[session_id], run.workflow_type, history.events)
    return found


def _add(runs: Runs, workflow_type: str, events: Collection) -> None:
    runs.runs[workflow_type] += 1
    for event in events:
        runs.events[EventType.Name(event.event_type).removeprefix("EVENT_TYPE_").lower()] += 1
        runs.size += event.ByteSize()
        if event.HasField("activity_task_scheduled_event_attributes"):
            runs.activities[event.activity_task_scheduled_event_attributes.activity_type.name] += 1
