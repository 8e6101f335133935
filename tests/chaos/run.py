"""One run: sessions on an installation under faults, and the guarantees that were broken."""

import asyncio
import shutil
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from time import monotonic

from tests.backends import start_backends
from tests.chaos.cluster import Backends, Cluster, Disk, EmbeddedBackends
from tests.chaos.faults import FaultInjector, Faults
from tests.chaos.invariants import find_missing_callbacks, find_violations
from tests.chaos.scenarios import SCENARIOS, Outcome, ScenarioRunner
from tests.chaos.users import FAULTS_OVER, ApiClient, Inconsistency, Stuck
from tests.chaos.webhook_receiver import FailingReceiver
from tests.load import at_once
from tests.outbox import Outbox

CLIENTS = 20
"""Clients that run scenarios at the same time."""

MAIL_INTERVAL = 0.125

DISK_MEGABYTES = 400

FAULT_SECONDS = 450.0
"""The longest time of faults: a run ends within ten minutes on a busy machine too."""


@dataclass
class Report:
    """The outcome of one seed. `findings` is empty if every guarantee held."""

    seed: int
    outcomes: list[Outcome] = field(default_factory=list)
    findings: list[str] = field(default_factory=list)
    faults: Counter[str] = field(default_factory=Counter)
    faulted: int = 0
    starts: Counter[str] = field(default_factory=Counter)
    older: int = 0
    seconds: float = 0.0
    running_seconds: float = 0.0
    healing: float = 0.0
    own_disk: bool = False
    received: int = 0

    def lines(self) -> list[str]:
        scenarios = Counter(outcome.scenario for outcome in self.outcomes)
        lasted = sorted(outcome.ended - outcome.began for outcome in self.outcomes)
        return [
            f"seed {self.seed}: {len(self.outcomes)} sessions, {self.faulted} of them with a fault in their life, "
            f"{sum(self.faults.values())} faults, {self.seconds:.0f} s",
            "  " + ", ".join(f"{count} {scenario}" for scenario, count in sorted(scenarios.items())),
            *(f"  {count:4} x {name}" for name, count in sorted(self.faults.items())),
            f"  a session took {lasted[len(lasted) // 2]:.1f} s in the middle and {lasted[-1]:.1f} s at most"
            if lasted
            else "  no session came to its end",
            "  started again: " + ", ".join(f"{name} {count - 1} times" for name, count in sorted(self.starts.items())),
            f"  {len(self.outcomes) / max(self.running_seconds, 1):.2f} sessions a second under faults",
            f"  {self.older} reads showed an older state than one before, which a row may while Temporal is away",
            f"  {self.received} callbacks were received, each announced one at least once",
            f"  every session was where it belongs {self.healing:.1f} s after the last fault"
            + ("" if self.own_disk else "; no disk was filled, since none can be mounted here"),
            *(f"  BROKEN: {finding}" for finding in self.findings),
            "  every guarantee held" if not self.findings else f"  repeat it with SEED={self.seed}",
        ]


def run(
    folder: Path, seed: int, sessions: int, fault_seconds: float = FAULT_SECONDS, engines: str = "embedded"
) -> Report:
    """Runs `sessions` of them under the faults of `seed` in an empty `folder`, on the engines of that kind."""
    opening: AbstractContextManager[Backends] = nullcontext(EmbeddedBackends(folder / "data"))
    if engines == "engines":
        opening = start_backends(folder / "engines", folder / "mails")
    with opening as backends:
        cluster = Cluster(folder, backends)
        disk = Disk(cluster.data, DISK_MEGABYTES)
        report = Report(seed, own_disk=disk.is_own)
        try:
            return run_sessions(cluster, report, sessions, lambda: Faults(cluster, disk, seed, fault_seconds))
        finally:
            if report.findings:
                shutil.copytree(cluster.data, folder / "kept", ignore=shutil.ignore_patterns("objects"))
            disk.close()


def run_sessions(
    cluster: Cluster,
    report: Report,
    sessions: int,
    make_injector: Callable[[], FaultInjector],
    *,
    clients: int = CLIENTS,
    receiver_host: str = "127.0.0.1",
) -> Report:
    """Runs `sessions` scenarios in `cluster` under faults, and checks the guarantees afterwards."""
    began, receiver = monotonic(), FailingReceiver(receiver_host)
    try:
        FAULTS_OVER.clear()
        client, organisation = cluster.build()
        receiver.secret = cluster.webhook_secret(organisation)
        injector = make_injector()
        injector.start()
        outbox = Outbox(cluster.backends.outbox, MAIL_INTERVAL)
        report.running_seconds = _run_scenarios(
            report, lambda: ScenarioRunner(client, outbox, receiver.url), sessions, clients
        )
        injector.stop()
        report.healing = monotonic() - max((end for _, end in injector.spans), default=began)
        report.faults, report.starts = injector.done, cluster.starts
        report.faulted = sum(_had_a_fault(outcome, injector.spans) for outcome in report.outcomes)
        if injector.failure or not report.faulted:
            report.findings.append(
                f"too little went wrong to say anything: {injector.failure or 'no session had a fault'}"
            )
        api = ApiClient(client)
        report.findings += asyncio.run(find_violations(cluster, api, organisation, report.outcomes))
        report.findings += asyncio.run(find_missing_callbacks(cluster, receiver, organisation, report.outcomes))
        report.received = len(receiver.received)
        api.close()
    finally:
        cluster.close()
        receiver.close()
    report.seconds = monotonic() - began
    return report


def _run_scenarios(report: Report, make_runner: Callable[[], ScenarioRunner], sessions: int, clients: int) -> float:
    """Runs each kind of scenario as often as the others, in an order of the seed; returns the seconds."""
    names = [list(SCENARIOS)[number % len(SCENARIOS)] for number in range(sessions)]
    Random(report.seed).shuffle(names)  # noqa: S311  # a schedule, no secret
    remaining = iter(names)  # of all clients

    def work() -> None:
        runner = make_runner()
        for scenario in remaining:
            _run_scenario(report, runner, scenario)
        report.older += runner.close()

    return at_once(clients, work)


def _run_scenario(report: Report, runner: ScenarioRunner, scenario: str) -> None:
    try:
        report.outcomes.append(runner.run(scenario))
    except (Inconsistency, Stuck) as fault:
        report.findings.append(f"{scenario}: {fault}")


def _had_a_fault(outcome: Outcome, spans: Sequence[tuple[float, float]]) -> bool:
    return any(began <= outcome.ended and outcome.began <= ended for began, ended in spans)
