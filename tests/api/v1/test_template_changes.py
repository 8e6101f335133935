"""Templates are renamed, archived, restored and deleted; sessions that were made from them stay as they are."""

from typing import Any

import pytest

from domain.shared.ids import SessionId
from tests.api.mcp.assistant import done, refused
from tests.api.service import OWN, STRANGER, Service, bearer
from tests.api.templates import create_from, get, make, session_request, use
from tests.builders import identifier


def address(template: dict[str, Any], act: str = "") -> str:
    return f"/api/v1/Template/{template['templateId']}{act}"


async def listed(service: Service, query: str = "") -> list[str]:
    return [row["name"] for row in (await get(service, f"Templates{query}")).json()["templates"]]


async def test_a_template_gets_another_name_and_its_sessions_keep_theirs(service: Service) -> None:
    template = await make(service)
    session = await create_from(service, template)

    renamed = await service.http().patch(address(template), json={"name": "Lease 2027"})

    now = renamed.json()
    assert (now["name"], now["updatedAt"] >= template["updatedAt"]) == ("Lease 2027", True)
    assert {**now, "name": "", "updatedAt": ""} == {**template, "name": "", "updatedAt": ""}
    assert (await service.http().get(address(template))).json() == now
    assert await listed(service) == ["Lease 2027"]
    assert (await service.http().get(f"/api/v1/Session/{session['sessionId']}")).json()["name"] == "Lease"
    assert (await create_from(service, template))["name"] == "Lease 2027"


@pytest.mark.parametrize(
    "body", [{}, {"name": ""}, {"name": " "}, {"name": "x" * 51}, {"name": 7}, {"status": "draft"}]
)
async def test_what_is_no_name_is_refused(service: Service, body: dict[str, Any]) -> None:
    template = await make(service)

    answer = await service.http().patch(address(template), json=body)

    assert (answer.status_code, answer.json()["error"]) == (400, "INVALID_REQUEST")
    assert (await service.http().get(address(template))).json() == template


@pytest.mark.parametrize("activate", [True, False])
async def test_an_archived_template_is_put_away_until_it_is_restored(service: Service, activate: bool) -> None:
    template = await make(service, activate=activate)
    status = template["status"]

    archived = await service.http().delete(address(template))
    again = await service.http().delete(address(template))
    activation = await service.http().post(address(template, "/Activate"))
    use_of_it = await use(service, template)
    names = [await listed(service, query) for query in ("", "?status=draft,active", "?status=archived")]
    restored = await service.http().post(address(template, "/Restore"))
    twice = await service.http().post(address(template, "/Restore"))

    assert archived.json() == {
        "templateId": template["templateId"], "name": "Lease", "previousStatus": status, "status": "archived",
        "permanent": False, "restorable": True,
    }  # fmt: skip
    assert (again.status_code, again.json()["error"]) == (400, "ALREADY_ARCHIVED")
    for answer in (activation, use_of_it):
        assert (answer.status_code, answer.json()["error"]) == (409, "TEMPLATE_ARCHIVED")
    assert names == [[], [], ["Lease"]]
    assert (restored.json()["status"], restored.json()["editorUrl"]) == (status, template["editorUrl"])
    assert (twice.status_code, twice.json()["error"]) == (400, "NOT_ARCHIVED")
    assert (await use(service, template)).status_code == (200 if activate else 400)


@pytest.mark.parametrize("is_archived", [True, False])
async def test_a_deleted_template_is_gone_and_its_sessions_are_not(service: Service, is_archived: bool) -> None:
    template = await make(service)
    session = await create_from(service, template, sendImmediately=True)
    before = service.sessions.held[SessionId(session["sessionId"])]
    if is_archived:
        await service.http().delete(address(template))

    deleted = await service.http().delete(address(template, "?permanent=true"))

    previous = "archived" if is_archived else "active"
    assert (deleted.json()["previousStatus"], deleted.json()["status"]) == (previous, "deleted")
    assert (deleted.json()["permanent"], deleted.json()["restorable"]) == (True, False)
    for method, act in (
        ("GET", ""),
        ("POST", "/Restore"),
        ("POST", "/Activate"),
        ("DELETE", ""),
        ("DELETE", "?permanent=true"),
    ):
        assert (await service.http().request(method, address(template, act))).status_code == 404
    assert (await use(service, template)).status_code == 404
    assert await listed(service, "?status=draft,active,archived") == []
    assert service.sessions.held[before.session_id] == before
    signed = await service.complete(session["sessionId"])
    assert signed.status == "completed"


async def test_nobody_else_changes_it(service: Service) -> None:
    template = await make(service)
    acts = [("PATCH", ""), ("DELETE", ""), ("DELETE", "?permanent=true"), ("POST", "/Restore")]

    for method, act in acts:
        body = {"json": {"name": "Mine"}} if method == "PATCH" else {}
        stranger = await service.http(STRANGER).request(method, address(template, act), **body)
        reader = await service.http(None).request(
            method, address(template, act), headers=bearer(OWN, ("read:templates", "write:sessions")), **body
        )
        unknown = await service.http().request(method, f"/api/v1/Template/{identifier('unknown')}{act}", **body)
        assert (stranger.status_code, reader.status_code, unknown.status_code) == (404, 403, 404)
        assert stranger.json() == unknown.json()
    assert (await service.http().get(address(template))).json() == template


async def test_a_repeated_request_finds_its_session_though_the_template_is_archived_since(service: Service) -> None:
    template = await make(service)
    headers = {**bearer(OWN), "Idempotency-Key": "lease 1"}
    body = session_request(template["templateId"])
    await service.http(None).post("/api/v1/SessionFromTemplate", json=body, headers=headers)
    await service.lose_answers()
    (made,) = service.sessions.held
    await service.http().delete(address(template))

    again = await service.http(None).post("/api/v1/SessionFromTemplate", json=body, headers=headers)
    other = await service.http(None).post(
        "/api/v1/SessionFromTemplate", json=body, headers={**headers, "Idempotency-Key": "lease 2"}
    )

    assert (again.status_code, again.json()["sessionId"]) == (200, made)
    assert other.status_code == 409


async def test_tools_change_templates_and_delete_only_archived_ones(service: Service) -> None:
    template = await make(service)
    one = {"templateId": template["templateId"]}

    renamed = await done(service, "rename_template", {**one, "name": "Lease 2027"})
    too_early = await refused(service, "delete_template", one)
    archived = await done(service, "archive_template", one)
    restored = await done(service, "restore_template", one)
    await done(service, "archive_template", one)
    deleted = await done(service, "delete_template", one)

    assert (renamed["name"], too_early["error"]) == ("Lease 2027", "NOT_ARCHIVED")
    assert (archived["status"], restored["status"], deleted["status"]) == ("archived", "active", "deleted")
    assert (await service.http().get(address(template))).status_code == 404
