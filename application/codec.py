"""What the endpoint works with."""

from dataclasses import dataclass

from application.operator_tokens import Operators
from ports.temporal import PayloadCodec


@dataclass(frozen=True, slots=True)
class CodecDesk:
    """`origins` are those of the Temporal UIs whose pages may ask."""

    codec: PayloadCodec
    operators: Operators
    origins: frozenset[str]
