"""The callback URL and the draft's page of a session (Specification 4.6, 2.1 and 6.2)."""

import httpx

from api.app import create_app
from tests.api.service import BASE_URL, Service, issues_by_path, session_request

URL = "https://example.com/callbacks?of=undersign"


async def create(service: Service, **changes: object) -> httpx.Response:
    return await service.http().post("/api/v1/Session", json=session_request(**changes))


async def test_the_callback_url_is_kept_and_shown(service: Service) -> None:
    session = await service.create(callbackUrl=URL)

    read = (await service.http().get(f"/api/v1/Session/{session['sessionId']}")).json()

    assert (session["callbackUrl"], read["callbackUrl"]) == (URL, URL)


async def test_without_one_it_is_null(service: Service) -> None:
    assert (await service.create())["callbackUrl"] is None
    assert (await service.create(callbackUrl=None))["callbackUrl"] is None


async def test_a_bad_one_is_told_with_everything_else(service: Service) -> None:
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
