"""Every answer of the description has an example, which is valid and has the members of an actual answer."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from api.openapi.responses import EXAMPLES as ANSWERS
from tests.api.openapi.answers import answers, steady
from tests.api.operations import DESCRIPTION
from tests.api.service import Service

JSON, FORM = "application/json", "application/x-www-form-urlencoded"
EXAMPLES: dict[str, Any] = json.loads(ANSWERS.read_text("utf-8"))


def operations() -> Iterator[dict[str, Any]]:
    for item in DESCRIPTION["paths"].values():
        yield from item.values()


def done(operation: dict[str, Any]) -> dict[str, Any]:
    """What is answered in JSON where it succeeds; nothing where that is a file."""
    (answer,) = (answer for status, answer in operation["responses"].items() if status.startswith("2"))
    return dict(answer["content"].get(JSON, {}))


def contents() -> Iterator[tuple[str, dict[str, Any]]]:
    """Every body that is described, of requests and answers, with where it stands."""
    for operation in operations():
        name = operation["operationId"]
        yield from ((f"{name} request", content) for content in _of(operation.get("requestBody", {})))
        for status, answer in operation["responses"].items():
            yield from ((f"{name} {status}", content) for content in _of(answer))


def _of(body: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield from (content for kind, content in body.get("content", {}).items() if kind in {JSON, FORM})


def examples(content: dict[str, Any]) -> list[Any]:
    """The examples of a body: its own, or those of its schema."""
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
    """The members of `value`, however deep, where `example` has a value too: null says nothing of members."""
    if isinstance(value, dict) and isinstance(example, dict):
        return {name: shape(value[name], example.get(name)) for name in sorted(value)}
    if isinstance(value, list) and isinstance(example, list):
        return [shape(value[0], example[0])] if value and example else []
    return "value"


@pytest.mark.parametrize("operation", list(operations()), ids=lambda operation: operation["operationId"])
def test_every_answer_in_json_that_succeeds_has_an_example(operation: dict[str, Any]) -> None:
    assert ("example" in done(operation)) == bool(done(operation))


@pytest.mark.parametrize(("where", "content"), list(contents()), ids=[where for where, _ in contents()])
def test_every_body_has_examples_that_its_schema_accepts(where: str, content: dict[str, Any]) -> None:
    schema = {**content["schema"], "components": DESCRIPTION["components"]}
    validator = Draft202012Validator(schema, format_checker=Draft202012Validator.FORMAT_CHECKER)
    found = examples(content)

    assert found, where
    assert [error.message for example in found for error in validator.iter_errors(example)] == []


async def test_actual_answers_have_the_members_of_their_examples(service: Service) -> None:
    actual = steady(await answers(service))
    assert actual.keys() == EXAMPLES.keys() == {o["operationId"] for o in operations() if done(o)}
    for name, example in EXAMPLES.items():
        assert shape(actual[name], example) == shape(example, actual[name]), name
