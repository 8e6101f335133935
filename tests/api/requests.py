"""Requests with every member that the description of the API knows, and a walk through them beside their schemas."""

import copy
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from tests.api.operations import DESCRIPTION
from tests.api.service import session_request

SCHEMAS: Mapping[str, Any] = DESCRIPTION["components"]["schemas"]

_FIELD = {"recipient": "ada", "required": True, "placeholder": "a hint"}

BLOCKS: list[dict[str, Any]] = [
    {"type": "heading", "text": "1. Services"},
    {"type": "paragraph", "text": "The consultant advises.", "fontSize": 10, "bold": True, "align": "left"},
    {"type": "bulletList", "items": ["one", "two"]},
    {"type": "spacer", "height": 12},
    {"type": "pageBreak", "header": {"title": "Annex", "subtitle": "Prices"}},
    {"type": "field", **_FIELD, "fieldType": "text", "label": "Order", "name": "order"},
    {"type": "field", "recipient": "ada", "fieldType": "date", "label": "Start", "dateFormat": "DD/MM/YYYY"},
    {"type": "field", "recipient": "ada", "fieldType": "checkbox", "label": "Rules", "options": ["A", "B"]},
    {"type": "field", "recipient": "ada", "fieldType": "dropdown", "label": "Size", "options": ["S", "M"]},
    {"type": "field", "recipient": "ada", "fieldType": "radio", "label": "Plan", "options": ["P", "Q"]},
    {"type": "field", "recipient": "ada", "fieldType": "initials", "label": "Seen"},
    {
        "type": "fieldRow",
        "fields": [
            {**_FIELD, "fieldType": "text", "label": "First"},
            {"recipient": "ada", "fieldType": "date", "label": "From"},
            {"recipient": "ada", "fieldType": "radio", "label": "Colour", "options": ["Red", "Blue"]},
        ],
    },
    {
        "type": "fieldRow",
        "fields": [
            {"recipient": "ada", "fieldType": "checkbox", "label": "Agreed"},
            {"recipient": "ada", "fieldType": "initials", "label": "Read"},
            {**_FIELD, "fieldType": "dropdown", "label": "Fit", "options": ["Slim", "Wide"]},
        ],
    },
    {"type": "signatureBlock", "label": "For the client", "recipient": "ada"},
]
DOCUMENT = {"format": "blocks", "title": "Agreement", "subtitle": "A", "footerLabel": "B", "blocks": BLOCKS}
_VARIABLE = {"name": "rent", "displayName": "Rent", "type": "text", "defaultValue": "1", "description": "a month"}
_SETTINGS = {"expiryDays": 30, "message": "Hello", "reminderEnabled": True, "reminderFrequency": "weekly"}
_PEOPLE = [{**person, "signingOrder": at} for at, person in enumerate(session_request()["recipients"], start=1)]


def whole_requests() -> dict[str, dict[str, Any]]:
    """By the name of the schema of each body that holds a document or settings of a session, one that is right."""
    requests: dict[str, dict[str, Any]] = {
        "SessionCreate": {
            "name": "Agreement",
            "files": [{"type": "blocks", "document": DOCUMENT, "fileName": "Agreement"}],
            "recipients": _PEOPLE,
            **_SETTINGS,
        },
        "TemplateCreate": {
            "name": "Agreement", "document": DOCUMENT, "recipients": _PEOPLE, "variables": [_VARIABLE], **_SETTINGS,
        },
        "SessionPreview": {"kind": "session", "document": DOCUMENT, "recipients": _PEOPLE},
        "TemplatePreview": {
            "kind": "template", "document": DOCUMENT, "recipients": _PEOPLE, "variables": [_VARIABLE],
        },
    }  # fmt: skip
    return copy.deepcopy(requests)


ADDRESSES = {
    "SessionCreate": "/api/v1/Session",
    "TemplateCreate": "/api/v1/Template",
    "SessionPreview": "/api/v1/Document/Preview",
    "TemplatePreview": "/api/v1/Document/Preview",
}


class Leaf(NamedTuple):
    """A value that holds no others: where it stands, the member or array that holds it, and its schema."""

    path: str
    member: str
    schema: Mapping[str, Any]
    is_required: bool


def leaves(
    value: object, schema: Mapping[str, Any], at: tuple[str, str] = ("", ""), *, is_required: bool = True
) -> Iterator[Leaf]:
    """Every leaf of `value`, which is right by `schema`. `at` is its path and the member that holds it."""
    path, member = at
    schema, name = _resolved(schema, value)
    if isinstance(value, dict):
        for key, inner in value.items():
            if key in schema.get("properties", {}):
                place, needed = (f"{path}/{key}", f"{name}.{key}"), key in schema.get("required", ())
                yield from leaves(inner, schema["properties"][key], place, is_required=needed)
    elif isinstance(value, list):
        for position, inner in enumerate(value):
            yield from leaves(inner, schema["items"], (f"{path}/{position}", f"{member}[]"))
    else:
        yield Leaf(path, member, schema, is_required)


def _resolved(schema: Mapping[str, Any], value: object) -> tuple[Mapping[str, Any], str]:
    """The schema that `value` has to fit, without references and unions, and its name."""
    name = ""
    while True:
        if "$ref" in schema:
            name = str(schema["$ref"]).rpartition("/")[2]
            schema = SCHEMAS[name]
        elif "discriminator" in schema:
            rule = schema["discriminator"]
            assert isinstance(value, dict)
            schema = {"$ref": rule["mapping"][value[rule["propertyName"]]]}
        elif "anyOf" in schema:
            schema = next(way for way in schema["anyOf"] if "$ref" in way or way.get("type") != "null")
        else:
            return schema, name


def replaced(request: dict[str, Any], path: str, value: object) -> dict[str, Any]:
    """A copy of `request` with `value` at the JSON pointer `path`."""
    request = copy.deepcopy(request)
    *steps, last = path.split("/")[1:]
    here: Any = request
    for step in steps:
        here = here[int(step)] if isinstance(here, list) else here[step]
    here[int(last) if isinstance(here, list) else last] = value
    return request
