"""`make models`: prints `undersign/models.py`, the responses of the API for the client, from those of the service.

Members have their types and defaults only: rules that the service has met need no check in the client.
"""

import inspect
import re
import sys
import textwrap
import types
from collections.abc import Iterable, Iterator
from datetime import datetime
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from application import schemas
from application.schemas.base import ResponseModel
from application.schemas.oauth import TokenRead

HEAD = '''"""Responses of the API. `make models` writes this file from the schemas of the service: do not edit it."""

from typing import Any, Literal

from pydantic import BaseModel

from undersign.response import OpenEnum, ResponseModel, Timestamp
'''


_NAMES = {type(None): "None", datetime: "Timestamp"}


def responses() -> list[type[BaseModel]]:
    """Returns the models of responses, each after its bases and the models of its members."""
    for path in sorted(Path(schemas.__path__[0]).glob("*.py")):
        import_module(f"application.schemas.{path.stem}")
    found: dict[type[BaseModel], None] = {}
    for model in (*filter(is_response, _subclasses(ResponseModel)), TokenRead):
        _add(model, found)
    return list(found)


def _subclasses(model: type[BaseModel]) -> Iterator[type[BaseModel]]:
    for kind in sorted(model.__subclasses__(), key=lambda kind: kind.__name__):
        yield kind
        yield from _subclasses(kind)


def _add(model: type[BaseModel], found: dict[type[BaseModel], None]) -> None:
    if model in found:
        return
    for needed in (*model.__bases__, *_classes(own_fields(model).values())):
        if is_response(needed):
            _add(needed, found)
    found[model] = None


def own_fields(model: type[BaseModel]) -> dict[str, FieldInfo]:
    return {name: model.model_fields[name] for name in inspect.get_annotations(model) if name in model.model_fields}


def is_response(kind: object) -> bool:
    is_model = inspect.isclass(kind) and issubclass(kind, BaseModel)
    return is_model and kind.__module__.startswith("application.schemas.") and kind is not ResponseModel


def enums(models: list[type[BaseModel]]) -> list[type[StrEnum]]:
    """Returns the enums of the members of `models`, by name."""
    fields = [field for model in models for field in own_fields(model).values()]
    found = {kind for kind in _classes(fields) if issubclass(kind, StrEnum)}
    return sorted(found, key=lambda kind: kind.__name__)


def _classes(fields: Iterable[FieldInfo]) -> Iterator[type]:
    """Yields the classes in the types of `fields`."""
    pending = [field.annotation for field in fields]
    while pending:
        kind = pending.pop(0)
        pending += [one for one in get_args(kind) if get_origin(kind) is not Literal]
        if inspect.isclass(kind):
            yield kind


def source_of(kind: Any) -> str:  # noqa: ANN401  # any type
    """Returns a type as it is written in Python.

    A block document is a mapping, as in requests. One of several texts is a text, as later versions may add others.
    """
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated or hasattr(kind, "__supertype__"):
        return source_of(arguments[0] if arguments else kind.__supertype__)
    if origin in (Union, types.UnionType):
        return " | ".join(dict.fromkeys(map(source_of, arguments)))
    if origin is Literal:
        return f"Literal[{_quoted(arguments[0])}]" if len(arguments) == 1 else "str"
    if origin is not None:
        return f"{origin.__name__}[{', '.join('...' if one is ... else source_of(one) for one in arguments)}]"
    return _name_of(kind)


def _name_of(kind: Any) -> str:  # noqa: ANN401  # any type
    if kind in _NAMES:
        return _NAMES[kind]
    is_foreign = inspect.isclass(kind) and issubclass(kind, BaseModel) and not is_response(kind)
    return "dict[str, Any]" if is_foreign else str(kind.__name__)


def default_of(field: FieldInfo) -> str:
    if field.is_required():
        return ""
    if isinstance(field.default, StrEnum):
        return f" = {type(field.default).__name__}.{field.default.name}"
    return f" = {_quoted(field.default)}"


def _quoted(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else repr(value)


def class_of(name: str, bases: str, text: str | None, members: list[str]) -> str:
    """Returns the source of a class. Its docstring refers to no specification."""
    plain = re.sub(r"\s*\(?Specification [\d.]+(, [\d.]+)*\)?", "", inspect.cleandoc(text or "").partition("\n\n")[0])
    lines = textwrap.wrap(plain, 110)
    end = '"""' if len(lines) < 2 else '\n"""'
    docstring = textwrap.indent('"""' + "\n".join(lines) + end, "    ") + "\n" if lines else ""
    body = "".join(f"    {member}\n" for member in members)
    return f"class {name}({bases}):\n{docstring}{chr(10) if docstring and body else ''}{body}"


def models_file() -> str:
    """Returns the text of `undersign/models.py`."""
    models = responses()
    parts = [HEAD]
    for enum in enums(models):
        values = [f'{member.name} = "{member.value}"' for member in enum]
        parts.append(class_of(enum.__name__, "OpenEnum", enum.__doc__, values))
    for model in models:
        bases = ", ".join(base.__name__ for base in model.__bases__ if base is not BaseModel) or "BaseModel"
        fields = [
            f"{name}: {source_of(field.annotation)}{default_of(field)}" for name, field in own_fields(model).items()
        ]
        parts.append(class_of(model.__name__, bases, model.__doc__, fields))
    return "\n\n".join(parts)


if __name__ == "__main__":
    sys.stdout.write(models_file())
