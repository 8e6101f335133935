"""Tools create and read what the API does."""

import json
from typing import Any

import pytest

from domain.session.session import SessionFile
from domain.shared.ids import OrganisationId, SessionId
from tests.api.mcp.assistant import assistant, call, done, refused, text
from tests.api.service import OWN, Service, document, session_request

UNIQUE = {"sessionId", "createdAt", "updatedAt", "draftUrl", "templateId", "editorUrl"}


def same(answer: dict[str, Any]) -> dict[str, Any]:
    """Returns the answer without unique members."""
    others = {name: value for name, value in answer.items() if name not in UNIQUE}
    for part in [*others.get("files", []), *others.get("recipients", [])]:
        part.pop("fileId", None)
        part.pop("recipientId", None)
    return others


def first_file(service: Service, session_id: str) -> SessionFile:
    return service.sessions.held[SessionId(session_id)].files[0]


async def test_a_draft_made_by_a_tool_is_byte_for_byte_the_one_made_by_the_api(service: Service) -> None:
    by_api = await service.create()
    by_tool = await done(service, "create_session", session_request())

    assert same(by_tool) == same(by_api)
    one, other = first_file(service, by_api["sessionId"]), first_file(service, by_tool["sessionId"])
    for part in ("source", "zones", "rendered"):
        first, second = getattr(one, part), getattr(other, part)
        assert await service.objects.get(first) == await service.objects.get(second)
        assert first.name != second.name


async def test_a_session_is_a_draft_unless_it_is_sent_immediately(service: Service) -> None:
    draft = await call(service, "create_session", session_request())
    sent = await call(service, "create_session", session_request(sendImmediately=True))

    ada, grace = '"Ada Lovelace <ada@example.com>"', '"Grace Hopper <grace@example.com>"'
    assert draft.structured_content["status"] == "draft"
    assert "nobody has been emailed. send_session will email " + ada in text(draft)
    assert grace in text(draft)
    assert sent.structured_content["status"] == "pending"
    later = f"to those after them when all before them have signed: {grace}."
    assert f"An invitation goes by email to {ada} now; {later}" in text(sent)
    events = await service.http().get(f"/api/v1/Session/{sent.structured_content['sessionId']}/Events")
    first = events.json()["events"][0]
    assert (first["actor"], first["ip"]) == ({"kind": "client", "id": OWN.client_id}, "192.0.2.7")


async def test_recipients_of_one_signing_order_are_emailed_together(service: Service) -> None:
    recipients = [{**person, "signingOrder": 1} for person in session_request()["recipients"]]

    made = await call(service, "create_session", session_request(recipients=recipients))

    assert 'email "Ada Lovelace <ada@example.com>" and "Grace Hopper <grace@example.com>".' in text(made)


async def test_a_call_that_is_repeated_with_its_key_creates_one_session(service: Service) -> None:
    asked = session_request(idempotencyKey="agreement 7")
    first = await call(service, "create_session", asked)
    again = await call(service, "create_session", asked)
    other = await refused(service, "create_session", {**asked, "name": "Another"})

    assert again.structured_content == first.structured_content
    assert text(again) == text(first)
    assert len(service.sessions.held) == 1
    assert other["error"] == "IDEMPOTENCY_KEY_REUSED"


async def test_issues_are_those_of_the_api(service: Service) -> None:
    bad = document(title="A title that is much too long for the one line that it may have", blocks=[
        {"type": "field", "fieldType": "text", "label": "Order", "recipient": "nobody"},
        {"type": "paragraph", "text": "{{{token}}}"},
    ])  # fmt: skip
    in_document = session_request(files=[{"type": "blocks", "document": bad}])
    in_shape = session_request(unknown=1, recipients=[{"key": "a b", "name": "", "email": "nowhere"}])

    results = [await call(service, "create_session", asked) for asked in (in_document, in_shape)]

    for asked, result in zip((in_document, in_shape), results, strict=True):
        assert result.is_error
        of_tool = json.dumps(result.structured_content).replace("idempotencyKey, ", "")  # an argument of the tool alone
        assert json.loads(of_tool) == (await service.http().post("/api/v1/Session", json=asked)).json()
    assert {issue["kind"] for issue in results[0].structured_content["issues"]} == {
        "title-too-long", "unknown-recipient", "tokens-in-session",
    }  # fmt: skip
    assert "/files/0/document/blocks/0/recipient" in text(results[0])
    assert service.sessions.held == {}


async def test_a_template_and_a_session_of_it_are_those_of_the_api(service: Service) -> None:
    template = {
        "name": "Lease", "document": document(title="Lease of {{{tenant}}}"), "activate": True,
        "variables": [{"name": "tenant"}], "recipients": [{"key": "ada", "name": "{{{tenant}}}"}],
    }  # fmt: skip
    by_tool = await done(service, "create_template", template)
    by_api = (await service.http().post("/api/v1/Template", json=template)).json()
    assert same(by_tool) == same(by_api)

    read = await done(service, "get_template", {"templateId": by_tool["templateId"]})
    listed = await done(service, "list_templates", {"limit": 1})
    assert read == by_tool
    assert (len(listed["templates"]), listed["pagination"]["total"]) == (1, 2)

    asked = {
        "templateId": by_tool["templateId"],
        "variableValues": {"tenant": "Ada"},
        "recipients": [{"email": "ada@example.com"}],
    }
    made = await done(service, "create_session_from_template", asked)
    answered = await service.http().post("/api/v1/SessionFromTemplate", json=asked)
    assert same(made) == same(answered.json())


async def test_issues_of_a_session_from_a_template_are_those_of_the_api(service: Service) -> None:
    template = {"name": "Lease", "document": document(), "activate": True, "recipients": [{"key": "ada"}]}
    made = await done(service, "create_template", template)
    asked = {"templateId": made["templateId"], "name": "x" * 51}

    error = await refused(service, "create_session_from_template", {**asked, "idempotencyKey": "7"})

    assert error == (await service.http().post("/api/v1/SessionFromTemplate", json=asked)).json()
    assert len(error["issues"]) > 1


async def test_an_organisation_that_does_not_exist_creates_nothing(service: Service) -> None:
    async def find_none(_: OrganisationId) -> None:
        """A token of an external issuer may name such an organisation."""

    service.organisations.get = find_none  # type: ignore[method-assign,assignment]  # what the test is about

    assert (await refused(service, "create_session", session_request()))["error"] == "UNAUTHORIZED"


@pytest.mark.parametrize("mode", ["legacy", "auto", "2026-07-28"])
async def test_every_version_of_the_protocol_reads_sessions_and_lists(service: Service, mode: str) -> None:
    session_id = (await service.create())["sessionId"]
    calls: dict[str, tuple[str, dict[str, Any]]] = {
        f"Session/{session_id}": ("get_session", {"sessionId": session_id}),
        "Sessions?status=draft&limit=5": ("list_sessions", {"status": "draft", "limit": 5}),
    }
    async with assistant(service, mode=mode) as mcp:
        for path, (tool, arguments) in calls.items():
            result = await mcp.call_tool(tool, arguments)
            answer = await service.http().get(f"/api/v1/{path}")
            assert (result.is_error, result.structured_content) == (False, answer.json())
