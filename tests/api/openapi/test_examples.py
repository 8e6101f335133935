"""Every answer of the description has an example, which is valid and has the members of an actual answer."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from api.openapi.responses import EXAMPLES as ANSWERS
from tests.api.openapi.answers import answers, steady
from tests.api.operations import DESCRIPTION, OPERATIONS, Operation
from tests.api.service import Service

JSON, FORM = "application/json", "application/x-www-form-urlencoded"
EXAMPLES: dict[str, Any] = json.loads(ANSWERS.read_text("utf-8"))


def done(operation: Operation) -> dict[str, Any]:
    """Returns the successful response in JSON; nothing if it is a file."""
    (answer,) = (answer for status, answer in operation.described["responses"].items() if status.startswith("2"))
    return dict(answer["content"].get(JSON, {}))


def contents() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yields every body of requests and responses, with its place."""
    for operation in OPERATIONS:
        bodies = {"request": operation.described.get("requestBody", {}), **operation.described["responses"]}
        for place, body in bodies.items():
            for kind, content in body.get("content", {}).items():
                if kind in {JSON, FORM}:
                    yield f"{operation.described['operationId']} {place}", content


def examples(content: dict[str, Any]) -> list[Any]:
    """Returns the examples of a body: its own, or those of its schema."""
    if "example" in content:
        return [content["example"]]
    if "examples" in content:
        return [example["value"] for example in content["examples"].values()]
    name = str(content["schema"].get("$ref", "")).rpartition("/")[2]
    schema = DESCRIPTION["components"]["schemas"].get(name, {})
    return list(schema.get("examples", ())) + [
        example for way in schema.get("oneOf", ()) for example in examples({"schema": way})
    ]


def shape(value: Any, example: Any) -> Any:
    """Returns the members of `value`, however deep, where `example` has a value too."""
    if isinstance(value, dict) and isinstance(example, dict):
        return {name: shape(value[name], example.get(name)) for name in sorted(value)}
    if isinstance(value, list) and isinstance(example, list):
        return [shape(value[0], example[0])] if value and example else []
    return "value"


def test_every_successful_response_in_json_has_an_example() -> None:
    assert [str(operation) for operation in OPERATIONS if ("example" in done(operation)) != bool(done(operation))] == []


@pytest.mark.parametrize(("where", "content"), list(contents()), ids=[where for where, _ in contents()])
def test_every_body_has_examples_that_its_schema_accepts(where: str, content: dict[str, Any]) -> None:
    schema = {**content["schema"], "components": DESCRIPTION["components"]}
    validator = Draft202012Validator(schema, format_checker=Draft202012Validator.FORMAT_CHECKER)
    found = examples(content)

    assert found, where
    assert [error.message for example in found for error in validator.iter_errors(example)] == []


async def test_actual_answers_have_the_members_of_their_examples(service: Service) -> None:
    actual = steady(await answers(service))
    assert actual.keys() == EXAMPLES.keys() == {o.described["operationId"] for o in OPERATIONS if done(o)}
    for name, example in EXAMPLES.items():
        assert shape(actual[name], example) == shape(example, actual[name]), name
