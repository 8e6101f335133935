"""The OpenAPI description: its outline is compared with the one that was reviewed, and its texts have rules.

To accept a change: look at `tests/goldens/openapi.actual.txt`, then move it over `openapi.txt`.
"""

import re
from collections.abc import Iterator
from typing import Any
from uuid import UUID

from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

from api.openapi.responses import HEADERS
from application.scopes import MEANINGS
from domain.texts.described_enum import DescribedEnum
from tests import ROOT
from tests.api.belongings import make_belongings
from tests.api.openapi.outline import outline
from tests.api.operations import DESCRIPTION, OPERATIONS, nodes
from tests.api.service import OWN, Service

GOLDENS = ROOT / "tests" / "goldens"
SCHEMAS: dict[str, Any] = DESCRIPTION["components"]["schemas"]


def test_the_outline_is_the_one_that_was_reviewed() -> None:
    actual, reviewed = outline(DESCRIPTION), GOLDENS / "openapi.txt"
    written = GOLDENS / "openapi.actual.txt"

    if actual != reviewed.read_text("utf-8"):
        written.write_text(actual, "utf-8")

    assert actual.splitlines() == reviewed.read_text("utf-8").splitlines(), f"see {written}"
    written.unlink(missing_ok=True)


async def test_the_description_is_served(service: Service) -> None:
    answer = await service.http(None).get("/openapi.json")
    assert answer.json()["info"]["title"] == "Undersign"


def test_the_description_is_valid_openapi() -> None:
    validate(DESCRIPTION)
    assert DESCRIPTION["openapi"].startswith("3.1")


def test_every_reference_leads_somewhere() -> None:
    references = {node["$ref"].rpartition("/")[2] for node in nodes(DESCRIPTION) if isinstance(node.get("$ref"), str)}
    assert references <= {*SCHEMAS, *HEADERS}


def test_every_schema_and_member_is_described() -> None:
    assert [name for name, schema in SCHEMAS.items() if not schema.get("description")] == []
    assert [
        f"{name}.{member}"
        for name, schema in SCHEMAS.items()
        for member, value in schema.get("properties", {}).items()
        if not (value.get("description") or value.get("const") or "$ref" in value)
    ] == []


def test_every_value_of_an_enum_is_described() -> None:
    enums = {name: set(schema["enum"]) for name, schema in SCHEMAS.items() if "enum" in schema}
    described = {enum.__name__: enum for enum in DescribedEnum.__subclasses__()}
    assert enums.keys() - described.keys() == {"ErrorCode", "FileType", "ZoneType"}  # whose values explain themselves
    assert all(member.meaning for name in described for member in described[name])


def test_every_operation_has_a_name_a_description_and_one_tag() -> None:
    tags = {tag["name"] for tag in DESCRIPTION["tags"]}
    names = [operation.described["operationId"] for operation in OPERATIONS]

    assert len(names) == len(set(names))
    for operation in OPERATIONS:
        described = operation.described
        assert re.fullmatch("[a-z]+([A-Z][a-z]+)*", described["operationId"]), operation
        assert described["summary"], operation
        assert described["description"], operation
        assert len(described["tags"]) == 1, operation
        assert set(described["tags"]) <= tags, operation
        assert [p["name"] for p in described.get("parameters", ()) if not p.get("description")] == [], operation


def test_every_operation_of_the_api_has_scopes_and_common_errors() -> None:
    for operation in OPERATIONS:
        if operation.path.startswith("/api/v1"):
            assert all(operation.ways)
            assert set().union(*operation.ways) <= set(MEANINGS)
            assert {"200", "401", "403", "503"} <= operation.described["responses"].keys()
            assert "HTTPValidationError" not in str(operation.described["responses"])


def test_every_error_has_the_common_shape_and_its_codes() -> None:
    for operation in OPERATIONS:
        assert "500" in operation.described["responses"], operation
        for status, answer in operation.described["responses"].items():
            is_oauth = "/oidc/" in operation.path and status in {"400", "401"}
            if status in {"200", "201"} or is_oauth or operation.path == "/readyz":
                continue
            content = answer["content"]["application/json"]
            assert content["schema"]["$ref"].endswith("/ErrorRead"), (operation, status)
            assert content["examples"], (operation, status)
            for code, example in content["examples"].items():
                assert example["value"]["error"] == code, (operation, status)
                assert f"`{code}`" in answer["description"], (operation, status)


def test_operations_with_an_idempotency_key_have_its_errors() -> None:
    keyed = [o for o in OPERATIONS if any(p["name"] == "Idempotency-Key" for p in o.described.get("parameters", ()))]

    assert len(keyed) == 14
    for operation in keyed:
        assert {"404", "409", "422"} <= operation.described["responses"].keys(), operation
        assert "Idempotency-Replayed" in operation.described["responses"]["200"]["headers"], operation


def test_retry_after_is_described_where_waiting_helps() -> None:
    for operation in OPERATIONS:
        for status, answer in operation.described["responses"].items():
            codes = set(answer.get("content", {}).get("application/json", {}).get("examples", ()))
            waits = status in {"429", "503"} or codes & {"DOCUMENT_NOT_READY", "IDEMPOTENCY_IN_PROGRESS"}
            assert ("Retry-After" in answer["headers"]) == bool(waits), (operation, status)


def test_files_are_described_as_they_are_sent() -> None:
    for path in ("/objects/{token}", "/api/v1/Session/{sessionId}/Certificate"):
        answer = DESCRIPTION["paths"][path]["get"]["responses"]["200"]
        assert answer["content"].keys() == {"application/pdf"}
        assert "Content-Disposition" in answer["headers"]


def test_operations_with_a_body_have_its_errors() -> None:
    for operation in OPERATIONS:
        if operation.path.startswith("/api/v1") and operation.takes_body:
            assert {"400", "413", "415"} <= operation.described["responses"].keys(), operation
            assert operation.described["requestBody"]["content"]["application/json"]["schema"]["$ref"], operation


def test_examples_of_schemas_and_members_are_valid() -> None:
    seen = 0
    for name, schema in SCHEMAS.items():
        for member, value in [("", schema), *schema.get("properties", {}).items()]:
            for example in value.get("examples", ()):
                validator = Draft202012Validator({**value, "components": {"schemas": SCHEMAS}})
                assert [error.message for error in validator.iter_errors(example)] == [], (name, member)
                seen += 1
    assert seen > 40


def test_blocks_and_previews_have_discriminators() -> None:
    blocks = SCHEMAS["BlockDocument"]["properties"]["blocks"]["items"]

    assert blocks["discriminator"]["propertyName"] == "type"
    assert len(blocks["discriminator"]["mapping"]) == len(blocks["oneOf"]) == 9
    assert SCHEMAS["PreviewCreate"]["discriminator"]["propertyName"] == "kind"


def test_discriminators_lead_to_objects() -> None:
    """Generators fail at a union inside a union."""
    for node in nodes(DESCRIPTION):
        if "mapping" in node.get("discriminator", ()):
            names = [reference.rpartition("/")[2] for reference in node["discriminator"]["mapping"].values()]
            assert [name for name in names if SCHEMAS[name].get("type") != "object"] == []


def identifiers(value: Any) -> Iterator[tuple[str, str]]:
    """Yields the members of `value` whose names end in `Id`, however deep."""
    for node in nodes(value):
        yield from ((name, inner) for name, inner in node.items() if name.endswith("Id") and isinstance(inner, str))


async def test_every_identifier_in_a_response_is_a_uuid(service: Service) -> None:
    mine, seen = await make_belongings(service, OWN), set()
    await service.generate(await service.complete(mine["sessionId"]))
    for operation in OPERATIONS:
        if operation.method == "GET" and operation.path.startswith("/api/v1/"):
            answer = await service.http().get(operation.url_on(mine))
            if answer.headers["content-type"] == "application/json":
                for name, value in identifiers(answer.json()):
                    assert str(UUID(value)) == value, (operation, name)
                    seen.add(name)

    assert seen >= {"sessionId", "fileId", "recipientId", "templateId", "eventId"}


def test_identifiers_in_responses_are_described_as_uuids() -> None:
    for schema, member in (
        ("SessionRead", "sessionId"), ("FileRead", "fileId"), ("RecipientRead", "recipientId"),
        ("TemplateRead", "templateId"), ("CallbackRead", "eventId"), ("DownloadEntry", "fileId"),
    ):  # fmt: skip
        assert SCHEMAS[schema]["properties"][member]["format"] == "uuid"
    assert "format" not in SCHEMAS["Image"]["properties"]["fileId"]
