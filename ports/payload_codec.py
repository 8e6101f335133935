"""Payloads of Temporal, encrypted and plain."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol


class PlainPayload(NamedTuple):
    """A payload for those who know nothing of Temporal."""

    metadata: Mapping[str, bytes]
    data: bytes


class Codec(Protocol):
    """Reads payloads as anybody sends them, under encryption and without."""

    async def decrypt(self, payloads: Sequence[PlainPayload]) -> list[PlainPayload]:
        """Decrypted; what is not encrypted, or cannot be decrypted, stays as it is."""
        ...
