"""`make bench-sessions`: what a session of two recipients costs a whole embedded installation, beside the goals.

Two recipients in order, one page, created and sent at once, opened and signed twice, generated. Sessions with a
healthy receiver of callbacks take turns with sessions without one, each kind on an installation of its own, and with
those of another revision (BEFORE=revision) where that one can run. Only HTTP and Temporal's histories are used, so that
both are measured alike. Writes `build/bench-sessions.json` too.
"""

import argparse
import asyncio
import json
import subprocess
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import mean, median
from tempfile import TemporaryDirectory
from time import perf_counter, sleep, thread_time
from typing import Any

from temporalio.api.enums.v1 import EventType
from temporalio.client import Client

from tests import ROOT
from tests.bench.service import Lived, Service, checkout
from tests.end_to_end.waiting import eventually
from tests.load import at_once
from tests.webhook_receiver import WebhookReceiver

RESULT = ROOT / "build" / "bench-sessions.json"
CALLBACKS = 7
"""Of one session: sent, viewed and completed by each of two, completed, generated."""

WARM_UP = 5
CLIENTS = 4
IDLE_SECONDS = 20.0
END_SECONDS = 300.0
"""Limit for the runs after the last session: a minute is usual where a run waits before it ends."""


@dataclass(frozen=True, slots=True)
class Goal:
    """The limit of a figure, at most or at least."""

    limit: float
    at_least: bool = False
    digits: int = 0

    def is_met(self, figure: float) -> bool:
        return figure >= self.limit if self.at_least else figure <= self.limit


GOALS = {
    "events of all runs": Goal(72),
    "activities": Goal(7),
    "events that seven callbacks add": Goal(10),
    "processor time, in pieces of fixed work": Goal(2.5, digits=2),
    "the same that seven callbacks add": Goal(0.6, digits=2),
    "sessions a second, four clients": Goal(4, at_least=True, digits=2),
    "create, p50 in ms": Goal(100),
    "open the link, p50 in ms": Goal(60),
    "sign, p50 in ms": Goal(90),
}


@dataclass
class Runs:
    """The runs about one session: `events` by kind, `activities` by type."""

    events: Counter[str] = field(default_factory=Counter)
    activities: Counter[str] = field(default_factory=Counter)


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
                _add(found[session_id], history.events)
    return found


def _add(runs: Runs, events: Collection[Any]) -> None:
    for event in events:
        runs.events[EventType.Name(event.event_type).removeprefix("EVENT_TYPE_").lower()] += 1
        if event.HasField("activity_task_scheduled_event_attributes"):
            runs.activities[event.activity_task_scheduled_event_attributes.activity_type.name] += 1


def fixed_work() -> float:
    """Returns the processor time of a fixed piece of pure Python, in seconds.

    About 0.125 on a quiet core of an EPYC machine, and 0.25 where other work shares that core: what a session takes
    grows alike.
    """
    began = thread_time()
    counts: dict[str, int] = {}
    for number in range(400_000):
        key = f"{number % 997:04}"
        counts[key] = counts.get(key, 0) + number * number % 7
    return thread_time() - began


@dataclass
class Measured:
    """An installation, the sessions on it one after another, and what they took."""

    service: Service
    resident: set[str] = field(default_factory=set)
    """Workflows that run without a session."""
    lived: list[Lived] = field(default_factory=list)
    runs: list[Runs] = field(default_factory=list)
    processor: float = 0.0
    """Seconds for one session, without the idle load."""
    idle: float = 0.0
    """Seconds of processor time in an idle second."""


@dataclass
class Revision:
    """A revision under measurement: an installation without callbacks, and one with a receiver."""

    plain: Measured
    calling: Measured
    receiver: WebhookReceiver
    lived_at_once: int = 0
    """Sessions, with `CLIENTS` clients at once, in `seconds_at_once`."""
    seconds_at_once: float = 0.0

    @property
    def both(self) -> tuple[Measured, Measured]:
        return self.plain, self.calling

    def figures(self, work: float) -> dict[str, float]:
        """By the names of `GOALS`; `work` is what the fixed piece of work takes, in seconds."""
        events, called = (mean(run.events.total() for run in kind.runs) for kind in self.both)
        lived = self.plain.lived
        values = (
            events,
            mean(run.activities.total() for run in self.plain.runs),
            called - events,
            self.plain.processor / work,
            (self.calling.processor - self.plain.processor) / work,
            self.lived_at_once / self.seconds_at_once,
            1000 * median(session.created for session in lived),
            1000 * median(seconds for session in lived for seconds in session.opened),
            1000 * median(seconds for session in lived for seconds in session.signed),
        )
        return dict(zip(GOALS, values, strict=True))

    def details(self) -> dict[str, dict[str, float]]:
        """Returns the mean number of events by kind, and of activities by type, in a session without callbacks."""
        return {
            name: {kind: round(count / len(self.plain.runs), 2) for kind, count in total.most_common()}
            for name in ("events", "activities")
            if (total := sum((getattr(runs, name) for runs in self.plain.runs), start=Counter()))
        }


@contextmanager
def running(root: Path, folder: Path) -> Iterator[Revision]:
    """The tree at `root` on two installations with their data in `folder`, warm."""
    folder.mkdir()
    receiver = WebhookReceiver()
    plain, calling = Service(root, folder / "plain"), Service(root, folder / "calling", receiver.url)
    revision = Revision(Measured(plain), Measured(calling), receiver)
    try:
        for measured in revision.both:
            measured.service.start()
            measured.resident = asyncio.run(open_runs(measured.service.temporal_address))
            with measured.service.client() as client:
                for _ in range(WARM_UP):
                    measured.service.live(client)
        yield revision
    finally:
        for measured in revision.both:
            measured.service.stop()
        receiver.close()


def live_in_turns(revisions: Sequence[Revision], sessions: int) -> float:
    """Lives `sessions` on each installation, one after another; the seconds of the fixed piece of work, in turns."""
    every = [measured for revision in revisions for measured in revision.both]
    began = perf_counter()
    before = [measured.service.processor_seconds() for measured in every]
    works = []
    with ExitStack() as stack:
        clients = [stack.enter_context(measured.service.client()) for measured in every]
        order = list(zip(every, clients, strict=True))
        for number in range(sessions):
            Random(number).shuffle(order)  # noqa: S311  # an order, no secret
            for measured, client in order:
                measured.lived.append(measured.service.live(client))
                measured.service.wait_until_quiet()
                works.append(fixed_work())
    wait_for_the_end(revisions, sessions)
    spent, after = perf_counter() - began, [measured.service.processor_seconds() for measured in every]
    sleep(IDLE_SECONDS)
    for measured, first, second in zip(every, before, after, strict=True):
        measured.idle = (measured.service.processor_seconds() - second) / IDLE_SECONDS
        measured.processor = (second - first - measured.idle * spent) / sessions
    return mean(works)  # as what sessions take is a mean: other work on the machine comes in bursts


def wait_for_the_end(revisions: Sequence[Revision], sessions: int) -> None:
    """Returns when all callbacks of `sessions` were received, and no run about a session is open."""

    def is_over(measured: Measured) -> bool:
        return asyncio.run(open_runs(measured.service.temporal_address)) <= measured.resident

    for revision in revisions:
        received, expected = revision.receiver.received, CALLBACKS * (sessions + WARM_UP)
        eventually(lambda to=received, count=expected: len(to) >= count, "all callbacks are received", END_SECONDS)
        for measured in revision.both:
            eventually(lambda of=measured: is_over(of), "all runs are over", END_SECONDS, longest=1)


def live_at_once(service: Service, sessions: int) -> float:
    """Returns seconds for `CLIENTS` clients that live `sessions` each."""

    def work() -> None:
        with service.client() as client:
            for _ in range(sessions):
                service.live(client)

    return at_once(CLIENTS, work)


def measure(revisions: Sequence[Revision], sessions: int, at_once: int) -> float:
    """Measures everything; returns the seconds of the fixed piece of work."""
    work = live_in_turns(revisions, sessions)
    for revision in revisions:
        for measured in revision.both:
            ids = [session.session_id for session in measured.lived]
            found = asyncio.run(runs_by_session(measured.service.temporal_address, ids))
            measured.runs = list(found.values())
    for revision in (*revisions, *reversed(revisions)):
        revision.seconds_at_once += live_at_once(revision.plain.service, at_once)
        revision.lived_at_once += CLIENTS * at_once
    return work


def print_table(now: dict[str, float], before: dict[str, float] | None) -> None:
    print(f"\n{'one session of two recipients':<42}{'now':>8}  {'goal':<16}", end="")
    print(f"{'before':>8}{'now/before':>12}" if before else "")
    for name, goal in GOALS.items():
        limit = f"at {'least' if goal.at_least else 'most'} {goal.limit:g}"
        line = f"{name:<42}{now[name]:>8.{goal.digits}f}  {limit:<16}"
        if before:
            ratio = now[name] / before[name] if before[name] else float("nan")
            line += f"{before[name]:>8.{goal.digits}f}{ratio:>12.2f}"
        print(line + ("" if goal.is_met(now[name]) else "  not met"))


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench-sessions", description=__doc__)
    parser.add_argument("--before", help="another revision, to be measured in turns with this tree")
    parser.add_argument("--sessions", type=int, default=20, help="one after another, on each installation")
    parser.add_argument("--at-once", type=int, default=8, help="of each of four clients, twice")
    args = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="bench-sessions-")))
        revisions = {"now": stack.enter_context(running(ROOT, folder / "now"))}
        if args.before:
            try:
                root = stack.enter_context(checkout(args.before))
                revisions["before"] = stack.enter_context(running(root, folder / "before"))
            except (AssertionError, subprocess.CalledProcessError, OSError) as error:
                print(f"{args.before} cannot run here: {getattr(error, 'stderr', None) or error}")
        work = measure(list(revisions.values()), args.sessions, args.at_once)
        found = {name: revision.figures(work) for name, revision in revisions.items()}
        details = {name: revision.details() for name, revision in revisions.items()}
        idle = revisions["now"].plain.idle
    print_table(found["now"], found.get("before"))
    print(f"\nfixed work: {work:.3f} s. Idle cost, which is taken off: {1000 * idle:.0f} ms a second")
    RESULT.parent.mkdir(exist_ok=True)
    written = {"fixed work, s": round(work, 4), "figures": found, "details": details}
    RESULT.write_text(json.dumps(written, indent=2) + "\n", "utf-8")
    print(f"\nAll of it: {RESULT}")


if __name__ == "__main__":
    main()
