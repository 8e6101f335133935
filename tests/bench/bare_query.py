"""What reads of sessions are measured against: a route of the same framework that asks a workflow, and nothing else.

Run with `worker TEMPORAL-ADDRESS` or `api TEMPORAL-ADDRESS PORT`, and not as the main module: Temporal's sandbox loads
the module of a workflow by its name.
"""

import asyncio
import os
import sys
from datetime import timedelta

from temporalio import workflow
from temporalio.client import Client
from temporalio.worker import Worker

QUEUE = "bare-queries"
TEXT = "x" * 1_500
"""As many characters as a session of two recipients has in JSON."""


@workflow.defn
class Waiting:
    """A workflow that waits, and answers."""

    @workflow.run
    async def run(self) -> None:
        await workflow.wait_condition(lambda: False)

    @workflow.query
    def state(self) -> str:
        return TEXT


async def work(address: str) -> None:
    client = await Client.connect(address)
    async with Worker(client, task_queue=QUEUE, workflows=[Waiting]):
        await asyncio.sleep(timedelta(hours=1).total_seconds())


async def serve(address: str, port: int) -> None:
    import uvicorn
    from fastapi import FastAPI

    client = await Client.connect(address)
    app = FastAPI()

    @app.get("/bare/{workflow_id}")
    async def ask(workflow_id: str) -> dict[str, str]:
        handle = client.get_workflow_handle_for(Waiting.run, workflow_id)
        return {"state": await handle.query(Waiting.state, rpc_timeout=timedelta(seconds=30))}

    config = uvicorn.Config(app, host="127.0.0.1", port=port, log_config=None, access_log=False, timeout_keep_alive=75)
    await uvicorn.Server(config).serve()


def main() -> None:
    what, address = sys.argv[1:3]
    asyncio.run(work(address) if what == "worker" else serve(address, int(sys.argv[3])))
    os._exit(0)
