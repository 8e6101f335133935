"""A text that is required must show something: blank ones are refused like empty ones, wherever they stand."""

from typing import Any

import pytest

from tests.api.operations import DESCRIPTION, nodes
from tests.api.requests import ADDRESSES, BLOCKS, SCHEMAS, Leaf, leaves, replaced, whole_requests
from tests.api.service import Service, document, issues_by_path, session_request
from tests.api.templates import create_from, make, refuse_from

BLANK = [
    "", " ", "   ", "\n", "\t\r\n", "\u00a0", "\u2003\u3000", "\u200b", "\ufeff\u2060", "\u3164", "\u2800", "\ufe0f",
]  # fmt: skip
SEEN = ["x", " x ", ".", "-", "\u200dx", "中", "é"]
REQUESTS = whole_requests()


def required_texts(name: str) -> list[Leaf]:
    """Returns texts for display: no enums, no keys and no identifiers."""
    found = leaves(REQUESTS[name], {"$ref": f"#/components/schemas/{name}"})
    return [leaf for leaf in found if leaf.is_required and is_text(leaf.schema)]


def is_text(schema: Any) -> bool:
    return schema.get("type") == "string" and "minLength" in schema


CASES = [(name, leaf) for name in REQUESTS for leaf in required_texts(name)]


def test_all_required_texts_of_documents_are_among_them() -> None:
    def parts(schema: Any, seen: set[str]) -> set[str]:
        for name in {str(node["$ref"]).rpartition("/")[2] for node in nodes(schema) if "$ref" in node} - seen:
            seen.add(name)
            parts(SCHEMAS[name], seen)
        return seen

    known = {
        f"{name}.{member}"
        for name in parts(SCHEMAS["BlockDocument"], {"BlockDocument"})
        for member, schema in SCHEMAS[name].get("properties", {}).items()
        if member in SCHEMAS[name].get("required", ()) and is_text(schema)
    }

    not_for_display, may_be_spaces = {"Logo.fileId", "Image.fileId"}, {"Run.text"}
    assert known - not_for_display - may_be_spaces <= {leaf.member for _, leaf in CASES}


@pytest.mark.parametrize(("name", "leaf"), CASES, ids=lambda case: case if isinstance(case, str) else case.path)
async def test_a_blank_one_is_refused_with_its_place(service: Service, name: str, leaf: Leaf) -> None:
    for blank in BLANK:
        answer = await service.http().post(ADDRESSES[name], json=replaced(REQUESTS[name], leaf.path, blank))
        assert answer.status_code == 400, (blank, answer.text)
        assert issues_by_path(answer).get(leaf.path) == "This must not be blank. Enter a text.", (blank, answer.text)


@pytest.mark.parametrize("text", SEEN)
async def test_what_shows_something_is_taken(service: Service, text: str) -> None:
    for path in (
        "/files/0/document/title",
        "/files/0/document/blocks/1/text",
        f"/files/0/document/blocks/{len(BLOCKS) - 1}/label",
    ):
        answer = await service.http().post("/api/v1/Session", json=replaced(REQUESTS["SessionCreate"], path, text))

        assert answer.status_code == 200, answer.text


NOTHING: Any = {"recipients": [], "variableValues": {}}
NOTE: Any = {"variables": [{"name": "note", "required": False}], "recipients": session_request()["recipients"][:1]}


@pytest.mark.parametrize("text", ["{{{note}}}", " {{{note}}} {{{note}}}"])
async def test_a_paragraph_of_variables_without_a_value_stays_an_empty_line(service: Service, text: str) -> None:
    written = document(blocks=[{"type": "paragraph", "text": text}, document()["blocks"][-1]])
    await create_from(service, await make(service, document=written, **NOTE), sendImmediately=True, **NOTHING)


async def test_another_text_of_variables_without_a_value_is_refused(service: Service) -> None:
    template = await make(service, document=document(title="{{{note}}} {{{note}}}"), **NOTE)
    answer = await refuse_from(service, template, **NOTHING)
    assert answer.json()["error"] == "INVALID_REQUEST"
    assert "This must not be blank." in answer.json()["issues"][0]["message"]


def test_the_published_schema_says_so() -> None:
    title = DESCRIPTION["components"]["schemas"]["BlockDocument"]["properties"]["title"]
    assert (title["minLength"], title["pattern"]) == (1, r"\S")
