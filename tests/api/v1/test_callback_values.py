"""Asking for what recipients entered in callbacks (Specification 4.6 and 6.2)."""

import pytest

from application.scopes import USUAL
from domain.shared.ids import SessionId
from tests.api.mcp.assistant import done
from tests.api.service import OWN, Service, bearer, issues_by_path, session_request
from tests.api.templates import make
from tests.api.templates import session_request as session_from

PATH = "/api/v1/SessionFromTemplate"
URL = "https://example.com/callbacks"


async def test_it_is_kept_and_shown(service: Service) -> None:
    asked = await service.create(callbackUrl=URL, callbackValues=True)
    unasked = await service.create(callbackUrl=URL)

    assert (asked["callbackValues"], unasked["callbackValues"]) == (True, False)
    assert service.sessions.held[SessionId(asked["sessionId"])].callback_values


async def test_it_needs_a_receiver(service: Service) -> None:
    answer = await service.http().post("/api/v1/Session", json=session_request(callbackValues=True))

    assert issues_by_path(answer) == {"/callbackValues": "Give a callbackUrl too, or leave this out."}


async def test_a_receiver_that_is_wrong_is_said_once(service: Service) -> None:
    asked = session_request(callbackValues=True, callbackUrl="ftp://x")

    assert issues_by_path(await service.http().post("/api/v1/Session", json=asked)).keys() == {"/callbackUrl"}


@pytest.mark.parametrize("wanted", [True, False])
async def test_it_needs_the_scope_for_values(service: Service, wanted: bool) -> None:
    usual = bearer(OWN, tuple(scope.value for scope in USUAL))
    asked = session_request(callbackUrl=URL, callbackValues=wanted)

    answer = await service.http(None).post("/api/v1/Session", json=asked, headers=usual)

    if wanted:
        assert (answer.status_code, answer.json()["error"]) == (400, "INVALID_REQUEST")
        assert "read:values" in issues_by_path(answer)["/callbackValues"]
        assert service.sessions.held == {}
    else:
        assert answer.status_code == 200


async def test_an_assistant_may_ask_for_it_too(service: Service) -> None:
    made = await done(service, "create_session", session_request(callbackUrl=URL, callbackValues=True))

    assert made["callbackValues"] is True


async def test_a_session_from_a_template_may_have_it_by_the_same_rules(service: Service) -> None:
    template = (await make(service))["templateId"]
    asked = session_from(template, callbackUrl=URL, callbackValues=True)
    usual = bearer(OWN, tuple(scope.value for scope in USUAL))

    made = await service.http().post(PATH, json=asked)
    refused = await service.http(None).post(PATH, json=asked, headers=usual)
    receiverless = await service.http().post(PATH, json=session_from(template, callbackValues=True))

    assert made.json()["callbackValues"] is True
    assert [issues_by_path(answer).keys() for answer in (refused, receiverless)] == [{"/callbackValues"}] * 2
