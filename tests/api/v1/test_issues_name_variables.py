"""What is wrong with a filled text is told with the values that fill it."""

from typing import Any

import pytest

from tests.api.service import Service, document
from tests.api.templates import template_request

LONG = "An extraordinarily long name of a tenant that no title has room for, however small it is"
WRONG: list[tuple[dict[str, Any], str, str]] = [
    (document(title="Lease {{{tenant}}}"), LONG, "/document/title"),
    (
        document(blocks=[*document()["blocks"], {"type": "pageBreak", "header": {"title": "For {{{ tenant }}}"}}]),
        LONG,
        "/document/blocks/4/header/title",
    ),
    (document(blocks=[{"type": "heading", "text": "{{{tenant}}}"}]), "x" * 501, "/document/blocks/0/text"),
]


@pytest.mark.parametrize(("written", "value", "path"), WRONG)
async def test_the_values_are_named(service: Service, written: dict[str, Any], value: str, path: str) -> None:
    people = [{"key": "ada", "name": "Ada", "email": "ada@example.com"}]
    request = template_request(document=written, recipients=people, variables=[{"name": "tenant"}], activate=True)
    template = (await service.http().post("/api/v1/Template", json=request)).json()

    made = await service.http().post(
        "/api/v1/SessionFromTemplate", json={"templateId": template["templateId"], "variableValues": {"tenant": value}}
    )

    (issue,) = (found for found in made.json()["issues"] if found["path"] == path)
    assert issue["message"].endswith("Its values: /variableValues/tenant.")
