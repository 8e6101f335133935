"""Deleting permanently has a scope of its own; archiving is writing."""

import pytest

from tests.api.service import EVERYTHING, OWN, STRANGER, Service, bearer

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
