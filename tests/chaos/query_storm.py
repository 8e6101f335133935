"""Queries of running sessions, many at a time, while faults go on."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta
from random import Random
from threading import Event, Thread

from temporalio.api.common.v1 import WorkflowExecution
from temporalio.api.query.v1 import WorkflowQuery
from temporalio.api.workflowservice.v1 import QueryWorkflowRequest
from temporalio.client import Client
from temporalio.service import RPCError

from workflows.sdk.connection import connect
from workflows.sdk.temporal_settings import TemporalConfig

AT_ONCE = 12
"""Queries that wait at the same time."""

QUERY = "__temporal_workflow_metadata"
"""The query of the Temporal UI, which every workflow answers."""

MAX_PAUSE = 0.1

LISTED_EVERY = 0.5


class QueryStorm(Thread):
    """Queries random running sessions until `stop`, each for one of `timeouts` (seconds).

    `sent` counts the queries by result.
    """

    def __init__(self, address: str, seed: int, timeouts: Sequence[float]) -> None:
        super().__init__(name="query storm", daemon=True)
        self.sent: Counter[str] = Counter()
        self._address, self._random = address, Random(seed)  # noqa: S311  # a schedule, no secret
        self._timeouts = timeouts
        self._running: list[str] = []
        self._enough = Event()

    def stop(self) -> None:
        self._enough.set()
        self.join()

    def run(self) -> None:
        asyncio.run(self._query_all())

    async def _query_all(self) -> None:
        client = await connect(TemporalConfig(self._address), lazy=True)
        await asyncio.gather(self._list_running(client), *(self._query_one_by_one(client) for _ in range(AT_ONCE)))

    async def _list_running(self, client: Client) -> None:
        while not self._enough.is_set():
            with suppress(RPCError, RuntimeError):
                found = client.list_workflows("ExecutionStatus = 'Running' AND WorkflowType = 'SigningSession'")
                self._running = [run.id async for run in found]
            await asyncio.sleep(LISTED_EVERY)

    async def _query_one_by_one(self, client: Client) -> None:
        while not self._enough.is_set():
            if self._running:
                self.sent[await self._query(client)] += 1
            await asyncio.sleep(self._random.uniform(0, MAX_PAUSE))

    async def _query(self, client: Client) -> str:
        request = QueryWorkflowRequest(
            namespace=client.namespace,
            execution=WorkflowExecution(workflow_id=self._random.choice(self._running)),
            query=WorkflowQuery(query_type=QUERY),
        )
        try:
            await client.workflow_service.query_workflow(
                request, timeout=timedelta(seconds=self._random.choice(self._timeouts))
            )
        except RPCError as error:
            return error.status.name.lower()
        except RuntimeError:
            return "unavailable"
        return "answered"
