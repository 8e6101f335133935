"""`/healthz` and `/readyz`: whether the process is alive, and whether its dependencies respond (Specification 4.22)."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from functools import partial
from typing import Literal
from urllib.parse import urlsplit
from uuid import UUID

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field
from pydantic.config import JsonDict
from starlette.exceptions import HTTPException

from adapters.database.schema_migration import SchemaState
from adapters.object_store.local import LocalObjectStore
from api.health.metrics import comes_through_proxy
from application.checks import Check, CheckFailed, SingleFlight
from application.schemas.errors import ErrorRead
from application.session_actions import SessionActions
from domain.installation import Difference
from domain.ports.mail import Mailer
from domain.ports.object_store import ObjectStore
from domain.ports.temporal import TaskQueues
from domain.shared.version import VERSION
from web.asgi.client_address import ForwardedFor, use_of_forwarded_for
from web.asgi.dependencies import InjectedServices
from web.asgi.query_validation import BodilessRoute
from workflows.client.namespace_check import QUEUES


class Alive(BaseModel):
    """The process is running."""

    status: Literal["alive"] = Field("alive", description="Always `alive`.")
    version: str = Field(description="Version of the service.")
    forwarded_for: ForwardedFor = Field(
        alias="forwardedFor",
        description="`used`: the address of the client is that in `X-Forwarded-For`. `ignored`: the header is of a "
        "proxy that is not in `UNDERSIGN_TRUSTED_PROXIES`. `absent`: the request has no such header.",
    )


class DependencyRead(BaseModel):
    """A dependency of the service."""

    name: str = Field(
        description="`database`, `storage`, `temporal`, `keys`, `installation`, `workers/` and a task queue, `runs`, "
        "`rate-limits` with a Redis, `mail`, or `timestamps` with a timestamp authority.",
        examples=["database", "workers/sessions"],
    )
    ready: bool = Field(description="Whether the dependency responds.")
    needed: bool = Field(description="Whether the service is unavailable without it. Other work is done later.")
    advice: str | None = Field(description="What to do if the dependency is not ready; null if it is.")


class Ready(BaseModel):
    """All dependencies that the service needs respond."""

    status: Literal["ready"] = Field("ready", description="Always `ready`.")
    dependencies: list[DependencyRead] = Field(description="All dependencies.")


_MESSAGE = "Something that the service needs does not answer; `dependencies` says what, and what to do."
_MAIL: JsonDict = {"name": "mail", "ready": False, "needed": False, "advice": "Look at the mail server's address."}


class NotReady(ErrorRead):
    """The error if a needed dependency does not respond, with all dependencies."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"message": _MESSAGE, "error": "UNAVAILABLE", "dependencies": [_MAIL]}]}
    )

    message: str = Field(_MESSAGE, description="What is wrong and what to do next.")
    error: str = Field("UNAVAILABLE", description="Error code.")
    dependencies: list[DependencyRead] = Field(description="All dependencies.")


router = APIRouter(route_class=BodilessRoute, tags=["Operation"])

AT_ONCE, SOON, LATER = 2.0, 10.0, 60.0
"""Seconds for which a result is cached: of backends; of keys and workers; of external servers."""

_ABSENT = f"readiness/{UUID(int=0)}"
"""The name of an object that never exists: looking it up shows that the store responds."""

_MAX_NAMED = 5
_FAILING_ADVICE = (
    "Start the version of the workers that ran before, then `undersign replay` under the new one; "
    "see docs/workflow-changes.md."
)

_PORTS = {"https": 443, "http": 80}


Schema = Callable[[], Awaitable[SchemaState]]
"""Reads the schema of the database."""


MIGRATIONS = {
    SchemaState.OLDER: "Its tables are older: start a process of this version, which migrates them.",
    SchemaState.MISSING: "It has no tables: start a process of this version, which creates them.",
}


@router.get("/healthz")
async def get_health(request: Request) -> Alive:
    """Returns 200 while the process is alive, for probes and load balancers.

    The endpoint responds once the process has started. The start requires the database.
    """
    return Alive(version=VERSION, forwardedFor=use_of_forwarded_for(request))


@router.get(
    "/readyz",
    responses={
        404: {"model": ErrorRead, "description": "`NOT_FOUND`: the request came through a proxy"},
        503: {"model": NotReady, "description": "`UNAVAILABLE`"},
    },
)
async def get_readiness(request: Request, services: InjectedServices, response: Response) -> Ready | NotReady:
    """Returns whether each dependency of the service responds. Results are cached for some seconds.

    The endpoint is for people and alerts, not for load balancers: all processes share their backends, so all of them
    return 503 at the same time. Send the request directly to a process of the API: a request through a proxy gets 404.
    """
    if comes_through_proxy(request):
        raise HTTPException(404)
    results = await services.readiness.results()
    rows = [DependencyRead(name=one.name, ready=one.is_ready, needed=one.needed, advice=one.advice) for one in results]
    if all(result.is_ready for result in results if result.needed):
        return Ready(dependencies=rows)
    response.status_code = 503
    return NotReady(dependencies=rows)


def backend_checks(
    schema: Schema, objects: ObjectStore, sessions: SessionActions, keys: Callable[[], None]
) -> Iterator[Check]:
    """Yields the checks of what each request needs. `keys` reads the key files, and raises for an unusable one."""
    yield Check(
        "database",
        partial(_check_schema, schema),
        "Check that the database at UNDERSIGN_DATABASE_URL runs and can be reached, or the disk of the data directory.",
        needed=True,
        remembered=AT_ONCE,
    )
    yield Check(
        "storage",
        SingleFlight(partial(_check_storage, objects)),
        "Check UNDERSIGN_OBJECT_STORE and its credentials, or the disk of the data directory.",
        needed=True,
        remembered=AT_ONCE,
    )
    yield Check(
        "temporal",
        sessions.check,
        "Check that Temporal at UNDERSIGN_TEMPORAL_ADDRESS runs and can be reached; reads work, writes wait.",
        needed=True,
        remembered=AT_ONCE,
    )
    yield Check(
        "keys",
        partial(asyncio.to_thread, keys),
        "Restore the key files in keys/ of the data directory from a backup, readable by this process.",
        needed=True,
        remembered=SOON,
    )


def installation_check(find_differences: Callable[[], Awaitable[Sequence[Difference]]]) -> Check:
    """Returns the check that this process has the keys, settings and namespace of its installation."""
    return Check(
        "installation",
        partial(_check_installation, find_differences),
        "The check needs the database and the key files; see database and keys.",
        needed=True,
        remembered=SOON,
    )


def worker_checks(queues: TaskQueues) -> Iterator[Check]:
    """Yields a check for each task queue. Without a worker, its work waits."""
    for queue in QUEUES:
        advice = "Temporal does not say who polls this queue; see temporal."
        yield Check(f"workers/{queue}", partial(_check_workers, queues, queue), advice, remembered=SOON)
    yield Check("runs", partial(_check_runs, queues), "Temporal does not say; see temporal.", remembered=SOON)


async def _check_runs(queues: TaskQueues) -> None:
    if failing := await queues.failing_runs(_MAX_NAMED):
        problem = f"The workers cannot continue {', '.join(failing)}."
        raise CheckFailed(problem, f"{problem} {_FAILING_ADVICE}")


def server_checks(
    mailer: Mailer,
    timestamps: str | None = None,
    find_redis_problem: Callable[[], Awaitable[str | None]] | None = None,
) -> Iterator[Check]:
    """Yields the checks of external servers. Work that waits for them is retried automatically."""
    if find_redis_problem is not None:
        yield Check(
            "rate-limits",
            partial(_check_redis, find_redis_problem),
            "Check that the Redis at UNDERSIGN_RATE_LIMIT_STORAGE can be reached; each process counts requests alone.",
            remembered=SOON,
        )
    yield Check(
        "mail",
        mailer.check,
        "Check that the mail server at UNDERSIGN_SMTP_URL can be reached, or the outbox be written; mails wait. "
        "undersign doctor says more.",
        remembered=LATER,
    )
    if timestamps is not None:
        yield Check(
            "timestamps",
            partial(_connect, timestamps),
            "Check that the timestamp authority at UNDERSIGN_TIMESTAMP_URL can be reached; missing timestamps are "
            "added later.",
            remembered=LATER,
        )


async def _check_storage(objects: ObjectStore) -> None:
    await objects.find(_ABSENT)
    if isinstance(objects, LocalObjectStore):  # a bucket is never full, and writes to it cost money
        await objects.probe()


async def _check_schema(schema: Schema) -> None:
    if problem := MIGRATIONS.get(await schema()):
        raise CheckFailed(problem, problem)


async def _check_installation(find_differences: Callable[[], Awaitable[Sequence[Difference]]]) -> None:
    if found := await find_differences():
        raise CheckFailed(str(found[0]), " ".join(map(str, found)))


async def _check_redis(find_problem: Callable[[], Awaitable[str | None]]) -> None:
    if problem := await find_problem():
        raise CheckFailed(problem)


async def _check_workers(queues: TaskQueues, queue: str) -> None:
    if problem := (await queues.poller_status(queue)).problem:
        raise CheckFailed(problem, problem)


async def _connect(address: str) -> None:
    """Opens a connection, and requests nothing, because timestamps may cost money."""
    parts = urlsplit(address)
    _, writer = await asyncio.open_connection(parts.hostname, parts.port or _PORTS.get(parts.scheme))
    writer.close()
