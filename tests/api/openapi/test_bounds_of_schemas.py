"""All that a request may hold has a bound: every text a length, every array and object a number of members."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from pydantic import BaseModel

from api.mcp.server import TOOLS
from tests.api.operations import DESCRIPTION, OPERATIONS, Operation
from web.payload_codec import PayloadsBody

Schema = Mapping[str, Any]
SCHEMAS: Schema = DESCRIPTION["components"]["schemas"]
_BOUNDED_FORMATS = {"date-time", "date", "uuid"}


def schemas_of(operation: Operation) -> Iterator[tuple[str, Schema]]:
    """Those of its parameters and bodies, each with the place where it stands. The server bounds addresses."""
    for parameter in operation.described.get("parameters", []):
        if parameter["in"] == "path":
            continue
        yield f"{parameter['in']} {parameter['name']}", parameter["schema"]
    for kind, content in operation.described.get("requestBody", {}).get("content", {}).items():
        yield kind, content["schema"]


def unbounded(place: str, schema: Schema, schemas: Schema, seen: frozenset[str] = frozenset()) -> Iterator[str]:
    """The places in `schema`, which refers to `schemas`, where something may be of any length."""
    name = str(schema.get("$ref", "")).rpartition("/")[2]
    if name:
        if name not in seen:
            yield from unbounded(f"{place} {name}", schemas[name], schemas, seen | {name})
        return
    for way in (*schema.get("anyOf", ()), *schema.get("oneOf", ()), *schema.get("allOf", ())):
        yield from unbounded(place, way, schemas, seen)
    kind = schema.get("type")
    if kind == "string" and not is_bounded_text(schema):
        yield place
    if kind == "array":
        if "maxItems" not in schema:
            yield place
        yield from unbounded(f"{place}[]", schema.get("items", {}), schemas, seen)
    if kind == "object":
        yield from of_object(place, schema, schemas, seen)
    if not kind and not {"anyOf", "oneOf", "allOf", "enum", "const"} & schema.keys():
        yield f"{place} (anything)"


def of_object(place: str, schema: Schema, schemas: Schema, seen: frozenset[str]) -> Iterator[str]:
    for member, inner in schema.get("properties", {}).items():
        yield from unbounded(f"{place}.{member}", inner, schemas, seen)
    others = schema.get("additionalProperties", True)
    if isinstance(others, dict):
        if "maxProperties" not in schema:
            yield place
        yield from unbounded(f"{place}.*", others, schemas, seen)
        yield from unbounded(f"{place} names", {"type": "string", **schema.get("propertyNames", {})}, schemas, seen)


def is_bounded_text(schema: Schema) -> bool:
    return bool({"maxLength", "enum", "const"} & schema.keys()) or schema.get("format") in _BOUNDED_FORMATS


@pytest.mark.parametrize("operation", OPERATIONS, ids=str)
def test_nothing_in_a_request_may_be_of_any_length(operation: Operation) -> None:
    assert [found for place, schema in schemas_of(operation) for found in unbounded(place, schema, SCHEMAS)] == []


@pytest.mark.parametrize("model", [PayloadsBody, *dict.fromkeys(tool.model for tool in TOOLS.values())])
def test_nor_may_anything_that_the_description_does_not_have(model: type[BaseModel]) -> None:
    schema = model.model_json_schema()
    assert list(unbounded(model.__name__, schema, schemas=schema.get("$defs", {}))) == []


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string"},
        {"type": "array", "items": {"type": "integer"}},
        {"type": "array", "maxItems": 2, "items": {"type": "string"}},
        {"type": "object", "properties": {"a": {"anyOf": [{"type": "string"}, {"type": "null"}]}}},
        {"type": "object", "additionalProperties": {"type": "integer"}},
        {},
    ],
)
def test_what_has_no_bound_is_found(schema: Schema) -> None:
    assert list(unbounded("body", schema, {}))
