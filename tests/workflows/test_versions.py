"""Versions of the workers' code: the current one gets the work, and running sessions go on under the next."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from uuid import uuid4

import pytest
from temporalio.api.workflowservice.v1 import SetWorkerDeploymentCurrentVersionRequest
from temporalio.client import Client
from temporalio.service import RPCError
from temporalio.testing import WorkflowEnvironment
from temporalio.worker import Worker

from activities.interface import DOCUMENTS_QUEUE, SESSIONS_QUEUE
from domain.ports.temporal import PollerStatus
from domain.session.session import Session
from domain.workflow_ids import session_workflow_id
from tests.builders import created, recipient
from tests.fakes.effects import FakeEffects
from tests.workflows.acts import signed_by
from tests.workflows.servers import dev_server
from tests.workflows.stage import FreshSessions, Stage, _real_time, patience
from tests.workflows.waiting import eventually
from worker import deployment_config
from workflows.client.namespace_check import TemporalTaskQueues
from workflows.client.runs import TemporalRuns
from workflows.sdk.interceptors import SafeUpdates
from workflows.workflow_types import WORKFLOWS


@asynccontextmanager
async def version(client: Client, build: str, effects: FakeEffects) -> AsyncIterator[None]:
    """Workers of that build."""
    deployment = deployment_config("undersign", build)
    light = Worker(
        client,
        task_queue=SESSIONS_QUEUE,
        workflows=WORKFLOWS,
        activities=effects.light(),
        interceptors=[SafeUpdates()],
        deployment_config=deployment,
    )
    heavy = Worker(
        client,
        task_queue=DOCUMENTS_QUEUE,
        activities=[effects.generate_document, effects.augment_seal],
        deployment_config=deployment,
    )
    async with light, heavy:
        yield


async def make_current(client: Client, build: str, deployment: str = "undersign") -> None:
    """As `temporal worker deployment set-current-version`, as soon as its workers are known."""

    async def tried() -> bool:
        request = SetWorkerDeploymentCurrentVersionRequest(
            namespace=client.namespace, deployment_name=deployment, build_id=build, identity="a test"
        )
        try:
            await client.workflow_service.set_worker_deployment_current_version(request)
        except RPCError:
            return False
        return True

    await eventually(tried, bool)


async def build_of(client: Client, session: Session) -> str:
    """Under which build the session's run did its latest step."""
    described = await client.get_workflow_handle(session_workflow_id(session.session_id)).describe()
    info = described.raw_description.workflow_execution_info.versioning_info
    return str(info.deployment_version.build_id)


async def test_a_running_session_continues_under_the_current_version() -> None:
    first, second = FakeEffects(), FakeEffects()
    async with dev_server() as environment:
        client = environment.client
        runs = TemporalRuns(client)
        stage = Stage(client, FreshSessions(runs, first.rows), runs, first, _real_time)
        async with AsyncExitStack() as old, AsyncExitStack() as new:
            old.enter_context(patience())
            await old.enter_async_context(version(client, "1.0", first))
            await make_current(client, "1.0")
            session = await stage.start(created(recipient("ada"), name=f"Agreement {uuid4()}"))
            await eventually(lambda: _count(first.invited), lambda found: found == 1)
            await new.enter_async_context(version(client, "1.1", second))
            await make_current(client, "1.1")
            await old.aclose()
            with patience():
                await stage.sessions.act(session, signed_by("ada"))
            await eventually(lambda: _count(second.generated), lambda found: found == 1)
            build = await build_of(client, session)

    assert build == "1.1"
    assert first.generated == []


async def _count(found: list[object]) -> int:
    return len(found)


@pytest.mark.parametrize(("name", "build"), [(None, None), ("undersign", None), (None, "1.0")])
def test_without_a_name_and_a_build_workers_take_everything(name: str | None, build: str | None) -> None:
    assert deployment_config(name, build) is None


async def test_workers_of_another_version_than_the_current_one_do_not_count(environment: WorkflowEnvironment) -> None:
    client, queue, effects = environment.client, f"sessions-{uuid4()}", FakeEffects()
    queues = TemporalTaskQueues(client)

    def worker(build: str | None) -> Worker:
        deployment = deployment_config(queue, build)
        return Worker(
            client,
            task_queue=queue,
            workflows=WORKFLOWS,
            activities=effects.light(),
            deployment_config=deployment,
            identity=build or "plain",
        )

    async with worker(None):
        plain = await eventually(lambda: queues.poller_status(queue), lambda found: found.workers + found.others == 1)
        async with worker("1.0"):
            await make_current(client, "1.0", queue)
            both = await eventually(
                lambda: queues.poller_status(queue), lambda found: found.current is not None and found.last
            )

    assert (plain.workers, plain.others, plain.problem) == (1, 0, None)
    assert (both.workers, both.others, both.current, both.problem) == (1, 1, f"{queue}.1.0", None)


@pytest.mark.parametrize(
    ("polled", "told"),
    [
        (PollerStatus(0), "start one"),
        (PollerStatus(0, others=3, current="undersign.1.4.0"), "workers of version undersign.1.4.0"),
        (PollerStatus(0, others=3), "workers of no version"),
    ],
)
def test_a_queue_without_workers_has_a_problem_with_its_reason(polled: PollerStatus, told: str) -> None:
    assert polled.problem is not None
    assert told in polled.problem
