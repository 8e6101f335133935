"""Pause of the cyclic garbage collector during layout.

Layout creates tens of thousands of small objects without reference cycles. Collections took an eighth of the time.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collector_paused() -> Iterator[None]:
    """Disables cyclic garbage collection within the context. Reference counting is unaffected."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
