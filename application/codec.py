"""The configuration of the endpoint that decrypts payloads for the Temporal UI."""

from dataclasses import dataclass

from application.operator_tokens import Operators
from ports.payload_codec import Codec


@dataclass(frozen=True, slots=True)
class CodecConfig:
    """`origins` are those of the Temporal UIs whose pages may call the endpoint."""

    codec: Codec
    operators: Operators
    origins: frozenset[str]
