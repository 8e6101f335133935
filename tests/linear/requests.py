"""Every class of requests and of parts of block documents, each as a place where texts enter all of its members."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from pkgutil import iter_modules
from typing import get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import from_json, to_json

from application import schemas
from application.parse_json import exceeded_limit, find_json_fault
from application.schemas.base import RequestModel
from application.validation_issues import issues_of
from layout.schema.block_document import Part

for _module in iter_modules(schemas.__path__):
    import_module(f"{schemas.__name__}.{_module.name}")


def _kinds_of(base: type[BaseModel]) -> Iterator[type[BaseModel]]:
    for kind in base.__subclasses__():
        yield kind
        yield from _kinds_of(kind)


REQUESTS: Mapping[str, type[BaseModel]] = {
    kind.__name__: kind for base in (RequestModel, Part) for kind in _kinds_of(base)
}


def parse_with(model: type[BaseModel], text: str) -> None:
    """Parses a body of `model` whose members all hold `text`: as a string, in a list, and as name and value."""
    kind = get_args(model.model_fields["type"].annotation) if "type" in model.model_fields else ()
    fixed = {"type": kind[0]} if kind else {}
    names = [field.alias or name for name, field in model.model_fields.items()]
    for value in (text, [text, text + "b"], {text: text}):
        body = to_json({**dict.fromkeys(names, value), **fixed, text: text})
        if exceeded_limit(body) or find_json_fault(body):
            continue
        try:
            model.model_validate_json(body)
        except ValidationError as error:
            issues_of(error.errors(include_url=False, include_input=False), from_json(body))
