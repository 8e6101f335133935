"""Payloads as Temporal's codec protocol writes them: protobuf's JSON, in which bytes are base64."""

from base64 import b64decode, b64encode
from binascii import Error
from collections.abc import Iterable, Sequence
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, Field, PlainSerializer

from workflows.encryption import PlainPayload


def _decoded(text: object) -> bytes:
    if not isinstance(text, str):
        raise ValueError("bytes are written as base64")  # noqa: TRY004  # what pydantic reports
    try:
        return b64decode(text.replace("-", "+").replace("_", "/") + "=" * (-len(text) % 4), validate=True)
    except Error as error:
        raise ValueError("bytes are written as base64") from error


def _encoded(content: bytes) -> str:
    return b64encode(content).decode("ascii")


MAX_DATA = 4_000_000
"""Bytes: what Temporal takes of a message, and more."""

Bytes = Annotated[bytes, Field(max_length=MAX_DATA), BeforeValidator(_decoded), PlainSerializer(_encoded)]


MetadataName = Annotated[str, Field(max_length=100)]


class PayloadBody(BaseModel):
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
