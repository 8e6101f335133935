"""Time, memory and size. Rounds are interleaved in one process, and ratios are taken within a round, since machines
drift by more than engines differ.
"""

import json
import random
import subprocess
import sys
from collections.abc import Callable, Mapping
from statistics import median
from time import perf_counter
from typing import TypeVar

from tests.bench.documents import Document
from tests.bench.peers import Make

OURS = "Undersign"


def ours(document: Document) -> Make:
    """From JSON to bytes."""
    return _from_json(document, "render")


def checked(document: Document) -> Make:
    """From JSON to issues, without a PDF."""
    return _from_json(document, "check")


def _from_json(document: Document, function: str) -> Make:
    from layout import engine
    from layout.schema.block_document import BlockDocument

    text = json.dumps(document, ensure_ascii=False)

    def make() -> bytes:
        found = getattr(engine, function)(BlockDocument.model_validate_json(text), ("client",))
        if found.issues:
            raise RuntimeError(f"the document has issues: {found.issues}")
        return found.pdf or b""

    return make


def milliseconds(make: Make) -> float:
    start = perf_counter()
    make()
    return (perf_counter() - start) * 1000


D = TypeVar("D")


def interleaved(
    engines: Mapping[str, Callable[[D], Make]], document: Callable[[int], D], rounds: int
) -> dict[str, list[float]]:
    """Returns milliseconds by engine and round. Every round has its own document and order.

    An additional first round warms caches and is not counted.
    """
    found: dict[str, list[float]] = {name: [] for name in engines}
    order = random.Random(1)  # noqa: S311  # a fixed order for each round
    for number in range(rounds + 1):
        written = document(number)
        makes = {name: engine(written) for name, engine in engines.items()}
        for name in order.sample(list(makes), len(makes)):
            taken = milliseconds(makes[name])
            if number:
                found[name].append(taken)
    return found


def ratio(times: Mapping[str, list[float]], one: str, other: str) -> float:
    """Returns the median over the rounds of how long `one` took for each time that `other` took."""
    return median(mine / theirs for mine, theirs in zip(times[one], times[other], strict=True))


def peak_memory(engine: str, size: str) -> float:
    """Returns the most memory that a fresh process takes to lay out one document of that size, in megabytes."""
    return float(_fresh("peak", engine, size))


def cold(engine: str, size: str, rounds: int) -> float:
    """Returns milliseconds from starting a process to the PDF of that size, import and all; the median of some."""
    _fresh("cold", engine, size)
    taken = []
    for _ in range(rounds):
        start = perf_counter()
        _fresh("cold", engine, size)
        taken.append((perf_counter() - start) * 1000)
    return median(taken)


def _fresh(what: str, engine: str, size: str) -> str:
    command = [sys.executable, "-m", "tests.bench.fresh", what, engine, size]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
