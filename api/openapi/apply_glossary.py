"""Gives every schema, member and parameter of a description its words from the glossary, where it has none."""

import re
from collections.abc import Collection
from typing import Any

from api.openapi.glossary import SCHEMAS, find_term


def add_descriptions(described: dict[str, Any]) -> None:
    """Adds them to `described`, in place."""
    schemas = described["components"]["schemas"]
    for name, schema in schemas.items():
        if name in SCHEMAS:
            schema["description"] = SCHEMAS[name]
        if "description" in schema:
            schema["description"] = _without_reference(schema["description"])
        for member, value in schema.get("properties", {}).items():
            value.pop("title", None)  # the member's name in other letters
            _explain(name, member, value)
    for item in described["paths"].values():
        for operation in item.values():
            for parameter in operation.get("parameters", ()):
                parameter["schema"].pop("title", None)
                _explain("", parameter["name"], parameter)


_IDENTIFIERS = frozenset({"sessionId", "fileId", "recipientId", "templateId", "eventId"})
"""Members of answers, and of callbacks, that are UUIDs. What a request names is looked up, whatever it is."""


def mark_identifiers(schemas: dict[str, Any], requested: Collection[str]) -> None:
    """Says of identifiers that they are UUIDs, in place, in all but the `requested` schemas."""
    for name, schema in schemas.items():
        for member, value in schema.get("properties", {}).items() if name not in requested else ():
            if member in _IDENTIFIERS:
                for way in (value, *value.get("anyOf", ())):
                    if way.get("type") == "string":
                        way["format"] = "uuid"


def _without_reference(description: str) -> str:
    """Without the sentence that tells programmers which section of the specification this is made after."""
    return re.sub(r"\s*Specification \d+(\.\d+)?(, \d+(\.\d+)?)*\.", "", description)


def _explain(schema: str, member: str, value: dict[str, Any]) -> None:
    word = find_term(schema, member)
    if word is None or "description" in value:
        return
    value["description"] = word.meaning
    if word.example is None or not _may_have(value):
        return
    if "in" in value:  # a parameter, whose examples OpenAPI writes otherwise than JSON Schema
        value["example"] = word.example
    else:
        value["examples"] = [word.example]


def _may_have(value: dict[str, Any]) -> bool:
    """Whether an example may stand here: not beside one of its own, and not for values of a closed set."""
    return not {"examples", "example", "const", "enum", "$ref"} & value.keys()
