"""Both clients, with the same responses: tokens, idempotency keys, attempts and errors."""

import asyncio
from collections.abc import Callable
from typing import Any

import httpx
import pytest

import application.schemas.session_read
import application.schemas.values
from tests.api.service import BASE_URL, OWN, SECRET, Service, session_request
from tests.api.templates import make
from tests.builders import created, identifier
from undersign import ApiError, AsyncClient, Client, NeverGenerated, NoResponse, RetryPolicy
from undersign.models import SessionRead, ValuesRead

TOKEN = {"access_token": "a token", "token_type": "Bearer", "expires_in": 3600, "scope": "read:sessions"}
SHOWN = SessionRead.model_validate(
    application.schemas.session_read.SessionRead.from_snapshot(created().session, BASE_URL).model_dump()
)
SESSION = SHOWN.model_dump(mode="json", by_alias=True)

SHORT = RetryPolicy(5)

Step = httpx.Response | httpx.HTTPError
Act = Callable[[Any], Any]


def busy() -> httpx.Response:
    return httpx.Response(503, json={"message": "later", "error": "UNAVAILABLE"})


class Script:
    """A service that returns the given responses and records the requests."""

    def __init__(self, *steps: Step) -> None:
        self.steps = [httpx.Response(200, json=TOKEN), *steps]
        self.requests: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        step = self.steps.pop(0)
        if isinstance(step, httpx.HTTPError):
            raise step
        return step


def play_sync(script: Script, act: Act, retry: RetryPolicy) -> Any:
    with httpx.Client(transport=httpx.MockTransport(script)) as http:
        return act(Client(BASE_URL, "id", "secret", http=http, retry=retry))


def play_async(script: Script, act: Act, retry: RetryPolicy) -> Any:
    async def run() -> Any:
        async with httpx.AsyncClient(transport=httpx.MockTransport(script)) as http:
            return await act(AsyncClient(BASE_URL, "id", "secret", http=http, retry=retry))

    return asyncio.run(run())


@pytest.fixture(params=[play_sync, play_async], ids=["sync", "async"])
def play(request: pytest.FixtureRequest) -> Callable[..., Any]:
    def played(script: Script, act: Act, retry: RetryPolicy = SHORT) -> Any:
        return request.param(script, act, retry)

    return played


def test_a_token_is_asked_for_once_and_sent_with_every_call(play: Callable[..., Any]) -> None:
    script = Script(httpx.Response(200, json=SESSION))

    session = play(script, lambda client: client.get_session(SHOWN.session_id))

    assert session == SHOWN
    assert script.requests[0].headers["authorization"].startswith("Basic ")
    assert script.requests[1].headers["authorization"] == "Bearer a token"


def test_a_token_that_is_no_longer_taken_is_replaced_once(play: Callable[..., Any]) -> None:
    body = {"message": "no", "error": "UNAUTHORIZED"}
    script = Script(httpx.Response(401, json=body), httpx.Response(200, json=TOKEN), httpx.Response(401, json=body))

    with pytest.raises(ApiError) as raised:
        play(script, lambda client: client.get_session("x"))

    assert raised.value.code == "UNAUTHORIZED"
    assert [request.url.path for request in script.requests].count("/oidc/token") == 2


def test_values_come_with_their_types(play: Callable[..., Any]) -> None:
    example = application.schemas.values.ValuesRead.model_json_schema()["examples"][0]
    script = Script(httpx.Response(200, json=example))

    read = play(script, lambda client: client.get_values(example["sessionId"]))

    assert isinstance(read, ValuesRead)
    assert read.model_dump(mode="json", by_alias=True) == example
    values = {value.name: value.value for value in read.files[0].values}
    assert (values["purchase-order"], values["monthly-fee"], values["initials"]) == ("PO-7731", 1250.5, True)


def test_all_tries_of_a_call_carry_one_key_and_one_body(play: Callable[..., Any]) -> None:
    made = {**SESSION, "warnings": []}
    script = Script(busy(), httpx.ReadTimeout("lost"), httpx.Response(200, json=made))

    play(script, lambda client: client.create_session(session_request()))

    tries = script.requests[1:]
    assert len(tries) == 3
    assert len({request.headers["idempotency-key"] for request in tries}) == 1
    assert len({request.content for request in tries}) == 1


def test_a_refusal_says_everything_that_is_wrong(play: Callable[..., Any]) -> None:
    issues = [{"path": "/name", "message": "This member is required."}]
    body = {"message": "The request is not valid: 1 issue.", "error": "INVALID_REQUEST", "issues": issues}
    script = Script(httpx.Response(400, json=body, headers={"X-Request-Id": "find me"}))

    with pytest.raises(ApiError, match="/name: This member is required") as raised:
        play(script, lambda client: client.create_session({}))

    refused = raised.value
    assert (refused.status, refused.code, refused.issues, refused.request_id) == (
        400, "INVALID_REQUEST", issues, "find me",
    )  # fmt: skip


def test_patience_ends_with_the_last_answer_or_with_none(play: Callable[..., Any]) -> None:
    with pytest.raises(ApiError) as refused:
        play(Script(busy()), lambda client: client.get_session("x"), RetryPolicy(0))
    with pytest.raises(NoResponse):
        play(Script(httpx.ConnectError("down")), lambda client: client.get_session("x"), RetryPolicy(0))

    assert refused.value.status == 503


def test_waiting_ends_when_the_documents_are_there(play: Callable[..., Any]) -> None:
    done = {**SESSION, "status": "completedAndGenerated"}
    script = Script(*(httpx.Response(200, json=body) for body in (SESSION, done)))

    session = play(script, lambda client: client.wait_until_generated(SHOWN.session_id))

    assert session.status == "completedAndGenerated"


@pytest.mark.parametrize("status", ["declined", "expired", "cancelled"])
def test_waiting_ends_when_there_is_nothing_to_wait_for(play: Callable[..., Any], status: str) -> None:
    script = Script(httpx.Response(200, json={**SESSION, "status": status}))
    with pytest.raises(NeverGenerated, match=status):
        play(script, lambda client: client.wait_until_generated("x"))


def test_waiting_ends_when_its_time_is_over(play: Callable[..., Any]) -> None:
    with pytest.raises(NeverGenerated, match="draft"):
        play(Script(httpx.Response(200, json=SESSION)), lambda client: client.wait_until_generated("x", seconds=0))


def test_a_download_carries_no_token(play: Callable[..., Any]) -> None:
    script = Script()
    script.steps = [httpx.Response(200, content=b"%PDF")]

    content = play(script, lambda client: client.download("https://elsewhere.example.com/a?signature=b"))

    assert content == b"%PDF"
    assert "authorization" not in script.requests[0].headers
    assert str(script.requests[0].url) == "https://elsewhere.example.com/a?signature=b"


async def test_a_csv_file_becomes_a_batch(service: Service) -> None:
    template = await make(service)
    file = "tenant.email,tenant,address,start\nnobody,Ada,12 Quay Street,2026-09-01\n"
    async with httpx.AsyncClient(transport=httpx.ASGITransport(service.app)) as http:
        client = AsyncClient(BASE_URL, OWN.client_id, SECRET, http=http)
        batch = {"templateId": template["templateId"], "name": "Leases"}
        with pytest.raises(ApiError) as refused:
            await client.create_batch_from_csv(file.encode(), batch)

    assert refused.value.code == "INVALID_BATCH"
    assert [issue["path"] for issue in refused.value.issues] == ["line 2, tenant.email"]


async def test_a_session_is_made_sent_previewed_and_archived_on_the_service_itself(service: Service) -> None:
    transport = httpx.ASGITransport(service.app)
    async with httpx.AsyncClient(transport=transport) as http:
        client = AsyncClient(BASE_URL, OWN.client_id, SECRET, http=http)
        made = await client.create_session(session_request())
        again = await client.create_session(session_request(), idempotency_key="one")
        repeated = await client.create_session(session_request(), idempotency_key="one")
        sent = await client.send_session(made.session_id)
        history = await client.list_events(made.session_id, limit=1)
        archived = await client.delete_session(made.session_id)
        with pytest.raises(ApiError) as unknown:
            await client.get_session(identifier("nothing"))

    assert (made.status, sent.status, archived.status) == ("draft", "pending", "cancelled")
    assert again.session_id == repeated.session_id != made.session_id
    assert (len(history.events), history.pagination.has_more) == (1, True)
    assert unknown.value.code == "NOT_FOUND"
