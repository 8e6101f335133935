"""Sending callbacks: the one place at which the service connects to where others tell it to."""

from collections.abc import Mapping
from typing import Protocol

from domain.callbacks.delivery import Attempt


class Sender(Protocol):
    """Sends callbacks."""

    async def send(self, url: str, headers: Mapping[str, str], body: bytes) -> Attempt:
        """One try. It ends within 15 s, and whatever goes wrong is its result, not an error."""
        ...
