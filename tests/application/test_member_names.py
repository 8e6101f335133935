"""Wrong names and values in bodies are answered with what is probably meant."""

import json
import re
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from application.member_names import member_names, tags
from application.validation_issues import issues_of
from tests.application.test_validation_issues import EXAMPLES, MODELS, bodies_of, places

ALL_BLOCKS = json.loads((EXAMPLES / "all-blocks.json").read_text("utf-8"))
FORBIDDING = [model for model in dict.fromkeys(MODELS) if model.__name__ != "Registration"]  # ignores unknown members


def value_of(body: Any, place: tuple[int | str, ...]) -> Any:
    for step in place:
        body = body[step]
    return body


def issues(model: type[BaseModel], body: Any) -> dict[str, str]:
    try:
        model.model_validate_json(json.dumps(body), strict=True, by_alias=True, by_name=False)
    except ValidationError as error:
        found = issues_of(error.errors(include_url=False, include_input=False), body, model=model)
        return {issue.path: issue.message for issue in found}
    return {}


@pytest.mark.parametrize("model", FORBIDDING, ids=lambda model: model.__name__)
def test_a_member_in_another_spelling_is_answered_with_its_name(model: type[BaseModel]) -> None:
    (example, *_) = bodies_of(model)
    if "files" in example:
        example = {**example, "files": [{"type": "blocks", "document": ALL_BLOCKS}]}
    for place in places(example):
        name = place[-1] if place else 0
        if not isinstance(name, str) or {"metadata", "variableValues"} & {*place[:-1]} or name in {"type", "kind"}:
            continue
        body = json.loads(json.dumps(example))
        outer = value_of(body, place[:-1])
        snake = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
        other = snake if snake != name else name.upper()
        outer[other] = outer.pop(name)
        pointer = "".join(f"/{step}" for step in (*place[:-1], other))

        assert issues(model, body)[pointer] == f"Unknown member; perhaps “{name}” is meant.", place


def session(**members: Any) -> dict[str, Any]:
    (example, *_) = bodies_of(next(model for model in MODELS if model.__name__ == "SessionCreate"))
    return {**json.loads(json.dumps(example)), **members}


@pytest.mark.parametrize(
    ("members", "path", "message"),
    [
        ({"zebra": 1}, "/zebra", "Unknown member; remove it. There are: "),
        ({"files": [{"document": {}}]}, "/files/0/type", "required. It is one of “blocks”, “uploadedPdf”."),
        ({"name": 7}, "/name", "This must be a string. Write it in quotation marks: “7”."),
        ({"expiryDays": "30"}, "/expiryDays", "as in 30. Leave out the quotation marks."),
        ({"sendImmediately": "true"}, "/sendImmediately", "Write true or false. Leave out the quotation marks."),
        ({"sendImmediately": "yes"}, "/sendImmediately", "Write true or false."),
        ({"recipients": {"key": "a"}}, "/recipients", "This must be an array. Write the object in square brackets."),
        (
            {"recipients": {"signers": []}},
            "/recipients",
            "This must be an array. Write the array itself, without “sign",
        ),
        ({"recipients": {"a": {"name": "A"}}}, "/recipients", "Write the objects in it in square brackets, without "),
        ({"metadata": [{"name": "a", "value": "b"}]}, "/metadata", "Write each name as a member with its value"),
        ({"reminderFrequency": "Weekly"}, "/reminderFrequency", "Perhaps “weekly” is meant."),
        ({"files": [{"type": "Blocks"}]}, "/files/0/type", "Perhaps “blocks” is meant."),
        ({"files": [{"kind": "blocks"}]}, "/files/0/type", "Perhaps “kind” is to be “type”."),
        ({"files": [{"format": "blocks", "blocks": []}]}, "/files/0/type", "A document stands in a file: "),
        ({"Name": "n"}, "/Name", "Unknown member; remove it, since “name” is given too."),
        ({"signers": []}, "/signers", "Unknown member; remove it, since “recipients” is given too."),
        ({"templateId": "x"}, "/templateId", "Unknown member; use Create Session From Template."),
        ({"recipients": [[{"key": "a"}]]}, "/recipients/0", "This must be an object. Leave out the square brackets."),
        ({"metadata": '{"a": "b"}'}, "/metadata", "This must be an object. It is a text that holds JSON"),
        ({"language": "en_US"}, "/language", "Perhaps “en” is meant."),
        ({"language": "deutsch"}, "/language", "Perhaps “de” is meant."),
        ({"meta": {}}, "/meta", "perhaps “metadata” is meant."),
        ({"signing_order": 1}, "/signing_order", "perhaps “/recipients/0/signingOrder” is meant."),
        ({"recipients": [{"callbackUrl": ""}]}, "/recipients/0/callbackUrl", "perhaps “/callbackUrl” is meant."),
        ({"files": [{"type": "blocks", "document": {}}]}, "/files/0/document/format", "required. Write “blocks”."),
    ],
)
def test_a_wrong_value_is_answered_with_how_to_write_it(members: dict[str, Any], path: str, message: str) -> None:
    model = next(model for model in MODELS if model.__name__ == "SessionCreate")
    assert message in issues(model, session(**members))[path]


def test_json_in_a_text_is_named() -> None:
    model = next(model for model in MODELS if model.__name__ == "SessionCreate")
    assert "encoded twice" in issues(model, json.dumps(session()))[""]


def test_members_and_tags_are_those_of_the_place() -> None:
    model = next(model for model in MODELS if model.__name__ == "SessionCreate")
    body = session()

    assert member_names(model, ("files", 0, "document"), body)[0] == "format"
    assert member_names(model, ("nowhere",), body) == []
    assert "heading" in tags(model, ("files", 0, "document", "blocks", 0, "type"), {})
