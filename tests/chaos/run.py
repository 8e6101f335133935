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

from tests.chaos.checks import find_faults, find_unheard
from tests.chaos.ear import Ear
from tests.chaos.faults import Faults
from tests.chaos.house import Disk, House
from tests.chaos.people import CALM, ApiClient, Contradiction, Outbox, Stuck
from tests.chaos.stack import stack_of
from tests.chaos.stories import STORIES, Outcome, Teller
from tests.chaos.trouble import Trouble

log = logging.getLogger(__name__)

CLIENTS = 20
"""Clients that tell stories at the same time."""

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
    telling: float = 0.0
    healing: float = 0.0
    own_disk: bool = False
    heard: int = 0

    def lines(self) -> list[str]:
        stories = Counter(outcome.story for outcome in self.outcomes)
        lasted = sorted(map(_lasted, self.outcomes))
        return [
            f"seed {self.seed}: {len(self.outcomes)} sessions, {self.faulted} of them with a fault in their life, "
            f"{sum(self.faults.values())} faults, {self.seconds:.0f} s",
            "  " + ", ".join(f"{count} {story}" for story, count in sorted(stories.items())),
            *(f"  {count:4} x {name}" for name, count in sorted(self.faults.items())),
            f"  a session took {lasted[len(lasted) // 2]:.1f} s in the middle and {lasted[-1]:.1f} s at most"
            if lasted
            else "  no session came to its end",
            "  started again: " + ", ".join(f"{name} {count - 1} times" for name, count in sorted(self.starts.items())),
            f"  {self.older} reads showed an older state than one before, which a row may while Temporal is away",
            f"  {self.heard} callbacks were heard, each announced one at least once",
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
    with stack_of(engines, folder) as stack:
        house = House(folder, stack)
        disk = Disk(house.data, DISK_MEGABYTES)
        report = Report(seed, own_disk=disk.is_own)
        try:
            return work_through(house, report, sessions, lambda: Faults(house, disk, seed, fault_seconds))
        finally:
            if report.findings:
                shutil.copytree(house.data, folder / "kept", ignore=shutil.ignore_patterns("objects"))
            disk.close()


def work_through(
    house: House,
    report: Report,
    sessions: int,
    make_trouble: Callable[[], Trouble],
    *,
    clients: int = CLIENTS,
    ear_host: str = "127.0.0.1",
) -> Report:
    """Tells `sessions` stories in `house` while there is trouble, and looks at what has become of them."""
    began, ear = monotonic(), Ear(ear_host)
    try:
        CALM.clear()
        client, organisation = house.build()
        ear.secret = house.webhook_secret(organisation)
        trouble = make_trouble()
        trouble.start()
        told = monotonic()
        outbox = Outbox(house.outbox)
        _tell(report, lambda: Teller(client, outbox, ear.url), _stories(report.seed, sessions), clients)
        report.telling = monotonic() - told
        trouble.stop()
        report.healing = monotonic() - max((end for _, end in trouble.spans), default=began)
        report.faults, report.starts = trouble.done, house.starts
        report.faulted = sum(_had_a_fault(outcome, trouble.spans) for outcome in report.outcomes)
        if trouble.failure or not report.faulted:
            report.findings.append(
                f"too little went wrong to say anything: {trouble.failure or 'no session had a fault'}"
            )
        api = ApiClient(client)
        report.findings += asyncio.run(find_faults(house, api, organisation, report.outcomes))
        report.findings += asyncio.run(find_unheard(house, ear, organisation, report.outcomes))
        report.heard = len(ear.heard)
        api.close()
    finally:
        house.close()
        ear.close()
    report.seconds = monotonic() - began
    return report


def _stories(seed: int, count: int) -> list[str]:
    """So many stories in an order of their own, each kind as often as the others."""
    names = [list(STORIES)[number % len(STORIES)] for number in range(count)]
    Random(seed).shuffle(names)  # noqa: S311  # a schedule, no secret
    return names


def _tell(report: Report, make_teller: Callable[[], Teller], stories: Sequence[str], clients: int) -> None:
    waiting: SimpleQueue[str] = SimpleQueue()
    for story in stories:
        waiting.put(story)

    def work() -> None:
        teller = make_teller()
        while True:
            try:
                story = waiting.get_nowait()
            except Empty:
                break
            try:
                report.outcomes.append(teller.tell(story))
                log.debug("%d sessions, %s took %.1f s", len(report.outcomes), story, _lasted(report.outcomes[-1]))
            except (Contradiction, Stuck) as fault:
                report.findings.append(f"{story}: {fault}")
        report.older += teller.close()

    with ThreadPoolExecutor(clients) as threads:
        for done in [threads.submit(work) for _ in range(clients)]:
            done.result()


def _had_a_fault(outcome: Outcome, spans: Sequence[tuple[float, float]]) -> bool:
    return any(began <= outcome.ended and outcome.began <= ended for began, ended in spans)
