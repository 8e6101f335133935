"""`make bench-sessions`: what a session of two recipients costs against an empty workflow of as many steps, and what
memory a worker has after thousands of them. Writes `build/bench-sessions.json` too.

Both run on one Temporal server and in one process, in turns. Its effects are fakes: what is measured is the state
machine, its messages and its history.
"""

import argparse
import asyncio
import gc
import json
import logging
import os
import resource
import sys
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from uuid import uuid4

from temporalio.client import Client
from temporalio.worker import Worker

from activities.interface import DOCUMENTS_QUEUE, SESSIONS_QUEUE
from adapters.temporal.dev_server import TUNING
from domain.session import SessionStatus
from tests.bench import empty_session
from tests.builders import created
from tests.fakes.effects import FakeEffects
from tests.workflows.acts import ACT, opened_by, signed_by
from tests.workflows.servers import dev_server
from tests.workflows.waiting import eventually
from workflows import client as sessions_client
from workflows import newest
from workflows.client import TemporalSessions
from workflows.messages import SessionStart
from workflows.newest import newest_events
from workflows.registry import WORKFLOWS
from workflows.safe_updates import SafeUpdates

RESULT = Path(__file__).parents[2] / "build" / "bench-sessions.json"
AT_ONCE = 10
"""Sessions that are under way together."""

Live = Callable[[], Awaitable[None]]


class ForgetfulEffects(FakeEffects):
    """Keeps nothing of what it was asked, so that memory is the worker's own."""

    def _fail_if_due(self, name: str) -> None:
        for kept in (self.recorded, self.events, self.invited, self.generated):
            kept.clear()


async def live_session(client: Client) -> None:
    """One session of two recipients, from its draft to its document."""
    sessions = TemporalSessions(client)
    step = created(name=f"Agreement {uuid4()}")
    session = await sessions.start(SessionStart(session=step.session, events=step.events))
    await sessions.send(session, ACT)
    for number, who in enumerate(("ada", "grace")):
        await eventually(
            lambda: sessions.snapshot(session.session_id),
            lambda now, n=number: now.recipients[n].invitation.link_hash is not None,
        )
        await sessions.view(session, opened_by(who))
        await sessions.sign(session, signed_by(who))
    await eventually(
        lambda: sessions.snapshot(session.session_id),
        lambda now: now.status is SessionStatus.COMPLETED_AND_GENERATED,
    )


async def live_empty(client: Client) -> None:
    handle = await empty_session.live(client, f"empty/{uuid4()}")
    for _ in range(3):  # as many reads as are made of a session
        await anext(newest_events(client, handle.id))


async def batch(live: Live, count: int) -> tuple[float, float]:
    """Milliseconds of wall clock and of this process's CPU, for each of `count`."""
    waiting = asyncio.Semaphore(AT_ONCE)

    async def one() -> None:
        async with waiting:
            await live()

    wall, cpu = perf_counter(), process_time()
    await asyncio.gather(*(one() for _ in range(count)))
    return (perf_counter() - wall) * 1000 / count, (process_time() - cpu) * 1000 / count


async def cost(client: Client, rounds: int, count: int) -> dict[str, object]:
    """Medians, and the median of the ratios within each round."""
    taken: list[tuple[tuple[float, float], tuple[float, float]]] = []
    await batch(lambda: live_session(client), count)
    await batch(lambda: live_empty(client), count)
    for number in range(rounds):
        pair = [lambda: live_session(client), lambda: live_empty(client)]
        order = (0, 1) if number % 2 == 0 else (1, 0)
        found = {which: await batch(pair[which], count) for which in order}
        taken.append((found[0], found[1]))
    return {
        "session, ms": round(median(session[0] for session, _ in taken), 1),
        "empty, ms": round(median(empty[0] for _, empty in taken), 1),
        "session, ms of CPU": round(median(session[1] for session, _ in taken), 1),
        "empty, ms of CPU": round(median(empty[1] for _, empty in taken), 1),
        "ratio of time (goal 1.5)": round(median(session[0] / empty[0] for session, empty in taken), 2),
        "ratio of CPU": round(median(session[1] / empty[1] for session, empty in taken), 2),
    }


async def events(client: Client) -> dict[str, object]:
    """The length of one history of each kind."""
    found = {}
    for name, prefix in (("session", "session/"), ("empty", "empty/")):
        run = await anext(aiter(client.list_workflows(f"WorkflowId STARTS_WITH '{prefix}'", limit=1)))
        history = await client.get_workflow_handle(run.id).fetch_history()
        found[name] = f"{len(history.events)} events, {sum(event.ByteSize() for event in history.events)} bytes"
    return found


async def memory(client: Client, sessions: int) -> dict[str, object]:
    """MB resident after each tenth of so many sessions."""
    found: dict[str, object] = {}
    for tenth in range(1, 11):
        await batch(lambda: live_session(client), sessions // 10)
        gc.collect()
        found[f"after {tenth * sessions // 10} sessions, MB"] = resident()
    return found


def resident() -> int:
    """MB of this process now."""
    status = Path("/proc/self/statm")
    if status.exists():
        return int(status.read_text().split()[1]) * resource.getpagesize() // 1_000_000
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1000


async def measure(rounds: int, count: int, many: int) -> dict[str, dict[str, object]]:
    newest.PAGE_TIMEOUT = sessions_client.WRITE_TIMEOUT = timedelta(minutes=1)  # nobody waits here
    effects = ForgetfulEffects()
    async with dev_server(*TUNING) as environment:
        client = environment.client
        light = Worker(
            client,
            task_queue=SESSIONS_QUEUE,
            workflows=[*WORKFLOWS, empty_session.EmptySession],
            activities=[
                *effects.light(),
                empty_session.nothing_nearby,
                empty_session.nothing_recorded,
                empty_session.nothing_mailed,
            ],
            interceptors=[SafeUpdates()],
        )
        heavy = Worker(
            client,
            task_queue=DOCUMENTS_QUEUE,
            activities=[effects.generate_document, empty_session.nothing_generated],
        )
        async with light, heavy:
            found = {"one session of two recipients": await cost(client, rounds, count)}
            found["histories"] = await events(client)
            if many:
                found[f"memory over {many} sessions"] = await memory(client, many)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench-sessions", description=__doc__)
    parser.add_argument("--rounds", type=int, default=7, help="pairs of batches")
    parser.add_argument("--count", type=int, default=40, help="sessions in a batch")
    parser.add_argument("--many", type=int, default=5000, help="sessions over which memory is watched; 0: none")
    asked = parser.parse_args()
    logging.disable()
    found = asyncio.run(measure(asked.rounds, asked.count, asked.many))
    for name, facts in found.items():
        print(f"\n{name}")
        for line, value in facts.items():
            print(f"  {line:<34} {value}")
    RESULT.parent.mkdir(exist_ok=True)
    RESULT.write_text(json.dumps(found, indent=2) + "\n", "utf-8")
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
