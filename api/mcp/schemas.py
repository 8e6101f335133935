"""JSON Schemas of tools, taken from the description of the API: a tool takes and gives what its operation does.

What comes in the address, in the query and in the header `Idempotency-Key` of the operation are members beside those of
the body. Schemas are whole in themselves: what they refer to is in `$defs`.
"""

from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any

from pydantic.json_schema import models_json_schema

from api.mcp.tool import Tool
from schemas.errors import ErrorRead

Schema = dict[str, Any]

_HERE = "#/components/schemas/"
_THERE = "#/$defs/"
_KEY = "Idempotency-Key"


def input_schema(tool: Tool[Any], described: Mapping[str, Any]) -> Schema:
    """What `tool` takes, after the API as it is `described`."""
    operation, schemas = _operation(tool, described), described["components"]["schemas"]
    properties, required = {}, []
    for parameter in operation.get("parameters", ()):
        if parameter["name"] not in tool.decided:
            name = "idempotencyKey" if parameter["name"] == _KEY else parameter["name"]
            properties[name] = _of_parameter(parameter)
            required += [name] if parameter.get("required") else []
    if "requestBody" in operation:
        body = _json(operation["requestBody"]["content"], schemas)
        body = _merged([_resolved(part, schemas) for part in body["oneOf"]]) if "oneOf" in body else body
        properties |= body.get("properties", {})
        required += body.get("required", [])
    properties |= {name: dict(member) for name, member in tool.own.items()}
    ordered = {name: properties[name] for name in (*required, *(n for n in properties if n not in required))}
    schema = {"type": "object", "properties": ordered, "required": required, "additionalProperties": False}
    return _whole(schema, schemas)


def output_schema(tool: Tool[Any], described: Mapping[str, Any]) -> Schema:
    """What `tool` answers: what its operation does, or the body that every error has."""
    schemas = dict(described["components"]["schemas"])
    content = _operation(tool, described)["responses"]["200"]["content"]
    names = [_named(content["application/json"]["schema"])] if "application/json" in content else []
    if tool.shown:
        _, own = models_json_schema([(m, "serialization") for m in tool.shown], ref_template=f"{_HERE}{{model}}")
        schemas |= {name: schema for name, schema in own["$defs"].items() if name not in schemas}
        names += [model.__name__ for model in tool.shown]
    any_of = [{"$ref": f"{_HERE}{name}"} for name in (*names, ErrorRead.__name__)]
    return _whole({"type": "object", "anyOf": any_of}, schemas)


def _operation(tool: Tool[Any], described: Mapping[str, Any]) -> Schema:
    operation: Schema = described["paths"][tool.operation.path][tool.operation.method.lower()]
    return operation


def _of_parameter(parameter: Schema) -> Schema:
    schema: Schema = deepcopy(parameter["schema"])
    if "description" in parameter:
        schema["description"] = parameter["description"]
    if "example" in parameter:
        schema.setdefault("examples", [parameter["example"]])
    return schema


def _json(content: Schema, schemas: Schema) -> Schema:
    return _resolved(content["application/json"]["schema"], schemas)


def _resolved(schema: Schema, schemas: Schema) -> Schema:
    found: Schema = schemas[_named(schema)] if "$ref" in schema else schema
    return found


def _named(schema: Schema) -> str:
    return str(schema["$ref"]).removeprefix(_HERE)


def _merged(parts: list[Schema]) -> Schema:
    """One object for several that are told apart by a member: language models are given no unions of whole inputs."""
    names = dict.fromkeys(name for part in parts for name in part["properties"])
    required = [name for name in names if all(name in part.get("required", ()) for part in parts)]
    return {"properties": {name: _either(parts, name) for name in names}, "required": required}


def _either(parts: list[Schema], name: str) -> Schema:
    found: list[Schema] = [part["properties"][name] for part in parts if name in part["properties"]]
    different = [schema for number, schema in enumerate(found) if schema not in found[:number]]
    if len(different) == 1:
        return different[0]
    words = {"description": next((part["description"] for part in different if "description" in part), name)}
    if all("const" in schema for schema in different):
        return {**words, "type": "string", "enum": [schema["const"] for schema in different]}
    return {**words, "anyOf": different}


def _whole(schema: Schema, schemas: Schema) -> Schema:
    """`schema` with all that it refers to, directly or not."""
    wanted, seen = list(_references(schema)), dict[str, Schema]()
    while wanted:
        name = wanted.pop()
        if name not in seen:
            seen[name] = schemas[name]
            wanted += _references(schemas[name])
    return dict(_moved({**schema, "$defs": {name: seen[name] for name in sorted(seen)}}))


def _references(node: object) -> Iterator[str]:
    if isinstance(node, dict):
        if isinstance(node.get("$ref"), str):
            yield _named(node)
        for name, part in node.items():
            if name != "discriminator":
                yield from _references(part)
    elif isinstance(node, list):
        for part in node:
            yield from _references(part)


def _moved(node: Any) -> Any:  # noqa: ANN401  # any JSON
    """With references that hold here, and without what only OpenAPI knows."""
    if isinstance(node, dict):
        kept = {name: _moved(part) for name, part in node.items() if not _is_discriminator(name, part)}
        if isinstance(kept.get("$ref"), str):
            kept["$ref"] = kept["$ref"].replace(_HERE, _THERE)
        return kept
    return [_moved(part) for part in node] if isinstance(node, list) else node


def _is_discriminator(name: str, part: object) -> bool:
    return name == "discriminator" and isinstance(part, dict) and "propertyName" in part
