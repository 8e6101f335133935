"""Templates: created whole or not at all, read as they were made, listed, activated (Specification 4.12)."""

from typing import Any

import httpx
import pytest

from adapters.database.tables.uploads import TemplateRow
from domain.shared.ids import SessionId
from tests.api.mcp.assistant import done
from tests.api.service import EVERYTHING, OWN, STRANGER, Service, bearer, issues_by_path
from tests.api.templates import create_from, get, lease, make, post, template_request, use, variables
from tests.builders import identifier

KEY = {"Idempotency-Key": "lease 1"}


async def refuse(service: Service, **changes: Any) -> Any:
    """The answer to a template that must be refused, after a look at what it left behind."""
    answer = await post(service, "Template", template_request(**changes))
    assert answer.status_code == 400, answer.text
    assert await service.database.read(TemplateRow) == []
    return answer


async def test_a_template_is_a_draft_unless_it_is_to_be_active(service: Service) -> None:
    request = template_request()
    del request["activate"]
    draft = (await post(service, "Template", request)).json()
    active = await make(service)

    assert (draft["status"], active["status"]) == ("draft", "active")
    assert draft["editorUrl"] == f"http://sign.example.com/app/templates/{draft['templateId']}"
    assert active["editorUrl"] is None


async def test_a_created_template_is_read_unchanged(service: Service) -> None:
    settings = {"expiryDays": 30, "reminderEnabled": True, "reminderFrequency": "daily", "message": "Please sign."}
    made = await make(service, **settings, recipientVerification="emailCode")

    assert (await get(service, f"Template/{made['templateId']}")).json() == made
    assert made["createdAt"] == made["updatedAt"]
    assert made["document"] == lease()
    assert made["recipients"] == [
        {"key": "tenant", "name": "{{{tenant}}}", "email": "", "signingOrder": 1},
        {
            "key": "landlord",
            "name": "Lena Lord",
            "email": "lena@example.com",
            "signingOrder": 2,
        },
    ]
    assert [variable["name"] for variable in made["variables"]] == ["tenant", "address", "rent", "start", "note"]
    assert made["variables"][2] == {
        "name": "rent", "displayName": None, "type": "number", "required": True, "defaultValue": "1,250.00",
        "description": None, "dateFormat": None,
    }  # fmt: skip
    assert {**settings, "recipientVerification": "emailCode"}.items() <= made.items()


async def test_what_is_left_out_has_its_default(service: Service) -> None:
    answer = await post(
        service,
        "Template",
        {
            "name": "Blank",
            "document": lease(subtitle="x", blocks=[{"type": "paragraph", "text": "x"}]),
            "recipients": [{"key": "a"}],
        },
    )

    made = answer.json()
    assert made["recipients"] == [{"key": "a", "name": "", "email": "", "signingOrder": 1}]
    assert (made["variables"], made["status"], made["expiryDays"], made["message"]) == ([], "draft", None, None)
    assert (made["reminderEnabled"], made["reminderFrequency"]) == (False, "weekly")
    assert made["recipientVerification"] == "none"


@pytest.mark.parametrize("break_", [{}, {"header": None}, {"header": {"title": "Annex of {{{tenant}}}"}}])
async def test_members_of_a_document_that_were_left_out_stay_left_out(service: Service, break_: dict[str, Any]) -> None:
    blocks = [{"type": "pageBreak", **break_}, {"type": "paragraph", "text": "x"}]
    made = await make(service, document=lease(blocks=blocks))

    assert made["document"]["blocks"][0] == {"type": "pageBreak", **break_}
    assert (await get(service, f"Template/{made['templateId']}")).json() == made


async def test_every_mistake_of_shape_is_listed_at_once(service: Service) -> None:
    wrong = [
        {"name": "first name"}, {"name": "tenant"}, {"name": "tenant"}, {"name": "a", "type": "money"},
        {"name": "b", "displayName": "", "required": "yes", "description": "\u0007", "colour": 1}, {"name": "x" * 101},
    ]  # fmt: skip
    recipients = [
        {"key": "a b", "name": "Line\nbreak", "email": "nobody"},
        {"key": "b", "name": None, "email": "{{{x}}}\n"},
        {"email": "x"},
    ]
    document = lease(title="", blocks=[{"type": "heading", "text": "{{{x}}}" * 100}])

    answer = await refuse(
        service,
        name="n" * 51,
        document=document,
        recipients=recipients,
        variables=wrong,
        activate="no",
        expiryDays=0,
        reminderFrequency="hourly",
        message="Dear {{{tenant}}}",
        recipientVerification="sms",
        sendImmediately=True,
    )

    assert answer.json()["error"] == "INVALID_REQUEST"
    assert set(issues_by_path(answer)) == {
        "/name", "/document/title", "/document/blocks/0/text", "/recipients/0/key", "/recipients/0/name",
        "/recipients/0/email", "/recipients/1/name", "/recipients/1/email", "/recipients/2/key", "/recipients/2/email",
        "/variables/0/name", "/variables/3/type", "/variables/4/displayName", "/variables/4/required",
        "/variables/4/description", "/variables/4/colour", "/variables/5/name", "/activate", "/expiryDays",
        "/reminderFrequency", "/message", "/recipientVerification", "/sendImmediately",
    }  # fmt: skip


async def test_equal_names_of_variables_and_equal_keys_of_recipients_are_refused(service: Service) -> None:
    answer = await refuse(service, variables=[*variables(), {"name": "rent"}])
    assert issues_by_path(answer) == {"/variables/5/name": "Another variable has the name “rent” already."}
    answer = await refuse(service, recipients=[{"key": "tenant"}, {"key": "tenant"}])
    assert set(issues_by_path(answer)) == {"/recipients/1/key"}


@pytest.mark.parametrize(("number", "status"), [(50, 200), (51, 400)])
async def test_there_are_fifty_variables_at_most(service: Service, number: int, status: int) -> None:
    many = [*variables(), *({"name": f"v{at}"} for at in range(number - 5))]
    assert (await post(service, "Template", template_request(variables=many))).status_code == status


@pytest.mark.parametrize(
    ("type_", "given", "kept"),
    [
        ("text", "as it is {{{x}}}", "as it is {{{x}}}"), ("text", " ", None), ("text", None, None),
        ("date", "2026-03-27", "2026-03-27"), ("number", "1,250.00", "1,250.00"), ("number", 12.5, "12.5"),
    ],
)  # fmt: skip
async def test_a_fitting_default_is_stored_as_printed(
    service: Service, type_: str, given: object, kept: str | None
) -> None:
    variable = {"name": "x", "type": type_, "defaultValue": given}
    made = await make(service, variables=[*variables(), variable])
    assert made["variables"][-1]["defaultValue"] == kept


@pytest.mark.parametrize(
    ("type_", "given"),
    [("text", 5), ("text", ["x"]), ("date", "27/03/2026"), ("date", 2026), ("number", "many"), ("number", True)],
)
async def test_a_default_that_does_not_fit_its_type_is_refused(service: Service, type_: str, given: object) -> None:
    variable = {"name": "x", "type": type_, "defaultValue": given}
    answer = await refuse(service, variables=[*variables(), variable])

    assert set(issues_by_path(answer)) == {"/variables/5/defaultValue"}
    assert f"of the type {type_} takes" in issues_by_path(answer)["/variables/5/defaultValue"]


async def test_every_token_that_is_not_declared_is_named_at_once_with_page_and_place(service: Service) -> None:
    field = {"type": "field", "recipient": "tenant", "fieldType": "radio"}
    texts = lease(
        title="{{{t1}}}",
        subtitle="{{{t2}}}",
        footerLabel="{{{t3}}}",
        blocks=[
            {"type": "heading", "text": "{{{t4}}}"},
            {"type": "paragraph", "text": "{{{t5}}} {{{t6}}} {{{tenant}}}"},
            {"type": "bulletList", "items": ["x", "{{{t7}}}"]},
            {"type": "pageBreak", "header": {"title": "{{{t8}}}", "subtitle": "{{{t9}}}"}},
            {**field, "label": "{{{t10}}}", "options": ["{{{t11}}}", "x"]},
            {
                "type": "fieldRow",
                "fields": [
                    {"fieldType": "text", "recipient": "tenant", "label": "x", "placeholder": "{{{t12}}}"},
                    {"fieldType": "text", "recipient": "tenant", "label": "{{{t13}}}"},
                ],
            },
            {"type": "signatureBlock", "label": "{{{t14}}}", "recipient": "tenant"},
        ],
    )
    recipients = [{"key": "tenant", "name": "{{{first name}}} {{{}}}", "email": "{{{mail}}}@example.com"}]

    answer = await refuse(service, document=texts, recipients=recipients)

    body = answer.json()
    assert (body["error"], body["message"]) == ("DOCUMENT_VALIDATION_FAILED", "Document validation failed: 17 issues.")
    assert {issue["kind"] for issue in body["issues"]} == {"undeclared-variable"}
    found = {(issue["path"], issue["page"]) for issue in body["issues"]}
    assert found == {
        ("/document/title", 1), ("/document/subtitle", 1), ("/document/footerLabel", 1), ("/document/blocks/0/text", 1),
        ("/document/blocks/1/text", 1), ("/document/blocks/2/items/1", 1), ("/document/blocks/3/header/title", 2),
        ("/document/blocks/3/header/subtitle", 2), ("/document/blocks/4/label", 2), ("/document/blocks/4/options/0", 2),
        ("/document/blocks/5/fields/0/placeholder", 2), ("/document/blocks/5/fields/1/label", 2),
        ("/document/blocks/6/label", 2), ("/recipients/0/name", 1), ("/recipients/0/email", 1),
    }  # fmt: skip
    assert all("{{{" in issue["snippet"] for issue in body["issues"])
    assert all(issue["file"] == 0 for issue in body["issues"])


async def test_the_document_is_checked_as_a_sessions_is(service: Service) -> None:
    signature = {"type": "signatureBlock", "label": "x", "recipient": "nobody"}
    blocks = [signature, {"type": "image", "fileId": identifier("nothing")}]

    answer = await refuse(service, document=lease(title="W" * 60, blocks=blocks))

    assert [(issue["kind"], issue["path"]) for issue in answer.json()["issues"]] == [
        ("title-too-long", "/document/title"),
        ("unknown-recipient", "/document/blocks/0/recipient"),
        ("unknown-image", "/document/blocks/1/fileId"),
    ]


async def test_a_title_with_a_variable_is_not_measured_yet(service: Service) -> None:
    made = await make(service, document=lease(title="Lease of {{{address}}} to {{{tenant}}}, signed by both of them"))
    assert made["status"] == "active"


async def test_characters_that_no_font_can_draw_are_refused(service: Service) -> None:
    glyph = "\U00012000"
    recipients = [{"key": "tenant", "name": f"{{{{{{tenant}}}}}} {glyph}"}]

    given = [*variables(), {"name": "x", "defaultValue": glyph}]
    answer = await refuse(service, document=lease(subtitle=glyph), recipients=recipients, variables=given)

    assert answer.json()["error"] == "INVALID_REQUEST"
    assert set(issues_by_path(answer)) == {"/document/subtitle", "/recipients/0/name", "/variables/5/defaultValue"}


async def test_activating_makes_a_draft_active_and_changes_nothing_the_second_time(service: Service) -> None:
    draft = await make(service, activate=False)

    active = await post(service, f"Template/{draft['templateId']}/Activate")
    again = await post(service, f"Template/{draft['templateId']}/Activate")

    assert active.status_code == 200
    assert active.json() == {**draft, "status": "active", "updatedAt": active.json()["updatedAt"], "editorUrl": None}
    assert again.json() == active.json()


async def test_an_unknown_template_is_not_found(service: Service) -> None:
    answer = await get(service, f"Template/{identifier('nothing')}")
    assert (answer.status_code, answer.json()) == (404, {"message": "No such template.", "error": "NOT_FOUND"})


async def test_a_repeated_create_gets_the_first_answer(service: Service) -> None:
    async def create(**changes: Any) -> httpx.Response:
        return await service.http().post("/api/v1/Template", json=template_request(**changes), headers=KEY)

    first, again, other = await create(), await create(), await create(name="x")
    await service.lose_answers()
    late = await create()

    assert first.status_code == 200
    assert again.content == first.content
    assert again.headers["Idempotency-Replayed"] == "true"
    assert (other.status_code, other.json()["error"]) == (422, "IDEMPOTENCY_KEY_REUSED")
    assert late.json() == first.json()
    assert len(await service.database.read(TemplateRow)) == 1


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
