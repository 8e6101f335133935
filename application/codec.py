"""What the endpoint works with."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from adapters.keys.operator_tokens import Operators
from workflows.sdk.payload_codec import PlainPayload


class Codec(Protocol):
    """Reads payloads as anybody sends them, under encryption and without."""

    async def opened(self, payloads: Sequence[PlainPayload]) -> list[PlainPayload]:
        """Decrypted; what is not encrypted, or cannot be decrypted, stays as it is."""
        ...


@dataclass(frozen=True, slots=True)
class CodecDesk:
    """`origins` are those of the Temporal UIs whose pages may ask."""

    codec: Codec
    operators: Operators
    origins: frozenset[str]
