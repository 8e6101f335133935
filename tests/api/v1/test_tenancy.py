"""Another organisation's things are answered like things that do not exist, byte for byte (Specification 5.3)."""

import dataclasses
from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

import httpx
import pytest

from api.app import create_app
from tests.api.belongings import IN_BODIES, InBody, make_belongings, stored
from tests.api.operations import SECURED, Operation, every_operation_on_something
from tests.api.service import OWN, STRANGER, Service
from tests.builders import identifier

UNKNOWN = identifier("unknown")
MALFORMED = ("malformed", "-", "%00", "%F0%9F%96%8B", "null", UNKNOWN.replace("-", ""), UNKNOWN + "0", "x" * 2_000)
OF_THIS_REQUEST = {"x-request-id", "date"}


class Watched:
    """A collaborator of the API; `asked` lists what it was asked for, whatever about."""

    def __init__(self, watched: object, asked: list[str]) -> None:
        self._watched = watched
        self._asked = asked

    def __getattr__(self, name: str) -> Any:
        self._asked.append(name)
        return getattr(self._watched, name)


def watch(service: Service) -> list[str]:
    """Has the application tell what it asks its collaborators from now on."""
    asked: list[str] = []
    services = service.services()
    held = {field.name: getattr(services, field.name) for field in dataclasses.fields(services)}
    watched = {name: Watched(held[name], asked) for name in held if hasattr(held[name], "__dict__")}
    service.app = create_app(service.services(**watched))
    return asked


def subsets(names: list[str]) -> Iterator[tuple[str, ...]]:
    for size in range(1, len(names) + 1):
        yield from combinations(names, size)


def seen(answer: httpx.Response) -> tuple[int, bytes, list[tuple[str, str]]]:
    """All that a caller can see of it."""
    headers = [(name, value) for name, value in answer.headers.multi_items() if name not in OF_THIS_REQUEST]
    return answer.status_code, answer.content, headers


async def test_the_identifiers_of_every_path_are_known_here(service: Service) -> None:
    known = await make_belongings(service, OWN)
    unknown = {f"{operation}: {name}" for operation in SECURED for name in operation.identifiers if name not in known}
    assert unknown == set(), "say how in tests/api/belongings.py"


def test_the_identifiers_of_every_body_are_known_here() -> None:
    own = (".externalId",)  # a client's own, and nothing of ours
    members = [
        (str(operation), member) for operation in SECURED for member in operation.members if not member.endswith(own)
    ]
    found = {(operation, member) for operation, member in members if member.endswith("Id")}

    assert found == {(case.operation, case.member) for case in IN_BODIES}, "say how in tests/api/belongings.py"


@every_operation_on_something
async def test_foreign_unknown_and_malformed_identifiers_are_alike(service: Service, operation: Operation) -> None:
    mine, theirs = await make_belongings(service, STRANGER), await make_belongings(service, OWN)
    http = service.http(STRANGER)

    async def ask(replaced: dict[str, str], query: str) -> httpx.Response:
        return await http.request(operation.method, operation.url({**mine, **replaced}) + query)

    for names, query in product(subsets(operation.identifiers), operation.queries):
        foreign = await ask({name: theirs[name] for name in names}, query)

        assert (foreign.status_code, foreign.json()["error"]) == (404, "NOT_FOUND")
        assert "404" in operation.described["responses"]
        assert seen(await ask(dict.fromkeys(names, UNKNOWN), query)) == seen(foreign)
        for other in MALFORMED:  # the answer says that it is no identifier, which the client knows
            malformed = await ask(dict.fromkeys(names, other), query)
            assert (malformed.status_code, malformed.json()["error"]) == (404, "NOT_FOUND")
            assert malformed.json()["message"].startswith(foreign.json()["message"])


@every_operation_on_something
async def test_foreign_and_unknown_identifiers_cause_the_same_lookups(service: Service, operation: Operation) -> None:
    mine, theirs = await make_belongings(service, STRANGER), await make_belongings(service, OWN)
    asked = watch(service)
    http = service.http(STRANGER)
    for names, query in product(subsets(operation.identifiers), operation.queries):
        found = []
        for other in ({name: theirs[name] for name in names}, dict.fromkeys(names, UNKNOWN)):
            asked.clear()
            await http.request(operation.method, operation.url({**mine, **other}) + query)
            found.append(list(asked))

        assert found[0] == found[1] != []


@every_operation_on_something
async def test_what_a_stranger_tries_changes_nothing(service: Service, operation: Operation) -> None:
    theirs = await make_belongings(service, OWN)
    before = await stored(service)

    for query in operation.queries:
        await service.http(STRANGER).request(operation.method, operation.url(theirs) + query)

    assert await stored(service) == before


@pytest.mark.parametrize("case", IN_BODIES, ids=lambda case: f"{case.operation} {case.member}")
async def test_a_strangers_identifier_in_a_body_is_answered_like_an_unknown_one(service: Service, case: InBody) -> None:
    mine, theirs = await make_belongings(service, STRANGER), await make_belongings(service, OWN)
    operation = next(operation for operation in SECURED if str(operation) == case.operation)

    async def ask(identifier_in_body: str) -> tuple[int, bytes, list[tuple[str, str]]]:
        answer = await service.http(STRANGER).request(
            operation.method, operation.url(mine), json=case.body(identifier_in_body)
        )
        status, content, headers = seen(answer)
        return status, content.replace(identifier_in_body.encode(), b"<identifier>"), headers

    own, foreign, unknown = [await ask(name) for name in (mine[case.kind], theirs[case.kind], UNKNOWN)]

    assert foreign == unknown
    assert own[0] == 200
    assert own[1] != foreign[1]


async def test_lists_show_nothing_of_another_organisation(service: Service) -> None:
    theirs = await make_belongings(service, OWN)
    for operation in SECURED:
        if operation.method == "GET" and not operation.identifiers:
            own = await service.http().get(operation.url())
            foreign = await service.http(STRANGER).get(operation.url())

            assert [name for name, value in theirs.items() if value in foreign.text] == []
            assert [name for name, value in theirs.items() if value in own.text] != []
