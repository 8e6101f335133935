"""Templates are listed, renamed, archived, restored and deleted; their sessions do not change."""

import json
from typing import Any

import pytest

from domain.shared.ids import SessionId
from layout.engine import render
from layout.schema.block_document import BlockDocument
from tests import ROOT
from tests.api.mcp.assistant import done, refused
from tests.api.service import OWN, Service, bearer, issues_by_path
from tests.api.templates import create_from, get, make, post, session_request, source_of, use


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
    "body",
    [{}, {"name": ""}, {"name": " "}, {"name": "x" * 51}, {"name": "{{{tenant}}}"}, {"name": 7}, {"status": "draft"}],
)
async def test_what_is_no_name_is_refused(service: Service, body: dict[str, Any]) -> None:
    template = await make(service)

    answer = await service.http().patch(address(template), json=body)

    assert (answer.status_code, answer.json()["error"]) == (400, "INVALID_REQUEST")
    assert (await service.http().get(address(template))).json() == template


@pytest.mark.parametrize("activate", [True, False])
async def test_an_archived_template_is_unusable_until_it_is_restored(service: Service, activate: bool) -> None:
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


async def test_a_row_of_a_list_is_a_template_without_its_document(service: Service) -> None:
    active = await make(service)
    await make(service, activate=False)

    listed = (await get(service, "Templates")).json()

    assert listed == {
        "templates": [
            {
                "templateId": active["templateId"], "name": "Lease", "status": "active",
                "createdAt": active["createdAt"], "updatedAt": active["updatedAt"], "recipientCount": 2,
                "version": 1, "hasNextVersion": False,
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


EXAMPLES = ROOT / "examples"


def example(name: str) -> dict[str, Any]:
    return dict(json.loads((EXAMPLES / f"{name}.json").read_text("utf-8")))


async def test_the_example_becomes_a_session_of_one_page_without_a_warning(service: Service) -> None:
    template = (await post(service, "Template", {**example("lease-template"), "activate": True})).json()

    session = (
        await post(service, "SessionFromTemplate", {**example("lease-values"), "templateId": template["templateId"]})
    ).json()

    assert [file["pageCount"] for file in session["files"]] == [1]
    assert session["status"] == "pending"
    document = BlockDocument.model_validate(await source_of(service, session))
    assert "{{{" not in document.model_dump_json()
    assert render(document, {"tenant", "landlord"}).warnings == ()


def test_the_example_uses_every_variable_that_it_declares() -> None:
    request = example("lease-template")
    written = json.dumps([request["document"], request["recipients"]])
    assert all(f"{{{{{{{variable['name']}}}}}}}" in written for variable in request["variables"])
