"""Archiving with a reason."""

import pytest

from domain.shared.ids import SessionId
from tests.api.service import Service, issues_by_path


@pytest.mark.parametrize(("body", "reason"), [({"reason": "The fee was wrong."}, "The fee was wrong."), ({}, None)])
async def test_a_reason_is_optional(service: Service, body: dict[str, str], reason: str | None) -> None:
    made = await service.create(sendImmediately=True)
    answer = await service.http().request("DELETE", f"/api/v1/Session/{made['sessionId']}", json=body)
    assert answer.json()["status"] == "cancelled"
    assert service.sessions.held[SessionId(made["sessionId"])].archive_reason == reason
    events = (await service.http().get(f"/api/v1/Session/{made['sessionId']}/Events")).json()["events"]
    assert events[-1]["details"] == {"previousStatus": "pending", **({"reason": reason} if reason else {})}


@pytest.mark.parametrize(
    ("query", "body", "path"),
    [
        ("", {"reason": "x" * 1001}, "/reason"),
        ("", {"reason": "a\u0000b"}, "/reason"),
        ("", {"because": "x"}, "/because"),
        ("?permanent=true", {"reason": "x"}, "/reason"),
    ],
)
async def test_a_wrong_body_archives_and_deletes_nothing(
    service: Service, query: str, body: dict[str, str], path: str
) -> None:
    made = await service.create()
    answer = await service.http().request("DELETE", f"/api/v1/Session/{made['sessionId']}{query}", json=body)
    assert answer.status_code == 400
    assert path in issues_by_path(answer)
    assert (await service.http().get(f"/api/v1/Session/{made['sessionId']}")).json()["status"] == "draft"
