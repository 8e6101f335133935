"""JSON Schemas of tools, derived from the operations of the tools in the OpenAPI description.

Parameters of the path and the query, and the header `Idempotency-Key`, become members of the input, like those of the
body. Schemas are self-contained: their references point to `$defs`.

A client passes the schemas of all tools to its language model in every conversation. So a block document has the names
of its blocks only, whose members the description of preview_document lists, and there are no schemas of outputs, no
examples and few limits. Descriptions are shortened.
"""

import re
from collections.abc import Iterator, Mapping
from copy import deepcopy
from itertools import accumulate
from typing import Any

from api.mcp.tool import Tool
from layout.schema.block_document import BlockDocument

Schema = dict[str, Any]

_HERE = "#/components/schemas/"
_THERE = "#/$defs/"
_RENAMED = {"Idempotency-Key": "idempotencyKey"}
_DESCRIBED = {"idempotencyKey": {"description": "repeats with it take effect once"}}
_LEFT_OUT = frozenset(
    {"additionalProperties", "discriminator", "examples", "format", "maxLength", "minLength", "pattern"}
    | {"maxItems", "maxProperties", "minItems", "minimum", "propertyNames", "title"}
)
_SENTENCE = re.compile(r".+?(?:\. |$)", re.DOTALL)
_KEPT = ("Default:", "`")
_ENOUGH = 60  # characters of a description after which no sentence is added
_MAX_VALUES = 12
"""Values of an enum from which on it is left out: the languages."""
_OMITTED = "permanent"
"""The parameter of deletions: archiving and deleting are separate tools."""


def input_schema(tool: Tool[Any], described: Mapping[str, Any]) -> Schema:
    """Returns the schema of the input of `tool`, from the OpenAPI description `described`."""
    operation, schemas = _operation(tool, described), described["components"]["schemas"]
    properties, required = {}, []
    for parameter in operation.get("parameters", ()):
        if parameter["name"] != _OMITTED:
            name = _RENAMED.get(parameter["name"], parameter["name"])
            properties[name] = {**_of_parameter(parameter), **_DESCRIBED.get(name, {})}
            required += [name] if parameter.get("required") else []
    if "requestBody" in operation:
        body = _resolved(operation["requestBody"]["content"]["application/json"]["schema"], schemas)
        body = _merged([_resolved(part, schemas) for part in body["oneOf"]]) if "oneOf" in body else body
        properties |= body.get("properties", {})
        required += body.get("required", [])
    properties |= {name: dict(member) for name, member in tool.own.items() if member is not None}
    properties = {name: member for name, member in properties.items() if tool.own.get(name, member) is not None}
    ordered = {name: properties[name] for name in (*required, *(n for n in properties if n not in required))}
    schema = {"type": "object", "properties": ordered, **({"required": required} if required else {})}
    return {**_self_contained(schema, schemas), "additionalProperties": False}


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
    document = BlockDocument.__name__
    schemas = {**schemas, document: _outlined(schemas[document])}
    schema = _with_enums(schema, schemas)
    names, definitions = list(_references(schema)), dict[str, Schema]()
    while names:
        name = names.pop()
        if name not in definitions:
            definitions[name] = _with_enums(schemas[name], schemas)
            names += _references(definitions[name])
    parts = {"$defs": dict(sorted(definitions.items()))} if definitions else {}
    return dict(_localised({**schema, **parts}))


def _with_enums(schema: Schema, schemas: Schema) -> Schema:
    """Returns `schema` with the enums that its members refer to in place of the references."""
    members = {
        name: {**schemas[_named(member)], **{key: part for key, part in member.items() if key != "$ref"}}
        if "$ref" in member and "enum" in schemas[_named(member)]
        else member
        for name, member in schema.get("properties", {}).items()
    }
    return {**schema, "properties": members} if members else schema


def _outlined(document: Schema) -> Schema:
    """Returns the schema of a block document with the types of its blocks, but not their members."""
    types = [*document["properties"]["blocks"]["items"]["discriminator"]["mapping"]]
    block = {"type": "object", "required": ["type"], "properties": {"type": {"enum": types}}}
    members = {name: document["properties"][name] for name in document["required"]}
    members["blocks"] = {"type": "array", "items": block}
    text = "The description of preview_document lists all its members and those of its blocks."
    return {"type": "object", "properties": members, "required": document["required"], "description": text}


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
    if isinstance(node, list):
        return [_localised(part) for part in node]
    if not isinstance(node, dict):
        return node
    parts = {name: _localised(part) for name, part in node.items() if name not in _LEFT_OUT or _is_member(name, part)}
    if isinstance(parts.get("enum"), list) and len(parts["enum"]) > _MAX_VALUES:
        del parts["enum"]
    if isinstance(parts.get("description"), str):
        parts["description"] = _shortened(parts["description"])
    if isinstance(parts.get("$ref"), str):
        parts["$ref"] = parts["$ref"].replace(_HERE, _THERE)
    match parts.get("anyOf"):
        case [{"type": str()} as only, {"type": "null"}] if "null" not in parts.get("description", ""):
            # Null means the same as no member, which is shorter.
            return {**only, **{name: part for name, part in parts.items() if name != "anyOf"}}
    return parts


def _shortened(text: str) -> str:
    """Returns the first sentences of `text`, and those about values and the default."""
    sentences = _SENTENCE.findall(text)
    ends = accumulate(len(sentence) for sentence in sentences)
    kept = [s for s, end in zip(sentences, ends, strict=True) if end - len(s) < _ENOUGH or s.startswith(_KEPT)]
    return "".join(kept).strip()


def _is_member(name: str, part: object) -> bool:
    """Returns whether `part` is a schema: of a member that is named like a keyword, or of all other members."""
    return isinstance(part, dict) and name not in {"discriminator", "propertyNames"}
