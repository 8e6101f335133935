"""No message of pydantic reaches a client: every mistake has a sentence of the service."""

import json
from collections.abc import Iterator
from typing import Any, get_args

import pytest
from pydantic import BaseModel, ValidationError
from pydantic_core import core_schema

import api.app  # noqa: F401  # its routes have the bodies
from api.mcp.server import TOOLS
from application.schemas.base import PageQuery
from application.schemas.session_list import SessionListQuery
from application.schemas.template_read import TemplateListQuery
from application.validation_issues import NOT_VALID, SENTENCES, message_of
from tests import ROOT
from web.asgi.json_body import BODIES

EXAMPLES = ROOT / "examples"
KINDS = set(get_args(core_schema.ErrorType))
WRONG = [
    *("null", "true", '"x"', '""', '" "', '"\\u0000\\u202e"', "[]", "{}", "[[]]", '{"": null}', '[{"a": 1}]'),
    *("-1", "0", "1.5", "1e400", "-1e400", "99999999999999999999999999", "7e30", "[" + "1," * 600 + "1]"),
    json.dumps("x" * 100_001),
    json.dumps(["x"] * 600),
]
"""JSON of every type and of sizes beyond every bound."""


MODELS = (*BODIES.values(), *(tool.model for tool in TOOLS.values()))
"""The models of all bodies."""


def bodies_of(model: type[BaseModel]) -> Iterator[Any]:
    """Yields valid bodies, which together have all members and blocks."""
    schema = model.model_json_schema()
    of_ways = [one for way in schema.get("$defs", {}).values() for one in way.get("examples", ()) if "oneOf" in schema]
    for example in schema.get("examples") or of_ways or [{}]:
        yield example
        if model.__name__ == "SessionCreate":
            yield {**example, **json.loads((EXAMPLES / "all-blocks.json").read_text("utf-8"))}


def places(value: Any, place: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    yield place
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, part in parts:
        yield from places(part, (*place, name))


def with_other(value: Any, place: tuple[str | int, ...], other: str) -> str:
    """Returns the JSON of `value` with the JSON `other` at `place`."""
    marked = json.loads(json.dumps(value))
    if not place:
        return other
    inner = marked
    for step in place[:-1]:
        inner = inner[step]
    inner[place[-1]] = "\N{SNOWMAN}"
    return json.dumps(marked, ensure_ascii=False).replace('"\N{SNOWMAN}"', other)


def errors_of(model: type[BaseModel], body: str, *, strict: bool = True) -> list[Any]:
    try:
        model.model_validate_json(body, strict=strict)
    except ValidationError as error:
        return list(error.errors(include_url=False, include_input=False))
    return []


def is_ours(error: Any) -> bool:
    said = message_of(error)
    return said != NOT_VALID and said.rstrip(".") != str(error["msg"]).rstrip(".")


@pytest.mark.parametrize("model", dict.fromkeys(MODELS), ids=lambda model: model.__name__)
def test_a_mistake_in_a_body_has_our_message(model: type[BaseModel]) -> None:
    members = model.model_json_schema().get("properties", {})
    seen = set()
    for body in bodies_of(model):
        whole = {**dict.fromkeys(members, "x"), **body}
        for place in places(whole):
            for other in WRONG:
                found = errors_of(model, with_other(whole, place, other))
                seen |= {error["type"] for error in found}
                assert [error for error in found if error["type"] in KINDS and not is_ours(error)] == [], place
    assert "model_type" in seen or "dict_type" in seen


@pytest.mark.parametrize("model", [SessionListQuery, TemplateListQuery, PageQuery])
def test_a_mistake_in_a_query_has_our_message(model: type[BaseModel]) -> None:
    for name, field in model.model_fields.items():
        for value in ("", " ", "x", "-1", "1.5", "9" * 30, "9" * 5000, "x" * 1000, "true", "\x00"):
            found = errors_of(model, json.dumps({field.alias or name: value}), strict=False)
            assert [error for error in found if error["type"] in KINDS and not is_ours(error)] == []


@pytest.mark.parametrize("body", ["", "{", '{"a":', "[1,]", "\ufeff{}", '"\\ud800"', "nul", "{'a': 1}", '{"a": 01}'])
def test_invalid_json_is_reported_with_its_place(body: str) -> None:
    (error, *_) = errors_of(BODIES["SessionCreate"], body)

    if error["type"] == "json_invalid":
        assert message_of(error).startswith("The body is not JSON: see line 1, column ")


def test_other_kinds_of_errors_have_a_general_message() -> None:
    for kind in KINDS - SENTENCES.keys() - {"json_invalid", "string_pattern_mismatch"}:
        assert message_of({"type": kind, "msg": "Input should be something else", "ctx": {}}) == NOT_VALID


def test_every_pattern_of_a_body_has_a_sentence() -> None:
    patterns = {found for model in MODELS for found in patterns_in(model.__pydantic_core_schema__)}

    assert patterns
    for pattern in patterns:
        error = {"type": "string_pattern_mismatch", "msg": "String should match", "ctx": {"pattern": pattern}}
        assert message_of(error) != NOT_VALID, pattern


def patterns_in(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        if schema.get("type") == "str" and "pattern" in schema:
            yield schema["pattern"]
        for name, part in schema.items():
            if name != "metadata":
                yield from patterns_in(part)
    elif isinstance(schema, list | tuple):
        for part in schema:
            yield from patterns_in(part)
