"""Descriptions of schemas that belong to the domain, the layout engine and OAuth registration."""

from collections.abc import Mapping
from typing import Any

from domain.texts.described_enum import DescribedEnum

SCHEMAS: Mapping[str, str] = {
    "JsonValue": "Any JSON value.",
    "ZoneType": "Type of a zone: a field type, or the name, date or signature of a signature block.",
}

MEMBERS: Mapping[str, Mapping[str, tuple[Any, ...]]] = {
    "Registration": {"grant_types": ("Grant types that the program uses.",), "response_types": ("Always `code`.",)},
    "RegisteredRead": {
        "client_id": ("Client id of the program.", "5f0c3c1e-3f0b-4b7a-9d5c-6f1f2a3b4c5d"),
        "client_name": ("Name of the program for display. Not verified.", "Assistant"),
        "client_secret": ("Secret of the program, returned only once. null: the program has none.",),
        "grant_types": ("Grant types of the program.",),
        "redirect_uris": ("Redirect URIs, compared as strings. Loopback addresses match with any port.",),
        "response_types": ("Always `code`.",),
        "scope": ("Scopes that the program may request, separated by spaces.",),
        "token_endpoint_auth_method": ("How the program authenticates; `none` for a program without a secret.",),
    },
    "RegistrationErrorRead": {
        "error": ("Error code of OAuth.",),
        "error_description": ("Explanation for developers.",),
    },
}
"""Descriptions of members, by schema, some with an example."""

EXAMPLES: Mapping[str, Any] = {
    "Registration": {"client_name": "Contract assistant", "redirect_uris": ["https://assistant.example.com/callback"]},
    "RegistrationErrorRead": {
        "error": "invalid_redirect_uri",
        "error_description": "A redirect_uri is an https address without a fragment.",
    },
}


def add_descriptions(schemas: dict[str, Any]) -> None:
    """Adds descriptions and examples to `schemas`, in place."""
    for enum in DescribedEnum.__subclasses__():
        if enum.__name__ in schemas:
            schemas[enum.__name__]["description"] = enum.described()
    for name, text in SCHEMAS.items():
        schemas[name]["description"] = text
    for name, members in MEMBERS.items():
        for member, (text, *examples) in members.items():
            described = {"description": text, **({"examples": examples} if examples else {})}
            schemas[name]["properties"][member] = {**described, **schemas[name]["properties"][member]}
    for name, example in EXAMPLES.items():
        schemas[name]["examples"] = [example]
