"""An event loop for child processes, where the usual one cannot be: it opens sockets to wake itself.

Libraries run their coroutines by `asyncio.run` although they only compute. This loop does that, and nothing else: it
waits for no file, no socket and no other thread.
"""

import asyncio
import time
from collections.abc import Sequence


class _NoEvents:
    """What the loop asks for events of sockets: there are none."""

    def select(self, seconds: float | None) -> Sequence[object]:
        """Waits for the next timer. Raises `RuntimeError` if there is none, as the wait would not end."""
        if seconds is None:
            raise RuntimeError("a child process cannot wait for files, sockets or threads")
        if seconds > 0:
            time.sleep(seconds)
        return ()


class _Loop(asyncio.BaseEventLoop):
    def __init__(self) -> None:
        super().__init__()
        self._selector = _NoEvents()

    def _process_events(self, event_list: Sequence[object]) -> None:
        """Does nothing: there are no events."""

    def _write_to_self(self) -> None:
        """Does nothing: no other thread wakes the loop."""


class _Policy(asyncio.DefaultEventLoopPolicy):
    def new_event_loop(self) -> asyncio.AbstractEventLoop:
        return _Loop()


def use_loop_without_sockets() -> None:
    """Makes `asyncio.run` use such a loop, in this process."""
    asyncio.set_event_loop_policy(_Policy())
