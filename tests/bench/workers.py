"""`make bench-workers`: sessions a second with one worker and with two, on the engines of operators.

On one machine everything shares the processors, so more workers cannot make more of them than there are. Therefore
each worker has a part of a core only, as on a small host of its own, while nothing else is held back: what is measured
is what another worker brings as long as workers are what is short. That takes root; `--parts 1` does not. The kinds
take turns, each on an installation of its own. Writes `build/bench-workers.json` too.
"""

import argparse
import json
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from tests.bench.steps import Load
from tests.chaos.house import API, TEMPORAL, WORKERS, House
from tests.chaos.people import CALM
from tests.chaos.stack import Operated
from tests.end_to_end.installation import descendants_of
from tests.engines import real_engines

RESULT = Path(__file__).parents[2] / "build" / "bench-workers.json"
AT_ONCE = 16
"""Sessions that are under way together: more than workers keep up with."""

WARMING = 8
PERIOD = 20_000
"""Microseconds in which a worker may use its part of a core."""


@contextmanager
def held_to(part: float, process_id: int) -> Iterator[None]:
    """Lets that process, with its children, use `part` of one core, as the limits of containers do. Takes root."""
    v1 = Path("/sys/fs/cgroup/cpu")
    group = (v1 if v1.is_dir() else v1.parent) / f"undersign-{process_id}"
    group.mkdir()
    try:
        if v1.is_dir():
            (group / "cpu.cfs_period_us").write_text(f"{PERIOD}")
            (group / "cpu.cfs_quota_us").write_text(f"{part * PERIOD:.0f}")
        else:
            (v1.parent / "cgroup.subtree_control").write_text("+cpu")
            (group / "cpu.max").write_text(f"{part * PERIOD:.0f} {PERIOD}")
        for member in (process_id, *descendants_of(process_id)):
            (group / "cgroup.procs").write_text(f"{member}")
        yield
    finally:
        for member in (group / "cgroup.procs").read_text().split():
            (group.parent / "cgroup.procs").write_text(member)
        group.rmdir()


def throughput(workers: tuple[str, ...], part: float, sessions: int, folder: Path) -> float:
    """Sessions of two recipients a second, from created to sealed."""
    (folder / "engines").mkdir(parents=True)
    with real_engines(folder / "engines", folder / "mails") as engines:
        house = House(folder, Operated(engines), worker="worker")
        house.everything = (TEMPORAL, API, *workers)
        try:
            load = Load(house)
            with ThreadPoolExecutor(AT_ONCE) as people, ExitStack() as holding:
                list(people.map(load.live, range(WARMING)))
                if part < 1:
                    for worker in workers:
                        holding.enter_context(held_to(part, house.process_id(worker)))
                began = perf_counter()
                list(people.map(load.live, range(WARMING, WARMING + sessions)))
                return sessions / (perf_counter() - began)
        finally:
            house.close()


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench-workers", description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--sessions", type=int, default=48)
    parser.add_argument("--parts", type=float, nargs="+", default=(0.25, 1.0), help="of a core that a worker has")
    asked = parser.parse_args()
    CALM.set()
    found = {}
    for part in asked.parts:
        taken: dict[int, list[float]] = {1: [], 2: []}
        for number in range(asked.rounds):
            for count in (1, 2) if number % 2 == 0 else (2, 1):
                with TemporaryDirectory() as folder:
                    taken[count].append(throughput(WORKERS[:count], part, asked.sessions, Path(folder)))
        one, two = taken[1], taken[2]
        found[f"{part:.0%} of a core each"] = line = {
            "one worker, sessions a second": round(median(one), 2),
            "two workers": round(median(two), 2),
            "ratio": round(median(b / a for a, b in zip(one, two, strict=True)), 2),
        }
        print(f"{part:.0%} of a core each: {line}", flush=True)
    RESULT.parent.mkdir(exist_ok=True)
    RESULT.write_text(json.dumps(found, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
    sys.stdout.flush()
    os._exit(0)
