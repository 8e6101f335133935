"""Limits how many uploads of people without an account are in memory at the same time."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from domain.ports.process_pool import PoolBusy

AT_ONCE = 8
"""Uploads that are received and verified at the same time: up to 200 MB of files."""


@dataclass(frozen=True, slots=True)
class ReadingSlots:
    """The network addresses whose upload is in memory: at most `AT_ONCE`, one upload each."""

    _addresses: set[str] = field(default_factory=set)

    @contextmanager
    def hold(self, address: str) -> Iterator[None]:
        """Holds a slot while the block runs. Raises `PoolBusy`."""
        if address in self._addresses or len(self._addresses) >= AT_ONCE:
            raise PoolBusy(f"{len(self._addresses)} uploads are in memory")
        self._addresses.add(address)
        try:
            yield
        finally:
            self._addresses.discard(address)
