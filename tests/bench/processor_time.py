"""Processor time: of a process with all below it, and of a fixed piece of work to compare it with."""

import os
from collections import defaultdict
from contextlib import suppress
from pathlib import Path
from time import thread_time

_TICKS = os.sysconf("SC_CLK_TCK")
_STEPS = 400_000


def tree_seconds(root: int) -> float:
    """User and system time of the process `root` and of all below it, ended ones included, in seconds (Linux).

    Only while no process of the tree ends during the call: the time of one that does may be missing.
    """
    children: defaultdict[int, list[int]] = defaultdict(list)
    ticks: dict[int, int] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended
            fields = path.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
            process = int(path.parent.name)
            children[int(fields[1])].append(process)
            ticks[process] = sum(map(int, fields[11:15]))  # utime, stime, and those of children that were waited for
    waiting, total = [root], 0
    while waiting:
        process = waiting.pop()
        total += ticks.get(process, 0)
        waiting += children[process]
    return total / _TICKS


def fixed_work() -> float:
    """Returns the processor time of a fixed piece of pure Python, in seconds.

    About 0.125 on a quiet core of an EPYC machine, and 0.25 where other work shares that core: what a session takes
    grows alike.
    """
    began = thread_time()
    counts: dict[str, int] = {}
    for number in range(_STEPS):
        key = f"{number % 997:04}"
        counts[key] = counts.get(key, 0) + number * number % 7
    return thread_time() - began
