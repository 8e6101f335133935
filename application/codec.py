"""What the endpoint works with."""

from dataclasses import dataclass

from application.operator_tokens import Operators
from ports.payload_codec import Codec


@dataclass(frozen=True, slots=True)
class CodecConfig:
    """`origins` are those of the Temporal UIs whose pages may ask."""

    codec: Codec
    operators: Operators
    origins: frozenset[str]
