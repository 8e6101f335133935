"""Results of jobs as bytes that carry data and no code.

A child that a file has taken over writes whatever it likes to its parent, so the parent does not unpickle. It reads
JSON, in which an object is the name of its class and its fields. It creates only instances of data classes, named
tuples, Pydantic models, enumerations and exceptions of loaded modules, and runs none of their code for it.
"""

import builtins
import json
import pickle
import sys
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from datetime import date, datetime, timedelta
from enum import Enum
from typing import Any, cast

from pydantic import BaseModel


class ResultUnreadable(Exception):
    """The bytes are no result that `run_job` makes."""


class _Writer:
    """Encodes values, and collects their byte strings, which JSON cannot hold."""

    def __init__(self) -> None:
        self.blobs: list[bytes] = []

    def encode(self, value: Any) -> Any:  # noqa: ANN401  # as `json`
        """Returns `value` as JSON. Anything but numbers, texts and lists is an object with one member, its kind."""
        if value is None or type(value) in {bool, int, float, str}:
            return value
        if type(value) is list:
            return [self.encode(item) for item in value]
        return self._tagged(value, type(value))

    def _tagged(self, value: Any, kind: type) -> dict[str, Any]:  # noqa: ANN401  # as `json`
        if kind in {bytes, bytearray, memoryview}:
            self.blobs.append(bytes(value))
            return {"bytes": len(self.blobs[-1])}
        if kind in {tuple, set, frozenset}:
            return {kind.__name__: [self.encode(item) for item in value]}
        if isinstance(value, Mapping):
            return {"dict": [[self.encode(key), self.encode(item)] for key, item in value.items()]}
        if kind in {datetime, date}:
            return {kind.__name__: value.isoformat()}
        if kind is timedelta:
            return {"timedelta": [value.days, value.seconds, value.microseconds]}
        return {"object": [kind.__module__, kind.__qualname__, self._content(value)]}

    def _content(self, value: Any) -> Any:  # noqa: ANN401  # as `json`
        if isinstance(value, Enum):
            return self.encode(value.value)
        if isinstance(value, BaseException):
            return [self.encode(value.args), self.encode(vars(value))]
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return [self.encode(item) for item in value]
        if isinstance(value, BaseModel) or (is_dataclass(value) and not isinstance(value, type)):
            return {name: self.encode(getattr(value, name)) for name in _field_names(type(value))}
        raise TypeError(f"a job cannot return a {type(value).__qualname__}")


def run_job(request: bytes) -> bytes:
    """Calls the pickled function in `request` with its arguments; returns its result, or the error that it raises."""
    try:
        work, args, kwargs = pickle.loads(request)  # noqa: S301  # of the parent, which a child trusts
        return _pack("value", work(*args, **kwargs))
    except BaseException as error:  # noqa: BLE001  # the caller of the job gets it
        try:
            return _pack("error", error)
        except TypeError:
            return _pack("error", RuntimeError(f"{type(error).__qualname__}: {error}"))


def _pack(kind: str, value: Any) -> bytes:  # noqa: ANN401  # as `json`
    writer = _Writer()
    text = json.dumps({kind: writer.encode(value)}).encode()
    return b"".join((len(text).to_bytes(8, "big"), text, *writer.blobs))


def decode_result(data: bytes) -> Any:  # noqa: ANN401  # as `json`
    """Returns the result in `data`, or raises the error in it.

    Raises:
        ResultUnreadable: a child that works as intended does not write this.
    """
    try:
        end = 8 + int.from_bytes(data[:8], "big")
        reader = _Reader(data, end)
        ((kind, content),) = json.loads(data[8:end]).items()
        value = reader.decode(content)
        if kind == "error" and not isinstance(value, BaseException):
            raise TypeError(kind)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, OverflowError) as error:
        raise ResultUnreadable(type(error).__name__) from error
    if kind == "error":
        raise value
    return value


class _Reader:
    def __init__(self, data: bytes, at: int) -> None:
        self._data = data
        self._at = at

    def decode(self, value: Any) -> Any:  # noqa: ANN401  # as `json`
        if isinstance(value, list):
            return [self.decode(item) for item in value]
        if not isinstance(value, dict):
            return value
        ((kind, content),) = value.items()
        return self._decoders[kind](self, content)

    def _bytes(self, length: int) -> bytes:
        start, self._at = self._at, self._at + length
        if length < 0 or self._at > len(self._data):
            raise ValueError("there are fewer bytes")
        return self._data[start : self._at]

    def _dict(self, items: list[list[Any]]) -> dict[Any, Any]:
        return {self.decode(key): self.decode(item) for key, item in items}

    def _object(self, content: list[Any]) -> Any:  # noqa: ANN401  # as `json`
        module, name, state = content
        found: Any = sys.modules[module]
        for part in name.split("."):
            found = vars(found)[part]
        if not isinstance(found, type):
            raise TypeError(name)
        if issubclass(found, Enum):
            return _member(found, self.decode(state))
        if issubclass(found, Exception):
            arguments, attributes = map(self.decode, state)
            return _error(found, arguments, attributes)
        if issubclass(found, tuple) and hasattr(found, "_fields"):
            return tuple.__new__(found, self._exactly(len(found._fields), state))
        return _instance(found, {key: self.decode(item) for key, item in state.items()})

    def _exactly(self, number: int, items: list[Any]) -> list[Any]:
        if len(items) != number:
            raise ValueError("a named tuple has another length")
        return [self.decode(item) for item in items]

    _decoders: Mapping[str, Callable[["_Reader", Any], Any]] = {
        "bytes": _bytes,
        "tuple": lambda self, items: tuple(map(self.decode, items)),
        "set": lambda self, items: set(map(self.decode, items)),
        "frozenset": lambda self, items: frozenset(map(self.decode, items)),
        "dict": _dict,
        "datetime": lambda _, text: datetime.fromisoformat(text),
        "date": lambda _, text: date.fromisoformat(text),
        "timedelta": lambda _, parts: timedelta(*parts),
        "object": _object,
    }


def _member(found: type[Enum], value: Any) -> Enum:  # noqa: ANN401  # as `json`
    """Returns the member with `value`, without calling `_missing_`."""
    for member in found:
        if member.value == value and type(member.value) is type(value):
            return member
    raise ValueError("an enumeration has no such member")


def _error(found: type[Exception], arguments: tuple[Any, ...], attributes: dict[str, Any]) -> Exception:
    built_in = next(base for base in found.__mro__ if base.__module__ == builtins.__name__)
    error: Exception = built_in.__new__(found, *arguments)
    error.args = arguments
    vars(error).update(attributes)
    return error


def _instance(found: type, state: dict[str, Any]) -> Any:  # noqa: ANN401  # as `json`
    """Returns an instance with the fields in `state`, which must be all fields of the class."""
    names = _field_names(found)
    if state.keys() != set(names):
        raise ValueError("an object has other fields")
    if issubclass(found, BaseModel):
        return found.model_construct(**state)
    instance = object.__new__(found)
    for name, value in state.items():
        object.__setattr__(instance, name, value)
    return instance


def _field_names(found: type) -> tuple[str, ...]:
    if issubclass(found, BaseModel):
        return tuple(found.model_fields)
    return tuple(field.name for field in fields(cast(Any, found)))
