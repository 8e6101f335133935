"""The OpenAPI description, compared with the one that was reviewed.

To accept a change: look at `tests/goldens/openapi.actual.json`, then move it over `openapi.json`.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, get_args

import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

from api.openapi.responses import HEADERS
from api.openapi.schema_descriptions import ENUMS
from application.scopes import MEANINGS
from layout.schema.block_document import FieldType
from tests import ROOT
from tests.api.service import Service

GOLDENS = ROOT / "tests" / "goldens"
OURS = ("/api/", "/oidc/", "/.well-known/", "/objects/", "/healthz", "/readyz")


def described(service: Service) -> dict[str, Any]:
    """The description of what this package serves; pages come and go without changing the contract."""
    description = json.loads(json.dumps(service.app.openapi()))
    description["paths"] = {path: item for path, item in description["paths"].items() if path.startswith(OURS)}
    return dict(description)


async def test_the_description_is_the_one_that_was_reviewed(service: Service) -> None:
    actual = json.dumps(described(service), indent=2, sort_keys=True, ensure_ascii=False) + "\n"
    written = GOLDENS / "openapi.actual.json"

    if actual != (GOLDENS / "openapi.json").read_text():
        written.write_text(actual)

    assert actual == (GOLDENS / "openapi.json").read_text(), f"see {written}"
    written.unlink(missing_ok=True)


async def test_every_reference_leads_somewhere(service: Service) -> None:
    description = service.app.openapi()
    names = description["components"]["schemas"].keys()

    def references(node: object) -> list[str]:
        if isinstance(node, dict):
            own = [node["$ref"]] if isinstance(node.get("$ref"), str) else []
            return own + [found for value in node.values() for found in references(value)]
        return [found for value in node for found in references(value)] if isinstance(node, list) else []

    assert {reference.rsplit("/", 1)[1] for reference in references(description)} <= {*names, *HEADERS}


async def test_every_route_of_the_api_names_its_scope_and_its_refusals(service: Service) -> None:
    for path, item in service.app.openapi()["paths"].items():
        if not path.startswith("/api/v1"):
            continue
        for operation in item.values():
            assert {scope for way in operation["security"] for scope in way["accessToken"]} <= set(MEANINGS)
            assert all(way["accessToken"] for way in operation["security"])
            assert {"200", "401", "403", "503"} <= operation["responses"].keys()
            assert "HTTPValidationError" not in str(operation["responses"])


async def test_the_description_is_served(service: Service) -> None:
    answer = await service.http(None).get("/openapi.json")

    assert answer.json()["info"]["title"] == "Undersign"


def operations(description: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for path, item in description["paths"].items():
        for method, operation in item.items():
            yield f"{method.upper()} {path}", operation


def test_the_description_is_valid_openapi(service: Service) -> None:
    description = described(service)

    validate(description)

    assert description["openapi"].startswith("3.1")


def test_every_schema_and_every_member_of_it_is_explained(service: Service) -> None:
    schemas = service.app.openapi()["components"]["schemas"]

    assert [name for name, schema in schemas.items() if not schema.get("description")] == []
    assert [
        f"{name}.{member}: describe it"
        for name, schema in schemas.items()
        for member, value in schema.get("properties", {}).items()
        if not (value.get("description") or value.get("const") or "$ref" in value)
    ] == []


def test_every_operation_is_named_told_and_filed_under_one_tag(service: Service) -> None:
    description = described(service)
    tags = {tag["name"] for tag in description["tags"]}
    names = [operation["operationId"] for _, operation in operations(description)]

    assert len(names) == len(set(names))
    for where, operation in operations(description):
        assert re.fullmatch("[a-z]+([A-Z][a-z]+)*", operation["operationId"]), where
        assert operation["summary"], where
        assert operation["description"], where
        assert len(operation["tags"]) == 1, where
        assert set(operation["tags"]) <= tags, where
        assert [p["name"] for p in operation.get("parameters", ()) if not p.get("description")] == [], where


def test_every_error_is_in_the_one_shape_with_its_codes(service: Service) -> None:
    for where, operation in operations(described(service)):
        assert "500" in operation["responses"], where
        for status, answer in operation["responses"].items():
            by_other_rules = " /oidc/" in where and status in {"400", "401"}  # those of OAuth
            if status in {"200", "201"} or by_other_rules or "/readyz" in where:
                continue
            content = answer["content"]["application/json"]
            assert content["schema"]["$ref"].endswith("/ErrorRead"), (where, status)
            assert content["examples"], (where, status)
            for code, example in content["examples"].items():
                assert example["value"]["error"] == code, (where, status)
                assert f"`{code}`" in answer["description"], (where, status)


def test_whatever_takes_a_key_says_what_a_key_may_come_to(service: Service) -> None:
    keyed = [
        (where, operation)
        for where, operation in operations(described(service))
        if any(parameter["name"] == "Idempotency-Key" for parameter in operation.get("parameters", ()))
    ]

    assert len(keyed) == 8
    for where, operation in keyed:
        assert {"404", "409", "422"} <= operation["responses"].keys(), where
        assert "Idempotency-Replayed" in operation["responses"]["200"]["headers"], where


def test_each_value_of_a_closed_set_is_explained(service: Service) -> None:
    schemas = service.app.openapi()["components"]["schemas"]
    sets = {name: set(schema["enum"]) for name, schema in schemas.items() if "enum" in schema}

    assert sets.keys() - ENUMS.keys() == {"FileType", "ZoneType"}  # whose values say themselves what they are
    for name in sets.keys() & ENUMS.keys():
        assert sets[name] == ENUMS[name][1].keys(), f"{name}: see api/openapi/schema_descriptions.py"


def test_it_is_said_to_wait_only_where_waiting_helps(service: Service) -> None:
    for where, operation in operations(described(service)):
        for status, answer in operation["responses"].items():
            codes = set(answer.get("content", {}).get("application/json", {}).get("examples", ()))
            waits = status in {"429", "503"} or codes & {"DOCUMENT_NOT_READY", "IDEMPOTENCY_IN_PROGRESS"}
            assert ("Retry-After" in answer["headers"]) == bool(waits), (where, status)


def test_files_are_described_as_they_are_sent(service: Service) -> None:
    paths = described(service)["paths"]

    for path in ("/objects/{token}", "/api/v1/Session/{sessionId}/Certificate"):
        answer = paths[path]["get"]["responses"]["200"]
        assert answer["content"].keys() == {"application/pdf"}
        assert "Content-Disposition" in answer["headers"]


def test_whatever_takes_a_body_says_what_is_wrong_with_one(service: Service) -> None:
    for where, operation in operations(described(service)):
        if "/api/v1" in where and "requestBody" in operation:
            assert {"400", "413", "415"} <= operation["responses"].keys(), where
            assert operation["requestBody"]["content"]["application/json"]["schema"]["$ref"], where


def test_the_examples_are_what_they_are_examples_of(service: Service) -> None:
    description = service.app.openapi()
    schemas = description["components"]["schemas"]
    seen = 0
    for name, schema in schemas.items():
        for member, value in [("", schema), *schema.get("properties", {}).items()]:
            for example in value.get("examples", ()):
                rules = {**value, "components": {"schemas": schemas}}
                errors = list(Draft202012Validator(rules).iter_errors(example))
                assert not errors, (name, member, errors[0].message)
                seen += 1
    assert seen > 40


def test_every_block_and_every_preview_is_told_apart_by_a_member(service: Service) -> None:
    schemas = service.app.openapi()["components"]["schemas"]

    blocks = schemas["BlockDocument"]["properties"]["blocks"]["items"]

    assert blocks["discriminator"]["propertyName"] == "type"
    assert len(blocks["discriminator"]["mapping"]) == len(blocks["oneOf"]) == 9
    assert schemas["PreviewCreate"]["discriminator"]["propertyName"] == "kind"


@pytest.mark.parametrize("name", ["InputField", "RowField"])
def test_every_field_is_told_apart_by_its_type_and_takes_what_that_type_takes(service: Service, name: str) -> None:
    schemas = service.app.openapi()["components"]["schemas"]
    mapping = {
        kind: schemas[where.rpartition("/")[2]] for kind, where in schemas[name]["discriminator"]["mapping"].items()
    }

    assert mapping.keys() == set(get_args(FieldType))
    assert {kind for kind, schema in mapping.items() if "options" in schema["required"]} == {"radio", "dropdown"}
    assert {kind for kind, schema in mapping.items() if schema["properties"]["options"].get("type") != "null"} == {
        "radio", "dropdown", "checkbox",
    }  # fmt: skip
    assert {kind for kind, schema in mapping.items() if schema["properties"]["dateFormat"].get("type") != "null"} == {
        "date"
    }
