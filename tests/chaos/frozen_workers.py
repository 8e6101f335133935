"""Runs of sessions whose workers are frozen and killed while queries arrive (docs/decisions/0012).

Events arrive for a run whose worker is frozen, and a query goes to another worker together with these events.
Activities are in this process, so that their results arrive all the time.
"""

import asyncio
import os
import signal
import subprocess
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any, Self

from temporalio.client import Client, WorkflowExecutionStatus
from temporalio.worker import Worker

from activities.interface import DOCUMENTS_QUEUE, SESSIONS_QUEUE
from domain.ports.session_requests import SessionCommand
from domain.session.session import Session
from domain.shared.errors import SigningError
from domain.workflow_ids import session_workflow_id
from tests.builders import created, file, recipient
from tests.chaos.cluster import PYTHON
from tests.chaos.query_storm import QueryStorm
from tests.end_to_end.installation import start_process
from tests.fakes.effects import FakeEffects
from tests.workflows.acts import ACT, RESTORE, ask_again, opened_by, signed_by
from tests.workflows.servers import dev_server
from tests.workflows.stage import FreshSessions
from worker import running_workers
from workflows.client.replay_check import replayer, short_message
from workflows.client.runs import TemporalRuns

WORKERS = 2

STORIES: tuple[tuple[SessionCommand, ...], ...] = (
    (opened_by("ada"), signed_by("ada"), opened_by("grace"), signed_by("grace")),
    (opened_by("ada"), ask_again("ada"), signed_by("ada", 2), signed_by("grace")),
    (opened_by("ada"), ACT, RESTORE, signed_by("ada"), opened_by("grace"), signed_by("grace")),
    (signed_by("ada"), ACT, RESTORE, ask_again("grace"), signed_by("grace", 2)),
)

MAX_TRIES = 30
"""Of one action."""

REST_SECONDS = 60.0
"""Limit for the work that is left when the faults are over."""


@dataclass
class Outcome:
    """What `runs` runs of sessions came to. `findings` is empty if none broke."""

    seed: int
    runs: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    queries: Counter[str] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def lines(self) -> list[str]:
        return [
            f"seed {self.seed}: {self.runs} runs, {self.seconds:.0f} s, faults: {_counts(self.faults)}; "
            f"queries: {_counts(self.queries)}",
            *(f"  BROKEN: {finding}" for finding in self.findings),
        ]


def _counts(counter: Counter[str]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counter.most_common())


class WorkerProcesses:
    """Processes that run workflows and can be frozen and killed."""

    def __init__(self, address: str, logs: Path) -> None:
        self._command = (*PYTHON, "tests.chaos.workflow_worker", address)
        self._logs, self._running = logs, list[subprocess.Popen[bytes]]()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        for number in range(len(self._running)):
            self.kill(number)

    def start(self) -> None:
        """Starts those that do not run, and wakes all."""
        self._running = [process for process in self._running if process.poll() is None]
        for process in self._running:
            os.killpg(process.pid, signal.SIGCONT)
        for _ in range(WORKERS - len(self._running)):
            self._running.append(start_process(self._command, dict(os.environ), self._logs / "worker.log"))

    def freeze(self, number: int) -> None:
        os.killpg(self._running[number].pid, signal.SIGSTOP)

    def kill(self, number: int) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self._running[number].pid, signal.SIGKILL)
        self._running[number].wait()


class SlowEffects(FakeEffects):
    """Effects that take up to a second, so that they end while a worker is frozen."""

    def __init__(self, random: Random) -> None:
        super().__init__()
        self._random = random

    async def _hold(self, name: str) -> None:
        await asyncio.sleep(self._random.uniform(0, 1))
        await super()._hold(name)


async def provoke(
    folder: Path, seeds: Sequence[int], sessions: int, timeouts: Sequence[float]
) -> AsyncIterator[Outcome]:
    """Yields the outcome of `sessions` runs for each seed, on one server. `timeouts` are those of queries in seconds.

    Without any, no queries are sent.
    """
    async with dev_server() as environment:
        client = environment.client
        with WorkerProcesses(client.service_client.config.target_host, folder) as workers:
            for seed in seeds:
                yield await _provoke(client, workers, Outcome(seed, sessions), timeouts)


async def _provoke(client: Client, workers: WorkerProcesses, outcome: Outcome, timeouts: Sequence[float]) -> Outcome:
    began, random = monotonic(), Random(outcome.seed)  # noqa: S311  # a schedule, no secret
    effects = SlowEffects(random)
    light = Worker(client, task_queue=SESSIONS_QUEUE, activities=effects.light())
    heavy = Worker(client, task_queue=DOCUMENTS_QUEUE, activities=[effects.generate_document])
    stage = FreshSessions(TemporalRuns(client), effects.rows)
    with ExitStack() as stack:
        storm = QueryStorm(client.service_client.config.target_host, outcome.seed, timeouts)
        if timeouts:
            storm.start()
            stack.callback(storm.stop)
        async with running_workers((light, heavy)):
            is_over = asyncio.Event()
            faults = asyncio.create_task(_freeze_and_kill(workers, random, is_over, outcome.faults))
            acted = await asyncio.gather(*(_act_out(stage, random, f"{outcome.seed}-{n}") for n in range(outcome.runs)))
            is_over.set()
            await faults
            outcome.findings = [line for session in acted for line in await _findings(client, session)]
    outcome.queries, outcome.seconds = storm.sent, monotonic() - began
    return outcome


async def _freeze_and_kill(
    workers: WorkerProcesses, random: Random, is_over: asyncio.Event, done: Counter[str]
) -> None:
    while not is_over.is_set():
        await asyncio.sleep(random.uniform(0.2, 1.5))
        one, other = random.sample(range(WORKERS), 2)
        kind = random.choices(("freeze one", "freeze both", "freeze one, kill the other", "kill one"), (5, 2, 2, 1))[0]
        if kind == "freeze both":
            workers.freeze(other)
        if "freeze" in kind:
            workers.freeze(one)
            await asyncio.sleep(random.uniform(0.1, 1.0))
        if "kill" in kind:
            workers.kill(other)
        await asyncio.sleep(random.uniform(0.3, 3.0))
        await asyncio.to_thread(workers.start)
        done[kind] += 1


async def _act_out(sessions: FreshSessions, random: Random, name: str) -> Session:
    step = created(recipient("ada"), recipient("grace"), files=(file("One"), file("Two")), name=name)
    await asyncio.sleep(random.uniform(0, 2))
    session = await sessions.create(step, ACT.audit)
    for number, command in enumerate(random.choice(STORIES)):
        await asyncio.sleep(random.uniform(0, 1.5))
        await _act(sessions, session, command, f"{name}-{number}")
    return session


async def _act(sessions: FreshSessions, session: Session, command: SessionCommand, update_id: str) -> None:
    """Acts until the run has taken it, or refused it often: an invitation may not be delivered yet."""
    for _ in range(MAX_TRIES):
        with suppress(SigningError):
            await sessions.act(session, command, update_id)
            break
        await asyncio.sleep(0.3)


async def _findings(client: Client, session: Session) -> list[str]:
    """Returns a line for each sign that the run of a session is broken."""
    workflow_id = session_workflow_id(session.session_id)
    handle = client.get_workflow_handle(workflow_id)
    found = []
    deadline = monotonic() + REST_SECONDS
    while True:
        described = await handle.describe()
        raw: Any = described.raw_description
        is_open = described.status is WorkflowExecutionStatus.RUNNING
        if not is_open or not (raw.pending_activities or raw.HasField("pending_workflow_task")):
            break
        if monotonic() > deadline:
            found.append(f"{workflow_id} does not come to rest: {raw.pending_workflow_task}")
            break
        await asyncio.sleep(0.1)
    if described.status not in {WorkflowExecutionStatus.RUNNING, WorkflowExecutionStatus.COMPLETED}:
        found.append(f"{workflow_id} has ended as {described.status}")
    history = await handle.fetch_history()
    replayed = await replayer().replay_workflow(history, raise_on_replay_failure=False)
    if replayed.replay_failure is not None:
        found.append(f"{workflow_id} does not replay: {short_message(replayed.replay_failure)}")
    return found
