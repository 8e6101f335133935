"""The number of reported issues of a JSON body."""

import pytest

from tests.api.service import Service, document, session_request


@pytest.mark.parametrize(
    ("mistakes", "number"),
    [(400, "more than 100 issues, of which the first 100 are listed"), (100, "100 issues")],
)
async def test_the_first_hundred_issues_of_a_body_are_listed(service: Service, mistakes: int, number: str) -> None:
    request = session_request(files=[{"type": "blocks", "document": document(blocks=[1] * mistakes)}])

    answer = (await service.http().post("/api/v1/Session", json=request)).json()

    assert [issue["path"] for issue in answer["issues"]] == [f"/files/0/document/blocks/{at}" for at in range(100)]
    assert answer["message"] == f"The request is not valid: {number}."


async def test_the_first_hundred_issues_of_a_query_are_listed(service: Service) -> None:
    query = "&".join(f"unknown{number}=1" for number in range(200))

    assert len((await service.http().get(f"/api/v1/Sessions?{query}")).json()["issues"]) == 100
