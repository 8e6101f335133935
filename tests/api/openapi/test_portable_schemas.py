"""What generators of clients need of the description."""

from collections.abc import Mapping
from typing import Any

import pytest

from api.openapi.portable_schemas import make_portable
from application.schemas.errors import ErrorRead
from domain.session.status import SessionStatus
from tests.api.operations import DESCRIPTION, OPERATIONS, nodes
from tests.api.service import Service
from web.asgi.error_handlers import STATUSES

SCHEMAS: dict[str, Any] = DESCRIPTION["components"]["schemas"]
PARAMETERS = [parameter for operation in OPERATIONS for parameter in operation.described.get("parameters", ())]


def test_no_schema_has_a_default_or_is_only_null() -> None:
    """A member with a default is taken as one that is always there; a member that is only null cannot be typed."""
    for name, schema in SCHEMAS.items():
        assert [node for node in nodes(schema) if "default" in node or node.get("type") == "null"] == [
            node for node in nodes(schema) if node == {"type": "null"}
        ], name
        assert [m for m, member in schema.get("properties", {}).items() if member.get("type") == "null"] == []


def test_no_parameter_can_be_null() -> None:
    assert len(PARAMETERS) > 50
    assert [p["name"] for p in PARAMETERS if {"type": "null"} in p["schema"].get("anyOf", ())] == []
    assert [p["name"] for p in PARAMETERS if p["schema"].get("default", 0) in (None, "", [], {})] == []


def test_codes_and_statuses_are_enums() -> None:
    examples = {
        code
        for operation in OPERATIONS
        for answer in operation.described["responses"].values()
        for code in answer.get("content", {}).get("application/json", {}).get("examples", ())
        if code.isupper()
    }
    assert examples | STATUSES.keys() <= set(SCHEMAS["ErrorCode"]["enum"])
    assert SCHEMAS[ErrorRead.__name__]["properties"]["error"] == {"$ref": "#/components/schemas/ErrorCode"}
    (status,) = [p for p in _parameters("/api/v1/Sessions") if p["name"] == "status"]
    assert (status["style"], status["explode"]) == ("form", False)
    assert status["schema"]["items"] == {"$ref": "#/components/schemas/SessionStatus"}
    assert SCHEMAS["SessionStatus"]["enum"] == [*SessionStatus]


def test_forms_come_first_and_have_names() -> None:
    bodies = [o.described["requestBody"]["content"] for o in OPERATIONS if "requestBody" in o.described]
    forms = [content for content in bodies if "multipart/form-data" in content]

    assert len(forms) == 3
    assert all("$ref" in content["multipart/form-data"]["schema"] for content in forms)


async def test_enums_and_forms_are_first_in_the_served_description(service: Service) -> None:
    served = (await service.http(None).get("/openapi.json")).json()

    has_enum = ["enum" in schema for schema in served["components"]["schemas"].values()]
    assert has_enum == sorted(has_enum, reverse=True)
    for path in ("/api/v1/Image", "/api/v1/File", "/api/v1/SessionFromTemplate/Batch"):
        content = served["paths"][path]["post"]["requestBody"]["content"]
        assert [*content] == ["multipart/form-data", "application/json"]


def test_each_operation_says_whether_it_needs_a_token() -> None:
    assert [str(operation) for operation in OPERATIONS if "security" not in operation.described] == []


def test_no_tag_is_of_operations_and_of_the_webhook() -> None:
    """Generators write a file for each tag, and the second of a name replaces the first."""
    (webhook,) = DESCRIPTION["webhooks"].values()
    assert not {*webhook["post"]["tags"]} & {tag for operation in OPERATIONS for tag in operation.described["tags"]}


@pytest.mark.parametrize(
    ("member", "description"),
    [
        ({"type": "boolean", "default": False, "description": "Whether."}, "Whether. Default: `false`."),
        ({"type": "string", "default": "weekly", "description": "How often."}, "How often. Default: `weekly`."),
        ({"type": "string", "default": "a", "description": "A text. Default: that."}, "A text. Default: that."),
        ({"type": "array", "default": [], "description": "Some."}, "Some."),
        ({"anyOf": [{"type": "string"}, {"type": "null"}], "default": None, "description": "It."}, "It."),
    ],
)
def test_a_default_is_moved_into_the_description(member: dict[str, Any], description: str) -> None:
    named: Mapping[str, Any] = {"default": {"type": "string", "description": "a member of this name"}}
    schemas = {"Some": {"properties": {"one": member, **named}}, "ErrorRead": {"properties": {}}}

    make_portable({"components": {"schemas": schemas}, "paths": {}})

    assert "default" not in member
    assert member["description"] == description
    assert schemas["Some"]["properties"]["default"] == named["default"]


def _parameters(path: str) -> list[dict[str, Any]]:
    (operation,) = [o for o in OPERATIONS if o.path == path and o.method == "GET"]
    return list(operation.described["parameters"])
