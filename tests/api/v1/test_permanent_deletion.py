"""`permanent` is true or false, and permanent deletion has its own scope."""

import pytest

from tests.api.belongings import make_belongings, stored
from tests.api.operations import SECURED, Operation
from tests.api.service import EVERYTHING, OWN, STRANGER, Service, bearer, issues_by_path

WRITE, DELETE = "write:sessions", "delete:sessions"
OTHERS = tuple(scope for scope in EVERYTHING if scope not in {WRITE, DELETE})


@pytest.mark.parametrize(
    ("query", "scopes", "status", "named"),
    [
        ("?permanent=true", (DELETE,), 200, None), ("?permanent=true", (*OTHERS, WRITE), 403, DELETE),
        ("?permanent=true", OTHERS, 403, DELETE), ("?permanent=false", (*OTHERS, DELETE), 403, WRITE),
        ("", (DELETE,), 403, WRITE), ("", (WRITE,), 200, None), ("?permanent=false", (WRITE,), 200, None),
    ],
)  # fmt: skip
async def test_each_act_needs_its_own_scope(
    service: Service, query: str, scopes: tuple[str, ...], status: int, named: str | None
) -> None:
    made = await service.create()
    address = f"/api/v1/Session/{made['sessionId']}"

    answer = await service.http(None).delete(address + query, headers=bearer(OWN, scopes))

    assert answer.status_code == status
    assert named is None or f'scope="{named}"' in answer.headers["www-authenticate"]
    shown = await service.http().get(address)
    if status == 403:
        assert shown.json()["status"] == "draft"


async def test_without_the_scope_nothing_is_learnt_of_a_session(service: Service) -> None:
    made = await service.create()
    known, unknown = [
        await service.http(None).delete(f"/api/v1/Session/{session}?permanent=true", headers=bearer(OWN, (WRITE,)))
        for session in (made["sessionId"], "nothing")
    ]
    of_others = await service.http(STRANGER).delete(f"/api/v1/Session/{made['sessionId']}?permanent=true")

    assert (known.status_code, unknown.status_code, of_others.status_code) == (403, 403, 404)


@pytest.mark.parametrize("query", ["permanent=TRUE", "permanent=1", "permanent=", "permanent=true&permanent=false"])
async def test_what_is_no_boolean_deletes_nothing(service: Service, query: str) -> None:
    made = await service.create()
    address = f"/api/v1/Session/{made['sessionId']}"

    answers = [
        await service.http(None).delete(f"{address}?{query}", headers=bearer(OWN, (scope,)))
        for scope in (WRITE, DELETE)
    ]

    assert [answer.status_code for answer in answers] == [400, 403]
    assert (await service.http().get(address)).json()["status"] == "draft"


def test_the_description_names_both_scopes(service: Service) -> None:
    described = service.app.openapi()["paths"]["/api/v1/Session/{sessionId}"]["delete"]
    assert {scope for one in described["security"] for scope in one["accessToken"]} == {WRITE, DELETE}


SWITCHES = [(operation, query.removesuffix("=true")) for operation in SECURED for query in operation.queries[1:]]
SPELLINGS = [
    *("1", "0", "yes", "no", "on", "off", "t", "f", "y", "n", "True", "TRUE", "False", "FALSE", "tRuE"),
    *("", "null", "%20true", "true%20", "true%00", "%EF%BD%94rue", "1.0", "true,false", "[true]", '"true"'),
]


@pytest.mark.parametrize(("operation", "name"), SWITCHES, ids=str)
async def test_other_spellings_are_refused(service: Service, operation: Operation, name: str) -> None:
    mine = await make_belongings(service, OWN)
    before = await stored(service)

    for spelling in SPELLINGS:
        answer = await service.http().request(operation.method, f"{operation.url_on(mine)}{name}={spelling}")

        assert (answer.status_code, answer.json()["error"]) == (400, "INVALID_REQUEST"), spelling
        assert issues_by_path(answer) == {f"/{name.removeprefix('?')}": "Write true or false."}
    assert await stored(service) == before


@pytest.mark.parametrize(("operation", "name"), SWITCHES, ids=str)
@pytest.mark.parametrize("spelling", ["true", "false"])
async def test_true_and_false_are_taken(service: Service, operation: Operation, name: str, spelling: str) -> None:
    mine = await make_belongings(service, OWN)
    answer = await service.http().request(operation.method, f"{operation.url_on(mine)}{name}={spelling}")
    assert answer.status_code == 200
