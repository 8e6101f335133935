"""The garbage collector while a document is laid out: paused.

Layout makes tens of thousands of small values, none of which leads back to itself, so there is nothing to find for a
collector that looks for cycles; looking took an eighth of the time.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collector_paused() -> Iterator[None]:
    """As long as the context lasts, nothing is looked for; values that are no longer used go as always."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
