"""Lists of templates (Specification 4.12, 10.4)."""

import pytest

from tests.api.service import Service, issues_by_path
from tests.api.templates import get, make


async def test_a_row_of_a_list_is_a_template_without_its_document(service: Service) -> None:
    active = await make(service)
    await make(service, activate=False)

    listed = (await get(service, "Templates")).json()

    assert listed == {
        "templates": [
            {
                "templateId": active["templateId"], "name": "Lease", "status": "active",
                "createdAt": active["createdAt"], "updatedAt": active["updatedAt"], "recipientCount": 2,
                "hasVariables": True,
            }
        ],
        "pagination": {"total": 1, "limit": 50, "offset": 0, "hasMore": False},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("", {"active"}),
        ("?status=active", {"active"}),
        ("?status=draft", {"draft"}),
        ("?status=draft,active", {"draft", "active"}),
    ],
)
async def test_lists_have_the_statuses_that_are_asked_for(service: Service, query: str, names: set[str]) -> None:
    await make(service, name="active")
    await make(service, name="draft", activate=False)

    listed = (await get(service, f"Templates{query}")).json()["templates"]

    assert {row["name"] for row in listed} == names


async def test_lists_come_in_pages(service: Service) -> None:
    made = {(await make(service, name=str(number)))["templateId"] for number in range(5)}

    first = (await get(service, "Templates?limit=3")).json()
    rest = (await get(service, "Templates?limit=3&offset=3")).json()

    assert first["pagination"] == {"total": 5, "limit": 3, "offset": 0, "hasMore": True}
    assert rest["pagination"] == {"total": 5, "limit": 3, "offset": 3, "hasMore": False}
    assert {row["templateId"] for row in first["templates"] + rest["templates"]} == made


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("limit=0", "/limit"), ("limit=101", "/limit"), ("limit=x", "/limit"), ("offset=-1", "/offset"),
        ("status=deleted", "/status"), ("status=", "/status"), ("status=draft,", "/status"), ("name=lease", "/name"),
        ("Status=draft", "/Status"),
    ],
)  # fmt: skip
async def test_a_query_that_is_none_is_refused(service: Service, query: str, path: str) -> None:
    answer = await get(service, f"Templates?{query}")

    assert (answer.status_code, answer.json()["error"]) == (400, "INVALID_REQUEST")
    assert set(issues_by_path(answer)) == {path}
