"""The next version of a template: saved, read, activated, discarded; and copies of templates."""

from typing import Any

import httpx
import pytest

from domain.shared.ids import SessionId
from tests.api.mcp.assistant import done
from tests.api.service import EVERYTHING, OWN, STRANGER, Service, bearer, issues_by_path
from tests.api.templates import create_from, lease, make, template_request, use


def path_of(template: dict[str, Any], act: str = "NextVersion") -> str:
    return f"/api/v1/Template/{template['templateId']}/{act}"


async def save(service: Service, template: dict[str, Any], **changes: Any) -> httpx.Response:
    body = template_request(**{"activate": False, **changes})
    return await service.http().put(path_of(template), json=body)


async def read(service: Service, template: dict[str, Any]) -> dict[str, Any]:
    return dict((await service.http().get(f"/api/v1/Template/{template['templateId']}")).json())


async def test_an_edited_template_is_used_once_its_next_version_is_active(service: Service) -> None:
    template = await make(service)
    before = await create_from(service, template)

    saved = await save(service, template, document=lease(title="Lease of 2027"), message="Welcome")
    meanwhile = await read(service, template)
    from_first = await create_from(service, template)
    activated = await service.http().post(path_of(template, "Activate"))
    from_second = await create_from(service, template)

    assert saved.status_code == 200
    assert (saved.json()["version"], saved.json()["status"], saved.json()["message"]) == (2, "draft", "Welcome")
    assert saved.json()["editorUrl"].endswith(f"/app/templates/{template['templateId']}/next")
    assert (meanwhile["version"], meanwhile["hasNextVersion"], meanwhile["message"]) == (1, True, None)
    assert {**meanwhile, "updatedAt": "", "hasNextVersion": False} == {**template, "updatedAt": ""}
    now = activated.json()
    assert (now["version"], now["hasNextVersion"], now["status"]) == (2, False, "active")
    assert (now["templateId"], now["createdAt"]) == (template["templateId"], template["createdAt"])
    titles = [
        service.sessions.held[SessionId(s["sessionId"])].files[0].title for s in (before, from_first, from_second)
    ]
    assert titles == ["Lease", "Lease", "Lease of 2027"]
    assert (await service.http().get(path_of(template))).status_code == 404


async def test_a_next_version_can_be_active_at_once(service: Service) -> None:
    template = await make(service)

    saved = (await save(service, template, message="Welcome", activate=True)).json()

    assert (saved["version"], saved["status"], saved["message"]) == (2, "active", "Welcome")
    assert saved == await read(service, template)


async def test_a_draft_is_its_own_next_version(service: Service) -> None:
    draft = await make(service, activate=False)

    saved = (await save(service, draft, name="Tenancy", recipients=template_request()["recipients"][:1])).json()

    assert (saved["version"], saved["status"], saved["name"], len(saved["recipients"])) == (1, "draft", "Tenancy", 1)
    assert saved == await read(service, draft) == (await service.http().get(path_of(draft))).json()
    [listed] = (await service.http().get("/api/v1/Templates?status=draft")).json()["templates"]
    assert (listed["name"], listed["recipientCount"], listed["hasNextVersion"]) == ("Tenancy", 1, False)
    assert (await service.http().delete(path_of(draft))).status_code == 404


async def test_a_next_version_is_replaced_and_discarded(service: Service) -> None:
    template = await make(service)
    await save(service, template, message="First")
    await save(service, template, message="Second")
    assert (await service.http().get(path_of(template))).json()["message"] == "Second"

    discarded = await service.http().delete(path_of(template))

    assert (discarded.json()["hasNextVersion"], discarded.json()["message"]) == (False, None)
    assert (await service.http().get(path_of(template))).status_code == 404
    activated = (await service.http().post(path_of(template, "Activate"))).json()
    assert (activated["version"], activated["message"]) == (1, None)


async def test_all_issues_of_a_next_version_are_reported_and_nothing_is_saved(service: Service) -> None:
    template = await make(service)
    blocks = [*lease()["blocks"], {"type": "paragraph", "text": "{{{nobody}}}"}]

    refused = await save(service, template, document=lease(blocks=blocks))
    malformed = await save(service, template, name="", document=lease(blocks=blocks))

    assert (refused.status_code, refused.json()["error"]) == (400, "DOCUMENT_VALIDATION_FAILED")
    assert issues_by_path(refused).keys() == {"/document/blocks/2/text"}
    assert issues_by_path(malformed).keys() == {"/name", "/document/blocks/2/text"}
    assert await read(service, template) == template


async def test_an_archived_template_gets_no_next_version(service: Service) -> None:
    template = await make(service)
    await service.http().delete(f"/api/v1/Template/{template['templateId']}")

    refused = await save(service, template)

    assert (refused.status_code, refused.json()["error"]) == (409, "TEMPLATE_ARCHIVED")


async def test_a_copy_is_a_draft_of_its_own(service: Service) -> None:
    template = await make(service, name="L" * 50, message="Welcome", expiryDays=7)

    copy = (await service.http().post(path_of(template, "Duplicate"))).json()

    assert copy["name"] == "L" * 43 + " (copy)"
    assert (copy["status"], copy["version"]) == ("draft", 1)
    same = {"document", "recipients", "variables", "message", "expiryDays", "reminderEnabled", "recipientVerification"}
    assert {name: copy[name] for name in same} == {name: template[name] for name in same}
    assert copy["templateId"] != template["templateId"]
    assert await read(service, template) == template
    assert (await use(service, copy)).status_code == 400


async def test_a_copy_is_made_once_per_key(service: Service) -> None:
    template = await make(service)
    answers = [
        await service.http().post(path_of(template, "Duplicate"), headers={"Idempotency-Key": "one"}) for _ in range(2)
    ]
    assert answers[0].json() == answers[1].json()


@pytest.mark.parametrize(("method", "act"), [("GET", "NextVersion"), ("DELETE", "NextVersion"), ("POST", "Duplicate")])
async def test_versions_need_the_organisation_and_the_scope(service: Service, method: str, act: str) -> None:
    template = await make(service)
    await save(service, template)
    scope = "read:templates" if method == "GET" else "write:templates"
    others = tuple(each for each in EVERYTHING if each != scope)

    foreign = await service.http(STRANGER).request(method, path_of(template, act))
    refused = await service.http(None).request(method, path_of(template, act), headers=bearer(OWN, others))

    assert foreign.status_code == 404
    assert refused.status_code == 403


async def test_an_assistant_saves_a_next_version(service: Service) -> None:
    template = await make(service)
    content = template_request(activate=False, message="Welcome")

    saved = await done(service, "save_next_version", {**content, "templateId": template["templateId"]})

    assert (saved["version"], saved["status"], saved["message"]) == (2, "draft", "Welcome")
    assert saved == (await service.http().get(path_of(template))).json()
