"""Roles of recipients in requests and responses (Specification 2.9, 7.3)."""

from typing import Any

import pytest

from tests.api.mcp.assistant import call
from tests.api.service import Service, document, issues_by_path, session_request
from tests.api.templates import create_from, make, template_request

ADA = {"key": "ada", "name": "Ada Lovelace", "email": "ada@example.com"}
GRACE = {"key": "grace", "name": "Grace Hopper", "email": "grace@example.com", "role": "approver"}
MARY = {"key": "mary", "name": "Mary Jackson", "email": "mary@example.com", "role": "copy"}
"""The document of `session_request` names Ada only."""


async def refused(service: Service, path: str, body: Any, error: str) -> dict[str, str]:
    answer = await service.http().post(f"/api/v1/{path}", json=body)
    assert (answer.status_code, answer.json()["error"]) == (400, error), answer.text
    return {path: str(issue) for path, issue in issues_by_path(answer).items()}


async def test_roles_are_returned_and_ask_for_no_signature_block(service: Service) -> None:
    created = await service.create(recipients=[ADA, GRACE, MARY], sendImmediately=True)
    shown = (await service.http().get(f"/api/v1/Session/{created['sessionId']}")).json()

    assert created["warnings"] == []
    assert [one.get("role") for one in shown["recipients"]] == [None, "approver", "copy"]
    assert [one["status"] for one in shown["recipients"]] == ["pending", "waiting", "waiting"]
    copy = (await service.http().post(f"/api/v1/Session/{created['sessionId']}/Duplicate")).json()
    assert [one.get("role") for one in copy["recipients"]] == [None, "approver", "copy"]


@pytest.mark.parametrize("role", ["approver", "copy"])
async def test_no_block_may_name_a_recipient_who_does_not_sign(service: Service, role: str) -> None:
    people = [{**ADA, "role": role}, {**GRACE, "role": "signer"}]
    request = session_request(recipients=people)
    found = await refused(service, "Session", request, "DOCUMENT_VALIDATION_FAILED")
    assert found
    for path, issue in found.items():
        assert path.startswith("/files/0/document/blocks/")
        assert path.endswith("/recipient")
        assert f"has the role {role}" in issue
    template = template_request(document=document(), recipients=people)
    assert len(await refused(service, "Template", template, "DOCUMENT_VALIDATION_FAILED")) == len(found)
    preview = {"kind": "session", "document": document(), "recipients": people}
    shown = (await service.http().post("/api/v1/Document/Preview", json=preview)).json()
    assert {issue["kind"] for issue in shown["issues"]} == {"not-a-signer"}
    both = await refused(service, "Session", {**request, "expiryDays": 0}, "INVALID_REQUEST")
    assert both.keys() == {"/expiryDays", *found}


async def test_a_session_needs_a_signer(service: Service) -> None:
    people = [GRACE, MARY]
    blocks = document(blocks=[{"type": "paragraph", "text": "Nothing to sign."}])
    request = session_request(recipients=people, files=[{"type": "blocks", "document": blocks}])
    for path, body in (
        ("Session", request),
        ("Template", template_request(document=blocks, recipients=people)),
        ("Document/Preview", {"kind": "session", "document": blocks, "recipients": people}),
    ):
        found = await refused(service, path, body, "INVALID_REQUEST")
        assert found.keys() == {"/recipients"}
        assert "At least one recipient must be a signer" in found["/recipients"]
    draft = await service.create()
    answer = await service.http().patch(f"/api/v1/Session/{draft['sessionId']}", json={"recipients": people})
    assert set(issues_by_path(answer)) == {"/recipients"}


async def test_the_role_of_a_recipient_of_a_draft_can_be_changed_unless_a_document_names_them(service: Service) -> None:
    draft = await service.create(recipients=[ADA, GRACE])
    address = f"/api/v1/Session/{draft['sessionId']}"
    changed = await service.http().patch(address, json={"recipients": [ADA, {**GRACE, "role": "copy"}]})
    wrong = [{**ADA, "role": "approver"}, {**GRACE, "role": "signer"}]
    refusal = await service.http().patch(address, json={"recipients": wrong})

    assert [one.get("role") for one in changed.json()["recipients"]] == [None, "copy"]
    assert refusal.json()["error"] == "DOCUMENT_VALIDATION_FAILED"
    assert set(issues_by_path(refusal)) == {"/recipients/0/role"}


async def test_recipients_of_templates_keep_their_roles(service: Service) -> None:
    people = [{"key": "ada"}, {"key": "grace", "role": "approver"}]
    template = await make(service, document=document(), recipients=people, variables=[], activate=True)
    copy = (await service.http().post(f"/api/v1/Template/{template['templateId']}/Duplicate")).json()
    given = [{"name": "Ada", "email": "ada@example.com"}, {"name": "Grace", "email": "grace@example.com"}]
    session = await create_from(service, template, recipients=given, variableValues={})

    for one in (template, copy, session):
        assert [recipient.get("role") for recipient in one["recipients"]] == [None, "approver"]


async def test_assistants_are_told_who_gets_a_copy(service: Service) -> None:
    answer = await call(service, "create_session", session_request(recipients=[ADA, GRACE, MARY]))
    text = " ".join(part.text for part in answer.content if hasattr(part, "text"))
    assert '"Ada Lovelace <ada@example.com>" now' in text
    assert 'and when all have finished, a copy to "Mary Jackson <mary@example.com>"' in text
