"""JSON Schemas of tools, derived from the operations of the tools in the OpenAPI description.

Parameters of the path and the query, and the header `Idempotency-Key`, become members of the input, like those of the
body. Schemas are self-contained: their references point to `$defs`.
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
_RENAMED = {"Idempotency-Key": "idempotencyKey"}
_OMITTED = "permanent"
"""The parameter of deletions: archiving and deleting are separate tools."""


def input_schema(tool: Tool[Any], described: Mapping[str, Any]) -> Schema:
    """Returns the schema of the input of `tool`, from the OpenAPI description `described`."""
    operation, schemas = _operation(tool, described), described["components"]["schemas"]
    properties, required = {}, []
    for parameter in operation.get("parameters", ()):
        if parameter["name"] != _OMITTED:
            name = _RENAMED.get(parameter["name"], parameter["name"])
            properties[name] = _of_parameter(parameter)
            required += [name] if parameter.get("required") else []
    if "requestBody" in operation:
        body = _resolved(operation["requestBody"]["content"]["application/json"]["schema"], schemas)
        body = _merged([_resolved(part, schemas) for part in body["oneOf"]]) if "oneOf" in body else body
        properties |= body.get("properties", {})
        required += body.get("required", [])
    properties |= {name: dict(member) for name, member in tool.own.items() if member is not None}
    properties = {name: member for name, member in properties.items() if tool.own.get(name, member) is not None}
    ordered = {name: properties[name] for name in (*required, *(n for n in properties if n not in required))}
    schema = {"type": "object", "properties": ordered, "required": required, "additionalProperties": False}
    return _self_contained(schema, schemas)


def output_schema(tool: Tool[Any], described: Mapping[str, Any]) -> Schema:
    """Returns the schema of the output of `tool`: a response of its operation, or the body of an error."""
    schemas = dict(described["components"]["schemas"])
    content = _operation(tool, described)["responses"]["200"]["content"]
    names = [_named(content["application/json"]["schema"])] if "application/json" in content else []
    if tool.responses:
        _, own = models_json_schema([(m, "serialization") for m in tool.responses], ref_template=f"{_HERE}{{model}}")
        schemas |= {name: schema for name, schema in own["$defs"].items() if name not in schemas}
        names += [model.__name__ for model in tool.responses]
    any_of = [{"$ref": f"{_HERE}{name}"} for name in (*names, ErrorRead.__name__)]
    return _self_contained({"type": "object", "anyOf": any_of}, schemas)


def _operation(tool: Tool[Any], described: Mapping[str, Any]) -> Schema:
    method, path = tool.operation.split()
    operation: Schema = described["paths"][path][method.lower()]
    return operation


def _of_parameter(parameter: Schema) -> Schema:
    schema: Schema = deepcopy(parameter["schema"])
    if "description" in parameter:
        schema["description"] = parameter["description"]
    if "example" in parameter:
        schema.setdefault("examples", [parameter["example"]])
    return schema


def _resolved(schema: Schema, schemas: Schema) -> Schema:
    resolved: Schema = schemas[_named(schema)] if "$ref" in schema else schema
    return resolved


def _named(schema: Schema) -> str:
    return str(schema["$ref"]).removeprefix(_HERE)


def _merged(parts: list[Schema]) -> Schema:
    """Returns one object schema for a union, because language models handle unions of whole inputs badly."""
    names = dict.fromkeys(name for part in parts for name in part["properties"])
    required = [name for name in names if all(name in part.get("required", ()) for part in parts)]
    return {"properties": {name: _either(parts, name) for name in names}, "required": required}


def _either(parts: list[Schema], name: str) -> Schema:
    variants: list[Schema] = [part["properties"][name] for part in parts if name in part["properties"]]
    different = [schema for number, schema in enumerate(variants) if schema not in variants[:number]]
    if len(different) == 1:
        return different[0]
    words = {"description": next((part["description"] for part in different if "description" in part), name)}
    if all("const" in schema for schema in different):
        return {**words, "type": "string", "enum": [schema["const"] for schema in different]}
    return {**words, "anyOf": different}


def _self_contained(schema: Schema, schemas: Schema) -> Schema:
    """Returns `schema` with the schemas that it refers to, directly or not, in `$defs`."""
    names, definitions = list(_references(schema)), dict[str, Schema]()
    while names:
        name = names.pop()
        if name not in definitions:
            definitions[name] = schemas[name]
            names += _references(schemas[name])
    return dict(_localised({**schema, "$defs": dict(sorted(definitions.items()))}))


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


def _localised(node: Any) -> Any:  # noqa: ANN401  # any JSON
    """Returns `node` with references to `$defs`, and without discriminators, which only OpenAPI has."""
    if isinstance(node, dict):
        parts = {name: _localised(part) for name, part in node.items() if not _is_discriminator(name, part)}
        if isinstance(parts.get("$ref"), str):
            parts["$ref"] = parts["$ref"].replace(_HERE, _THERE)
        return parts
    return [_localised(part) for part in node] if isinstance(node, list) else node


def _is_discriminator(name: str, part: object) -> bool:
    return name == "discriminator" and isinstance(part, dict) and "propertyName" in part
