"""Waiting for what a running service does in its own time."""

from collections.abc import Callable
from time import monotonic, sleep
from typing import TypeVar

from tests.http_requests import PATIENCE

T = TypeVar("T")

_LOOK_EVERY = 0.05


def eventually(look: Callable[[], T], what: str, seconds: float = PATIENCE) -> T:
    """What `look` finds as soon as it finds anything; fails when it does not within `seconds`."""
    deadline = monotonic() + seconds
    while not (found := look()):
        assert monotonic() < deadline, f"after {seconds:.0f} s still not: {what}"
        sleep(_LOOK_EVERY)
    return found


def eventually_says(look: Callable[[], str], words: str) -> None:
    """Returns as soon as `words` are in what `look` returns; fails with the last text after `PATIENCE` seconds."""
    deadline = monotonic() + PATIENCE
    while words not in (text := look()):
        assert monotonic() < deadline, f"after {PATIENCE:.0f} s {words!r} is still not in {text!r}"
        sleep(_LOOK_EVERY)
