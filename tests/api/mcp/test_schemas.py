"""Schemas and annotations of tools are those of the operations of the API."""

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from pydantic import BaseModel, RootModel

from api.mcp.schemas import input_schema
from api.mcp.server import TOOLS
from api.mcp.tool import Tool
from application.scopes import Scope
from tests import ROOT
from tests.api.mcp.assistant import assistant
from tests.api.operations import DESCRIPTION, OPERATIONS
from tests.api.service import Service, client_of, document, session_request
from tests.builders import ORGANISATION

CONTRACT = (
    "create_session, preview_document, get_session, list_sessions, get_values, send_session, send_invitation, "
    "send_reminder, update_session, update_recipient, "
    "create_template, list_templates, get_template, create_session_from_template, "
    "create_batch, get_batch, list_results, pause_batch, resume_batch, cancel_batch, "
    "save_next_version, rename_template, archive_template, restore_template, delete_template, "
    "upload_image, get_documents, get_certificate, archive_session, restore_session, delete_session"
)
EXAMPLES = ROOT / "examples"

every_tool = pytest.mark.parametrize("tool", TOOLS.values(), ids=lambda tool: tool.name)


def members(model: type[BaseModel]) -> set[str]:
    if issubclass(model, RootModel):
        union = model.model_json_schema()["$defs"]
        return {name for variant in ("SessionLook", "TemplateLook") for name in union[variant]["properties"]}
    return {field.alias or name for name, field in model.model_fields.items()}


def test_the_tools_are_those_of_the_contract() -> None:
    assert set(TOOLS) == set(CONTRACT.split(", "))


@every_tool
def test_the_schemas_of_a_tool_are_valid_complete_and_self_contained(tool: Tool[Any]) -> None:
    schema = input_schema(tool, DESCRIPTION)

    removed = {name for name, member in tool.own.items() if member is None}
    assert set(schema["properties"]) == members(tool.model) - removed
    assert schema["additionalProperties"] is False
    assert [name for name, member in schema["properties"].items() if not ({"description", "$ref"} & set(member))] == []
    Draft202012Validator.check_schema(schema)
    assert schema["type"] == "object"
    assert "#/components" not in json.dumps(schema)
    assert set(references(schema)) <= {f"#/$defs/{name}" for name in schema.get("$defs", ())}


@every_tool
def test_a_tool_needs_the_scopes_of_its_operation(tool: Tool[Any]) -> None:
    (operation,) = [o for o in OPERATIONS if str(o) == tool.operation]

    own = {frozenset({scope.value}) for scope in tool.scopes}
    assert own <= set(operation.ways)
    assert own == set(operation.ways) or tool.is_destructive  # archiving and deleting are one operation


def test_the_members_of_documents_and_blocks_are_in_one_description() -> None:
    schemas = DESCRIPTION["components"]["schemas"]
    blocks = schemas["BlockDocument"]["properties"]["blocks"]["items"]["discriminator"]["mapping"]
    described = TOOLS["preview_document"].description

    for name in ("BlockDocument", "RowField", *(reference.rpartition("/")[2] for reference in blocks.values())):
        members = schemas[name]["properties"].keys() - {"type"}
        assert [member for member in members if f"`{member}`" not in described] == [], name
    for name, tool in TOOLS.items():
        assert name == "preview_document" or "signatureBlock`" not in tool.description


def test_a_short_description_has_every_value_and_the_default() -> None:
    role = input_schema(TOOLS["create_session"], DESCRIPTION)["$defs"]["RecipientCreate"]["properties"]["role"]

    assert all(f"`{value}`:" in role["description"] for value in role["enum"])
    assert role["description"].endswith("Default: `signer`.")


async def test_the_list_of_tools_is_small(service: Service) -> None:
    async with assistant(service) as mcp:
        listed = (await mcp.list_tools()).model_dump_json(by_alias=True, exclude_none=True)

    assert len(listed.encode()) < 57_000


@pytest.mark.parametrize("scope", Scope)
async def test_a_token_sees_the_tools_that_it_may_use(service: Service, scope: Scope) -> None:
    narrowed = client_of(ORGANISATION, "narrowed", scopes=(scope.value,))
    await service.organisations.add_client(narrowed)

    async with assistant(service, narrowed) as mcp:
        listed = {tool.name for tool in (await mcp.list_tools()).tools}

    assert listed == {name for name, tool in TOOLS.items() if scope in tool.scopes}


@pytest.mark.parametrize(
    ("tool", "example"),
    [("create_session", "consulting-agreement"), ("create_session", "new-starter-form"),
     ("create_template", "lease-template"), ("create_session_from_template", "lease-values")],
)  # fmt: skip
def test_the_examples_are_inputs(tool: str, example: str) -> None:
    asked = json.loads((EXAMPLES / f"{example}.json").read_text(encoding="utf-8"))
    asked |= {"templateId": "2c5ea4c0-4067-4c3b-9f5d-2f3f4c1d8a10"} if example == "lease-values" else {}

    Draft202012Validator(input_schema(TOOLS[tool], DESCRIPTION)).validate(asked)


@pytest.mark.parametrize("kind", ["session", "template"])
def test_both_kinds_of_previews_fit_the_one_object_that_a_preview_takes(kind: str) -> None:
    validator = Draft202012Validator(input_schema(TOOLS["preview_document"], DESCRIPTION))
    asked = {"kind": kind, "document": document(), "recipients": session_request()["recipients"]}

    assert validator.is_valid(asked)
    assert not validator.is_valid({**asked, "kind": "another"})
    assert not validator.is_valid({**asked, "document": {**document(), "blocks": [{"type": "unknown"}]}})


async def test_annotations_describe_the_effect_of_a_tool(service: Service) -> None:
    async with assistant(service) as mcp:
        listed = {tool.name: tool.annotations for tool in (await mcp.list_tools()).tools if tool.annotations}

    assert {name for name, hints in listed.items() if hints.read_only_hint} == {
        "preview_document", "get_session", "list_sessions", "list_templates", "get_template", "get_documents",
        "get_batch",
        "list_results",
        "get_certificate", "get_values",
    }  # fmt: skip
    assert {name for name, hints in listed.items() if hints.destructive_hint} == {
        "archive_session", "delete_session", "archive_template", "delete_template",
    }  # fmt: skip
    assert {name for name, hints in listed.items() if hints.idempotent_hint is False} == {
        "create_session", "create_template", "create_session_from_template", "send_invitation", "send_reminder",
        "create_batch",
    }  # fmt: skip


@every_tool
def test_the_description_of_a_tool_that_emails_people_says_so(tool: Tool[Any]) -> None:
    emails = {
        "create_session", "send_session", "send_invitation", "create_session_from_template", "archive_session",
        "delete_session", "send_reminder", "update_recipient", "create_batch", "resume_batch",
    }  # fmt: skip

    assert ("EMAIL" in tool.description) == (tool.name in emails)
    assert tool.name not in emails or (tool.emails_people and not tool.is_read_only)


def references(node: Any) -> list[str]:
    if isinstance(node, dict):
        own = [node["$ref"]] if isinstance(node.get("$ref"), str) else []
        return own + [found for part in node.values() for found in references(part)]
    return [found for part in node for found in references(part)] if isinstance(node, list) else []
