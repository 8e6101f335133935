"""A whole number may be written with a point, as JSON Schema has it; nothing else becomes one."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import BaseModel

import api.app  # noqa: F401  # its routes have the bodies
from api.mcp.server import TOOLS
from layout.schema.part import WHOLE
from tests.api.requests import ADDRESSES, SCHEMAS, leaves, replaced, whole_requests
from tests.api.service import Service, issues_by_path
from web.asgi.json_body import BODIES

REQUESTS = whole_requests()
CASES = [
    (name, leaf.path)
    for name in REQUESTS
    for leaf in leaves(REQUESTS[name], {"$ref": f"#/components/schemas/{name}"})
    if leaf.schema.get("type") == "integer"
]
WRONG: list[object] = [1.5, 1e300, True, False, "1", "1.0", [1], {}]


def test_there_are_such_members() -> None:
    assert {path for _, path in CASES} >= {"/expiryDays", "/recipients/0/signingOrder"}


@pytest.mark.parametrize(("name", "path"), CASES)
async def test_a_whole_number_with_a_point_is_one(service: Service, name: str, path: str) -> None:
    for number in (7.0, 7e0, 7):
        answer = await service.http().post(ADDRESSES[name], json=replaced(REQUESTS[name], path, number))

        assert answer.status_code == 200, answer.text
        shown = answer.json().get(path.removeprefix("/"))
        assert shown in {None, 7}
        assert not isinstance(shown, float)


@pytest.mark.parametrize(("name", "path"), CASES)
async def test_nothing_else_is_one(service: Service, name: str, path: str) -> None:
    for wrong in WRONG:
        answer = await service.http().post(ADDRESSES[name], json=replaced(REQUESTS[name], path, wrong))
        assert answer.status_code == 400, wrong
        assert list(issues_by_path(answer)) == [path], wrong


def strict_integers(node: object, *, is_whole: bool = False) -> Iterator[object]:
    """The integers in pydantic's own schema `node` that may have no point."""
    if isinstance(node, dict):
        is_whole = is_whole or _takes_a_point(node)
        if node.get("type") == "int" and not is_whole:
            yield node
        for inner in node.values():
            yield from strict_integers(inner, is_whole=is_whole)
    elif isinstance(node, list | tuple):
        for inner in node:
            yield from strict_integers(inner, is_whole=is_whole)


def _takes_a_point(node: dict[str, Any]) -> bool:
    """Or is a number of any JSON value, which is kept as it is written."""
    function = node.get("function")
    is_any = "pydantic_internal_union_tag_key" in node.get("metadata", {})
    return is_any or (isinstance(function, dict) and function.get("function") is WHOLE.func)


@pytest.mark.parametrize("model", [*BODIES.values(), *dict.fromkeys(tool.model for tool in TOOLS.values())])
def test_every_integer_of_a_body_or_tool_may_have_a_point(model: type[BaseModel]) -> None:
    assert list(strict_integers(model.__pydantic_core_schema__)) == []


def test_the_schema_calls_it_an_integer() -> None:
    order = SCHEMAS["RecipientCreate"]["properties"]["signingOrder"]
    assert json.dumps(order["anyOf"][0], sort_keys=True) == '{"maximum": 1000, "minimum": 1, "type": "integer"}'
