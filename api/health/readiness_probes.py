"""What the API asks of each dependency to know that it is ready."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from urllib.parse import urlsplit
from uuid import UUID

from adapters.database.schema_version import SchemaState
from application.readiness import Dependency, NotReady, SingleFlight
from application.sessions.session_actions import SessionActions
from ports.mail import Mailer
from ports.object_store import ObjectStore
from ports.temporal import TaskQueues
from workflows.client.namespace_check import QUEUES

NOTHING = str(UUID(int=0))
"""An identifier under which there is never anything: looking it up proves that an engine answers."""

AT_ONCE, SOON, LATER = 2.0, 10.0, 60.0
"""Seconds for which an answer counts: of engines, of workers, and of servers that are not ours."""

_PORTS = {"https": 443, "http": 80}

Schema = Callable[[], Awaitable[SchemaState]]
"""Reads the schema of the database."""

MIGRATIONS = {
    SchemaState.OLDER: "Its tables are older: start a process of this version, which brings them up to date.",
    SchemaState.MISSING: "It has no tables: start a process of this version, which makes them.",
}


def engines(
    schema: Schema, objects: ObjectStore, sessions: SessionActions, keys: Callable[[], None]
) -> Iterator[Dependency]:
    """Without which the service cannot answer. `keys` reads the key files, and raises if one is not whole."""
    yield Dependency(
        "database",
        partial(_has_schema, schema),
        "Let the database at UNDERSIGN_DATABASE_URL run and be reached, or look at the disk of the data directory.",
        needed=True,
        remembered=AT_ONCE,
    )
    yield Dependency(
        "storage",
        SingleFlight(lambda: objects.find(f"readiness/{NOTHING}")),
        "Let UNDERSIGN_OBJECT_STORE be reached with its credentials, or look at the disk of the data directory.",
        needed=True,
        remembered=AT_ONCE,
    )
    yield Dependency(
        "temporal",
        sessions.check,
        "Let the Temporal server at UNDERSIGN_TEMPORAL_ADDRESS run and be reached; reads go on, writes wait.",
        needed=True,
        remembered=AT_ONCE,
    )
    yield Dependency(
        "keys",
        lambda: asyncio.to_thread(keys),
        "Put the key files in keys/ of the data directory back from a backup, and let this process read them.",
        needed=True,
        remembered=SOON,
    )


def workers(queues: TaskQueues) -> Iterator[Dependency]:
    """One for each task queue: without it its work waits, and is done when one comes."""
    for queue in QUEUES:
        yield Dependency(
            f"workers/{queue}",
            partial(_has_workers, queues, queue),
            "Temporal does not say who polls this queue; see temporal.",
            needed=False,
            remembered=SOON,
        )


def servers(mailer: Mailer, timestamps: str | None) -> Iterator[Dependency]:
    """Of others: what they hold up is tried again by itself."""
    yield Dependency(
        "mail",
        mailer.check,
        "Let the mail server at UNDERSIGN_SMTP_URL be reached, or the outbox be written; mails wait. "
        "undersign doctor says more.",
        needed=False,
        remembered=LATER,
    )
    if timestamps is not None:
        yield Dependency(
            "timestamps",
            partial(_reach, timestamps),
            "Let the timestamp authority at UNDERSIGN_TIMESTAMP_URL be reached; seals are raised when it is back.",
            needed=False,
            remembered=LATER,
        )


async def _has_schema(schema: Schema) -> None:
    problem = MIGRATIONS.get(await schema())
    if problem:
        raise NotReady(problem)


async def _has_workers(queues: TaskQueues, queue: str) -> None:
    if problem := (await queues.poller_status(queue)).problem:
        raise NotReady(problem)


async def _reach(address: str) -> None:
    """Opens a connection, and asks for nothing: timestamps may cost something."""
    parts = urlsplit(address)
    _, writer = await asyncio.open_connection(parts.hostname, parts.port or _PORTS.get(parts.scheme))
    writer.close()
