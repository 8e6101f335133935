"""One run: an installation, sessions, faults all the while, and what is found afterwards."""

import asyncio
import logging
import shutil
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, SimpleQueue
from random import Random
from time import monotonic

from tests.chaos.backends import open_backends
from tests.chaos.cluster import Cluster, Disk
from tests.chaos.fault_injector import FaultInjector
from tests.chaos.faults import Faults
from tests.chaos.invariants import find_missing_callbacks, find_violations
from tests.chaos.scenarios import SCENARIOS, Outcome, ScenarioRunner
from tests.chaos.users import FAULTS_OVER, ApiClient, Inconsistency, Outbox, Stuck
from tests.chaos.webhook_receiver import WebhookReceiver

log = logging.getLogger(__name__)

CLIENTS = 20
"""Clients that run scenarios at the same time."""

DISK_MEGABYTES = 400

FAULT_SECONDS = 450.0
"""How long faults go on at most, so that a run is over within ten minutes on a busy machine too."""


@dataclass
class Report:
    """What one seed brought about. `findings` is empty when everything held."""

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
        lasted = sorted(map(_lasted, self.outcomes))
        return [
            f"seed {self.seed}: {len(self.outcomes)} sessions, {self.faulted} of them with a fault in their life, "
            f"{sum(self.faults.values())} faults, {self.seconds:.0f} s",
            "  " + ", ".join(f"{count} {scenario}" for scenario, count in sorted(scenarios.items())),
            *(f"  {count:4} x {name}" for name, count in sorted(self.faults.items())),
            f"  a session took {lasted[len(lasted) // 2]:.1f} s in the middle and {lasted[-1]:.1f} s at most"
            if lasted
            else "  no session came to its end",
            "  started again: " + ", ".join(f"{name} {count - 1} times" for name, count in sorted(self.starts.items())),
            f"  {self.older} reads showed an older state than one before, which a row may while Temporal is away",
            f"  {self.received} callbacks were received, each announced one at least once",
            f"  every session was where it belongs {self.healing:.1f} s after the last fault"
            + ("" if self.own_disk else "; no disk was filled, since none can be mounted here"),
            *(f"  BROKEN: {finding}" for finding in self.findings),
            "  every promise was kept" if not self.findings else f"  repeat it with SEED={self.seed}",
        ]


def _lasted(outcome: Outcome) -> float:
    return outcome.ended - outcome.began


def run(
    folder: Path, seed: int, sessions: int, fault_seconds: float = FAULT_SECONDS, engines: str = "embedded"
) -> Report:
    """Runs `sessions` of them under the faults of `seed` in an empty `folder`, on the engines of that kind."""
    with open_backends(engines, folder) as backends:
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
    """Tells `sessions` scenarios in `cluster` while there is injector, and looks at what has become of them."""
    began, receiver = monotonic(), WebhookReceiver(receiver_host)
    try:
        FAULTS_OVER.clear()
        client, organisation = cluster.build()
        receiver.secret = cluster.webhook_secret(organisation)
        injector = make_injector()
        injector.start()
        told = monotonic()
        outbox = Outbox(cluster.outbox)
        _run_scenarios(
            report,
            lambda: ScenarioRunner(client, outbox, receiver.url),
            _scenario_names(report.seed, sessions),
            clients,
        )
        report.running_seconds = monotonic() - told
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


def _scenario_names(seed: int, count: int) -> list[str]:
    """So many scenarios in an order of their own, each kind as often as the others."""
    names = [list(SCENARIOS)[number % len(SCENARIOS)] for number in range(count)]
    Random(seed).shuffle(names)  # noqa: S311  # a schedule, no secret
    return names


def _run_scenarios(
    report: Report, make_runner: Callable[[], ScenarioRunner], scenarios: Sequence[str], clients: int
) -> None:
    waiting: SimpleQueue[str] = SimpleQueue()
    for scenario in scenarios:
        waiting.put(scenario)

    def work() -> None:
        runner = make_runner()
        while True:
            try:
                scenario = waiting.get_nowait()
            except Empty:
                break
            try:
                report.outcomes.append(runner.run(scenario))
                log.debug("%d sessions, %s took %.1f s", len(report.outcomes), scenario, _lasted(report.outcomes[-1]))
            except (Inconsistency, Stuck) as fault:
                report.findings.append(f"{scenario}: {fault}")
        report.older += runner.close()

    with ThreadPoolExecutor(clients) as threads:
        for done in [threads.submit(work) for _ in range(clients)]:
            done.result()


def _had_a_fault(outcome: Outcome, spans: Sequence[tuple[float, float]]) -> bool:
    return any(began <= outcome.ended and outcome.began <= ended for began, ended in spans)
