"""An operation of the API as a value, and functions that create operations."""

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import wraps
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar, overload
from urllib.parse import quote
from uuid import uuid4

import httpx
from pydantic import BaseModel, TypeAdapter
from pydantic.alias_generators import to_camel

from undersign.response import rfc3339

if TYPE_CHECKING:
    from undersign.client import AsyncClient, Client

P = ParamSpec("P")
T = TypeVar("T")
Body = BaseModel | Mapping[str, Any] | bytes

_V1 = "/api/v1"
JSON = {"Content-Type": "application/json"}
_NOTHING: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class Operation(Generic[T]):
    """One operation of the API with its arguments. `name` is the `operationId` of the description.

    `is_repeatable`: another attempt has no further effect, even if the first succeeded and its response was lost.
    """

    name: str
    method: str
    path: str
    read: Callable[[httpx.Response], T]
    query: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    needs_token: bool = True

    @property
    def is_repeatable(self) -> bool:
        return self.method == "GET" or "Idempotency-Key" in self.headers


class Method(Generic[P, T]):
    """A function that makes an operation, as a method of a client, which calls the operation.

    In `AsyncClient`, the method is awaitable. On the class, it is the function itself.
    """

    def __init__(self, make: Callable[P, Operation[T]]) -> None:
        self.make = make

    @overload
    def __get__(self, client: None, _: object) -> Callable[P, Operation[T]]: ...

    @overload
    def __get__(self, client: "Client", _: object) -> Callable[P, T]: ...

    @overload
    def __get__(self, client: "AsyncClient", _: object) -> Callable[P, Awaitable[T]]: ...

    def __get__(self, client: Any, _: object) -> Callable[P, Any]:
        if client is None:
            return self.make

        @wraps(self.make)
        def method(*args: P.args, **kwargs: P.kwargs) -> Any:  # noqa: ANN401  # the overloads have the types
            return client.call(self.make(*args, **kwargs))

        return method


def get(name: str, path: str, model: type[T], query: Mapping[str, str] = _NOTHING) -> Operation[T]:
    return Operation(name, "GET", path, reader(model), query)


def post(
    name: str, path: str, model: type[T], body: Body | None = None, headers: Mapping[str, str] = _NOTHING
) -> Operation[T]:
    content = None if body is None else as_json(body)
    sent = headers if content is None else {**JSON, **headers}
    return Operation(name, "POST", path, reader(model), body=content, headers=sent)


def post_once(name: str, path: str, model: type[T], key: str | None, body: Body | None = None) -> Operation[T]:
    """Returns a POST operation with an `Idempotency-Key`, so that all of its attempts together take effect once."""
    return post(name, path, model, body, {"Idempotency-Key": key or str(uuid4())})


def patch_once(name: str, path: str, model: type[T], key: str | None, body: Body) -> Operation[T]:
    headers = {**JSON, "Idempotency-Key": key or str(uuid4())}
    return Operation(name, "PATCH", path, reader(model), body=as_json(body), headers=headers)


def given(members: Mapping[str, str | None]) -> dict[str, str]:
    return {name: value for name, value in members.items() if value is not None}


def delete(name: str, path: str, model: type[T], *, permanent: bool | None = None) -> Operation[T]:
    query = {} if permanent is None else {"permanent": json.dumps(permanent)}
    return Operation(name, "DELETE", path, reader(model), query)


def reader(model: type[T]) -> Callable[[httpx.Response], T]:
    adapter = TypeAdapter(model)
    return lambda answer: adapter.validate_json(answer.content)


def content(answer: httpx.Response) -> bytes:
    return answer.content


def as_json(body: Body) -> bytes:
    if isinstance(body, bytes):
        return body
    if isinstance(body, BaseModel):
        return body.model_dump_json(by_alias=True, exclude_unset=True).encode()
    return json.dumps(body).encode()


def at(template: str, *identifiers: str) -> str:
    """Returns the path of an operation, with `identifiers` in the places of `{}`."""
    return _V1 + template.format(*(quote(identifier, safe="") for identifier in identifiers))


def query_of(filters: Mapping[str, object], limit: int, offset: int) -> dict[str, str]:
    """Returns the query parameters of a list; raises `ValueError` for a time without a time zone."""
    parameters = {**filters, "limit": limit, "offset": offset}
    query: dict[str, str] = {}
    for name, value in parameters.items():
        if isinstance(value, Mapping):
            query |= {f"{to_camel(name)}[{key}]": _text(one) for key, one in value.items()}
        else:
            query[to_camel(name)] = _text(value)
    return query


def _text(value: object) -> str:
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise ValueError(f"{value} has no time zone: say which time it is, with timezone.utc for example")
        return rfc3339(value)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ",".join(map(str, value))
    return str(value)
