"""Identifiers of answers are UUIDs, and the description says so."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from tests.api.belongings import make_belongings
from tests.api.operations import DESCRIPTION, OPERATIONS
from tests.api.service import OWN, Service

GETS = [operation for operation in OPERATIONS if operation.method == "GET" and operation.path.startswith("/api/v1/")]
SCHEMAS = DESCRIPTION["components"]["schemas"]


def identifiers(value: Any) -> Iterator[tuple[str, str]]:
    """The members of `value`, however deep, that are called an id."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if name.endswith("Id") and isinstance(inner, str):
                yield name, inner
            yield from identifiers(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from identifiers(inner)


async def test_every_identifier_of_an_answer_is_a_uuid(service: Service) -> None:
    mine, seen = await make_belongings(service, OWN), set()
    await service.generate(await service.complete(mine["sessionId"]))
    for operation in GETS:
        answer = await service.http().get(operation.url_on(mine))
        if answer.headers["content-type"] == "application/json":
            for name, value in identifiers(answer.json()):
                assert str(UUID(value)) == value, (operation, name)
                seen.add(name)

    assert seen >= {"sessionId", "fileId", "recipientId", "templateId", "eventId"}


def test_the_description_says_so() -> None:
    for schema, member in (
        ("SessionRead", "sessionId"), ("FileRead", "fileId"), ("RecipientRead", "recipientId"),
        ("TemplateRead", "templateId"), ("CallbackRead", "eventId"), ("DownloadEntry", "fileId"),
    ):  # fmt: skip
        assert SCHEMAS[schema]["properties"][member]["format"] == "uuid"
    assert "format" not in SCHEMAS["Image"]["properties"]["fileId"]
