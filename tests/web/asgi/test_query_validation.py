"""Unknown and repeated query parameters are refused before a route does anything."""

import pytest

from tests.api.belongings import make_belongings
from tests.api.operations import SECURED, Operation
from tests.api.service import OWN, Service, issues_by_path, session_request
from tests.builders import identifier

WITHOUT_BODY = [operation for operation in SECURED if not operation.takes_body]


@pytest.mark.parametrize("operation", WITHOUT_BODY, ids=str)
async def test_an_unknown_parameter_is_refused_everywhere(service: Service, operation: Operation) -> None:
    mine = await make_belongings(service, OWN)

    answer = await service.http().request(operation.method, f"{operation.url_on(mine)}?verbose=1")

    assert (answer.status_code, answer.json()["error"]) == (400, "INVALID_REQUEST")
    assert issues_by_path(answer)["/verbose"].startswith("Unknown query parameter; remove it.")
    assert "400" in operation.described["responses"]


async def test_an_unknown_parameter_prevents_the_creation_of_a_session(service: Service) -> None:
    answer = await service.http().post("/api/v1/Session?dryRun=true", json=session_request())

    assert (answer.status_code, list(issues_by_path(answer))) == (400, ["/dryRun"])
    assert not service.sessions.held


_TWICE = "This query parameter occurs more than once. Give it once."


@pytest.mark.parametrize(
    ("query", "issues"),
    [
        ("permanet=true", {"/permanet": "Unknown query parameter; perhaps “permanent” is meant."}),
        ("permanent=true&permanent=false", {"/permanent": _TWICE}),
        ("permanent=true&permanent=true", {"/permanent": _TWICE}),
    ],
)
async def test_a_misspelt_or_repeated_parameter_archives_nothing(
    service: Service, query: str, issues: dict[str, str]
) -> None:
    address = f"/api/v1/Session/{(await service.create())['sessionId']}"

    assert issues_by_path(await service.http().delete(f"{address}?{query}")) == issues
    assert (await service.http().get(address)).json()["status"] == "draft"


async def test_all_issues_of_a_query_are_reported_at_once(service: Service) -> None:
    answer = await service.http().get("/api/v1/Sessions?limit=0&createdafter=2026-06-12T10:30:00Z&offset=1&offset=2")

    assert issues_by_path(answer).keys() == {"/limit", "/createdafter", "/offset"}
    assert "“createdAfter”" in issues_by_path(answer)["/createdafter"]


async def test_a_missing_session_is_reported_before_its_query(service: Service) -> None:
    answer = await service.http().delete(f"/api/v1/Session/{identifier('unknown')}?permanet=true")

    assert answer.status_code == 404
