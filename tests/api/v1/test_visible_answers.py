"""A client without the scope to read sessions reads none through the answers to its changes."""

import json
from typing import Any

import pytest

from tests.api.service import Service, client_of
from tests.builders import ORGANISATION

WRITER = client_of(ORGANISATION, "writer", scopes=("write:sessions",))
PRIVATE = (
    "Ada Lovelace",
    "ada@example.com",
    "Grace",
    "grace@example.com",
    "hooks.example.com",
    "payroll-4711",
    "ward 7",
)


@pytest.fixture
async def made(service: Service) -> dict[str, Any]:
    await service.organisations.add_client(WRITER)
    members = {
        "externalId": "payroll-4711",
        "metadata": {"place": "ward 7"},
        "callbackUrl": "https://hooks.example.com",
    }
    return await service.create(sendImmediately=True, **members)


CHANGES = {
    "PATCH /Session/{session}": {"reminderEnabled": True, "reminderFrequency": "daily"},
    "POST /Session/{session}/Duplicate": None,
    "PATCH /Session/{session}/Recipient/{recipient}": {"email": "new@example.com"},
    "POST /Session/{session}/SendReminder": None,
    "POST /Session/{session}/SendInvitation": None,
}


@pytest.mark.parametrize("change", CHANGES)
async def test_answers_to_changes_hold_nothing_of_people(service: Service, made: dict[str, Any], change: str) -> None:
    method, path = change.split(" ")
    path = path.format(session=made["sessionId"], recipient=made["recipients"][0]["recipientId"])
    body = {"json": CHANGES[change]} if CHANGES[change] else {}

    answer = await service.http(WRITER).request(method, f"/api/v1{path}", **body)  # type: ignore[arg-type]

    assert answer.status_code == 200, answer.text
    assert [text for text in PRIVATE if text in json.dumps(answer.json(), ensure_ascii=False)] == []


async def test_archived_and_restored_sessions_too(service: Service, made: dict[str, Any]) -> None:
    path = f"/api/v1/Session/{made['sessionId']}"
    archived = await service.http(WRITER).delete(path)
    restored = await service.http(WRITER).post(f"{path}/Restore")
    assert (archived.status_code, restored.status_code) == (200, 200)
    for answer in (archived, restored):
        assert [text for text in PRIVATE if text in answer.text] == []
    assert [one["name"] for one in restored.json()["recipients"]] == [one["key"] for one in made["recipients"]]


async def test_a_client_that_may_read_gets_everything(service: Service, made: dict[str, Any]) -> None:
    copy = (await service.http().post(f"/api/v1/Session/{made['sessionId']}/Duplicate")).json()
    assert [one["email"] for one in copy["recipients"]] == [one["email"] for one in made["recipients"]]
