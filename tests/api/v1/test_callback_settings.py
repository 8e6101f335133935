"""Callback URL and callback values of a session, and the page of a draft (Specification 2.1, 4.6, 6.2)."""

import httpx
import pytest

from api.app import create_app
from application.scopes import USUAL
from domain.shared.ids import SessionId
from tests.api.mcp.assistant import done
from tests.api.service import BASE_URL, OWN, Service, bearer, issues_by_path, session_request
from tests.api.templates import make
from tests.api.templates import session_request as session_from

URL = "https://example.com/callbacks?of=undersign"


async def create(service: Service, **changes: object) -> httpx.Response:
    return await service.http().post("/api/v1/Session", json=session_request(**changes))


async def test_the_callback_url_is_kept_and_shown(service: Service) -> None:
    session = await service.create(callbackUrl=URL)
    read = (await service.http().get(f"/api/v1/Session/{session['sessionId']}")).json()
    assert (session["callbackUrl"], read["callbackUrl"]) == (URL, URL)
    assert [(await service.create(**others))["callbackUrl"] for others in ({}, {"callbackUrl": None})] == [None, None]


async def test_a_bad_callback_url_is_listed_with_other_issues(service: Service) -> None:
    answer = await create(service, callbackUrl="http://ada@localhost/#here", name="")

    assert answer.status_code == 400
    issues = issues_by_path(answer)
    assert issues.keys() == {"/callbackUrl", "/name"}
    assert all(word in issues["/callbackUrl"] for word in ("https", "password", "fragment", "public"))


async def test_an_operator_may_allow_what_is_not_public(service: Service) -> None:
    url = "http://127.0.0.1:9000/callbacks"
    refused = await create(service, callbackUrl=url)
    app = create_app(service.services(private_callbacks=True))

    allowed = await service.http(app=app).post("/api/v1/Session", json=session_request(callbackUrl=url))

    assert refused.status_code == 400
    assert allowed.json()["callbackUrl"] == url


async def test_a_draft_has_the_page_on_which_it_is_reviewed(service: Service) -> None:
    session = await service.create()
    path = f"/api/v1/Session/{session['sessionId']}"
    draft = (await service.http().get(path)).json()
    await service.http().post(f"{path}/Send")
    sent = (await service.http().get(path)).json()

    assert session["draftUrl"] == draft["draftUrl"] == f"{BASE_URL}/app/sessions/{session['sessionId']}"
    assert sent["draftUrl"] is None


PATH = "/api/v1/SessionFromTemplate"
RECEIVER = "https://example.com/callbacks"


async def test_it_is_kept_and_shown(service: Service) -> None:
    with_values = await service.create(callbackUrl=RECEIVER, callbackValues=True)
    without = await service.create(callbackUrl=RECEIVER)

    assert (with_values["callbackValues"], without["callbackValues"]) == (True, False)
    assert service.sessions.held[SessionId(with_values["sessionId"])].callback_values


async def test_callback_values_need_a_valid_receiver(service: Service) -> None:
    without = await create(service, callbackValues=True)
    wrong = await create(service, callbackValues=True, callbackUrl="ftp://x")
    assert issues_by_path(without) == {"/callbackValues": "Give a callbackUrl too, or leave this out."}
    assert issues_by_path(wrong).keys() == {"/callbackUrl"}


@pytest.mark.parametrize("values", [True, False])
async def test_it_needs_the_scope_for_values(service: Service, values: bool) -> None:
    usual = bearer(OWN, tuple(scope.value for scope in USUAL))
    request = session_request(callbackUrl=RECEIVER, callbackValues=values)

    answer = await service.http(None).post("/api/v1/Session", json=request, headers=usual)

    if values:
        assert (answer.status_code, answer.json()["error"]) == (400, "INVALID_REQUEST")
        assert "read:values" in issues_by_path(answer)["/callbackValues"]
        assert service.sessions.held == {}
    else:
        assert answer.status_code == 200


async def test_an_assistant_may_ask_for_it_too(service: Service) -> None:
    made = await done(service, "create_session", session_request(callbackUrl=RECEIVER, callbackValues=True))
    assert made["callbackValues"] is True


async def test_a_session_from_a_template_may_have_it_by_the_same_rules(service: Service) -> None:
    template = (await make(service))["templateId"]
    request = session_from(template, callbackUrl=RECEIVER, callbackValues=True)
    usual = bearer(OWN, tuple(scope.value for scope in USUAL))

    made = await service.http().post(PATH, json=request)
    refused = await service.http(None).post(PATH, json=request, headers=usual)
    receiverless = await service.http().post(PATH, json=session_from(template, callbackValues=True))

    assert made.json()["callbackValues"] is True
    assert [issues_by_path(answer).keys() for answer in (refused, receiverless)] == [{"/callbackValues"}] * 2
