"""The Temporal workers of one process: which task queues it serves, how much of each it does at once, under which name.

`worker.py` starts them and lets them end.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from temporalio.client import Client
from temporalio.common import VersioningBehavior, WorkerDeploymentVersion
from temporalio.worker import FixedSizeSlotSupplier, Worker, WorkerDeploymentConfig, WorkerTuner

from activities.alerting import Alerting
from activities.announcing import Announcer
from activities.delivering import Delivering
from activities.erasing import Erasing
from activities.generating import Generating
from activities.interface import CALLBACKS_QUEUE, DOCUMENTS_QUEUE, FAILING_QUEUE, SESSIONS_QUEUE
from activities.inviting import Inviting
from activities.raising import Raising
from activities.recording import Recording
from adapters.temporal.yielding import YieldingSlots
from workflows.choice import Shifts
from workflows.registry import DELIVERIES, WORKFLOWS
from workflows.safe_updates import SafeUpdates

GRACE = timedelta(seconds=20)
"""How long activities under way may take to end when the worker is stopped; what does not is done by another."""

STICKY_TIMEOUT = timedelta(seconds=1)
"""After a worker was killed, the first query of a session that it held waits this long for it (default: 10 s)."""

FAILING_AT_ONCE = 10
"""Steps of deliveries to receivers that fail which are taken at the same time; each is over in a moment."""

DELIVERIES_CACHED = 50
"""Deliveries that are remembered between two tries; most wait for hours, and are quickly read again."""


@dataclass(frozen=True, slots=True)
class Effects:
    """The activities with their collaborators."""

    recording: Recording
    inviting: Inviting
    generating: Generating
    raising: Raising
    erasing: Erasing
    delivering: Delivering
    alerting: Alerting
    announcer: Announcer


def make_workers(client: Client, effects: Effects, shifts: Shifts) -> tuple[Worker, ...]:
    """One worker for sessions and short effects, one for documents, two for callbacks; those that are asked for."""
    return tuple(_workers(client, effects, shifts))


def _workers(client: Client, effects: Effects, shifts: Shifts) -> Iterator[Worker]:
    for_all: dict[str, Any] = {"graceful_shutdown_timeout": GRACE, "deployment_config": deployment_of(shifts)}
    if "sessions" in shifts.queues:
        yield _sessions(client, effects, shifts, for_all)
    if "documents" in shifts.queues:
        yield Worker(
            client,
            task_queue=DOCUMENTS_QUEUE,
            activities=[effects.generating.generate_document, effects.raising.raise_seal],
            max_concurrent_activities=shifts.documents,
            **for_all,
        )
    if "callbacks" in shifts.queues:
        yield Worker(
            client,
            task_queue=CALLBACKS_QUEUE,
            workflows=DELIVERIES,
            activities=[effects.delivering.deliver_callback],
            max_concurrent_activities=shifts.callbacks,
            max_cached_workflows=DELIVERIES_CACHED,
            **for_all,
        )
        yield _failing(client, effects.delivering, shifts, for_all)


def _sessions(client: Client, effects: Effects, shifts: Shifts, for_all: dict[str, Any]) -> Worker:
    return Worker(
        client,
        task_queue=SESSIONS_QUEUE,
        workflows=WORKFLOWS,
        activities=[
            effects.recording.record_session,
            effects.inviting.issue_link,
            effects.inviting.send_invitation,
            effects.inviting.send_reminder,
            effects.inviting.send_notice,
            effects.recording.load_session,
            effects.erasing.bury_session,
            effects.erasing.erase_objects,
            effects.erasing.erase_histories,
            effects.erasing.issue_receipt,
            effects.alerting.find_people,
            effects.alerting.send_pause_mail,
        ],
        interceptors=[SafeUpdates()],
        max_concurrent_activities=shifts.sessions,
        max_cached_workflows=shifts.sessions_cached,
        sticky_queue_schedule_to_start_timeout=STICKY_TIMEOUT,
        **for_all,
    )


def _failing(client: Client, delivering: Delivering, shifts: Shifts, for_all: dict[str, Any]) -> Worker:
    """The worker for deliveries to receivers that fail, which lets the others go first."""
    return Worker(
        client,
        task_queue=FAILING_QUEUE,
        workflows=DELIVERIES,
        activities=[delivering.deliver_callback],
        tuner=WorkerTuner.create_composite(
            workflow_supplier=YieldingSlots(FAILING_AT_ONCE),
            activity_supplier=FixedSizeSlotSupplier(shifts.callbacks),
            local_activity_supplier=FixedSizeSlotSupplier(1),
            nexus_supplier=FixedSizeSlotSupplier(1),
        ),
        max_cached_workflows=DELIVERIES_CACHED,
        **for_all,
    )


def deployment_of(shifts: Shifts) -> WorkerDeploymentConfig | None:
    """Sessions live for years: they go on under whichever version is the current one, and are pinned to none."""
    if shifts.deployment is None or shifts.build is None:
        return None
    return WorkerDeploymentConfig(
        version=WorkerDeploymentVersion(shifts.deployment, shifts.build),
        use_worker_versioning=True,
        default_versioning_behavior=VersioningBehavior.AUTO_UPGRADE,
    )
