"""`headerScope` of page breaks in requests."""

from typing import Any

import pytest

from tests.api.service import Service, document, session_request


def request_with(page_break: dict[str, Any]) -> dict[str, Any]:
    written = document()
    written["blocks"] = [
        *written["blocks"],
        {"type": "pageBreak", **page_break},
        {"type": "paragraph", "text": "Annex"},
    ]
    return session_request(files=[{"type": "blocks", "document": written}])


@pytest.mark.parametrize(
    "page_break",
    [
        {"headerScope": "section"},
        {"headerScope": "document", "header": None},
        {"headerScope": None, "header": None},
        {"headerScope": "", "header": None},
    ],
)
async def test_a_scope_of_nothing_and_unknown_ones_are_refused(service: Service, page_break: dict[str, Any]) -> None:
    answer = await service.http().post("/api/v1/Session", json=request_with(page_break))

    at = len(document()["blocks"])
    assert answer.status_code == 400
    paths = [issue["path"] for issue in answer.json()["issues"]]
    assert paths == [f"/files/0/document/blocks/{at}/headerScope"]


@pytest.mark.parametrize("scope", ["page", "section"])
@pytest.mark.parametrize("header", [None, {"title": "Annex"}])
async def test_both_scopes_are_taken(service: Service, scope: str, header: object) -> None:
    body = request_with({"headerScope": scope, "header": header})

    assert (await service.http().post("/api/v1/Session", json=body)).status_code == 200
