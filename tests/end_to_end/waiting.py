"""Waits for what a running service does in its own time."""

from collections.abc import Callable
from time import monotonic, sleep
from typing import TypeVar

from tests.http_requests import PATIENCE

T = TypeVar("T")

_FIRST, _MAX_PAUSE = 0.02, 0.5


def eventually(look: Callable[[], T], what: str, seconds: float = PATIENCE, longest: float = _MAX_PAUSE) -> T:
    """Returns what `look` finds as soon as it finds anything; fails after `seconds`. Pauses grow to `longest`."""
    deadline, pause = monotonic() + seconds, _FIRST
    while not (found := look()):
        assert monotonic() < deadline, f"after {seconds:.0f} s still not: {what}"
        sleep(pause)
        pause = min(1.3 * pause, longest)
    return found


def eventually_says(look: Callable[[], str], words: str) -> None:
    """Returns as soon as `words` are in what `look` returns; fails after `PATIENCE` seconds."""
    eventually(lambda: words in look(), f"{words!r} is said")
