"""Payloads as Temporal's codec protocol writes them: protobuf's JSON, in which bytes are base64."""

from base64 import b64encode
from collections.abc import Iterable, Sequence
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, PlainSerializer

from ports.temporal import PlainPayload


def _encoded(content: bytes) -> str:
    return b64encode(content).decode("ascii")


MAX_DATA = 4_000_000
"""Bytes: what Temporal takes of a message, and more."""

Bytes = Annotated[bytes, Field(max_length=MAX_DATA), PlainSerializer(_encoded)]


MetadataName = Annotated[str, Field(max_length=100)]


class PayloadBody(BaseModel):
    model_config = ConfigDict(val_json_bytes="base64")

    metadata: dict[MetadataName, Bytes] = Field(default_factory=dict, max_length=20)
    data: Bytes = b""


class PayloadsBody(BaseModel):
    payloads: list[PayloadBody] = Field(default_factory=list, max_length=10_000)

    def plain(self) -> list[PlainPayload]:
        return [PlainPayload(payload.metadata, payload.data) for payload in self.payloads]


def body_of(payloads: Sequence[PlainPayload]) -> PayloadsBody:
    return PayloadsBody.model_construct(payloads=list(_bodies(payloads)))


def _bodies(payloads: Iterable[PlainPayload]) -> Iterable[PayloadBody]:
    for payload in payloads:
        yield PayloadBody.model_construct(metadata=dict(payload.metadata), data=payload.data)
