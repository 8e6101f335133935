"""`python -m tests.chaos.workflow_worker ADDRESS`: runs the workflows of sessions, without any activity."""

import asyncio
import sys
from datetime import timedelta

from temporalio.worker import UnsandboxedWorkflowRunner, Worker

from activities.interface import SESSIONS_QUEUE
from workflows.sdk.connection import connect
from workflows.sdk.interceptors import SafeUpdates
from workflows.sdk.temporal_settings import TemporalConfig
from workflows.workflow_types import WORKFLOWS

STICKY_TIMEOUT = timedelta(seconds=1)
"""Shorter than the product's, so that queries go from frozen workers to others more often."""


async def run_worker(address: str) -> None:
    worker = Worker(
        await connect(TemporalConfig(address)),
        task_queue=SESSIONS_QUEUE,
        workflows=WORKFLOWS,
        interceptors=[SafeUpdates()],
        workflow_runner=UnsandboxedWorkflowRunner(),
        sticky_queue_schedule_to_start_timeout=STICKY_TIMEOUT,
    )
    await worker.run()


if __name__ == "__main__":
    asyncio.run(run_worker(sys.argv[1]))
