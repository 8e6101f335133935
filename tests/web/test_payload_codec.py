"""Decrypting payloads for operators."""

from base64 import b64decode, b64encode
from collections.abc import AsyncIterator, Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from structlog.testing import capture_logs
from temporalio.api.common.v1 import Payload
from temporalio.converter import WorkflowSerializationContext

from application.operator_tokens import Operator, Operators, token_id
from application.services import CodecConfig
from domain.ports.temporal import PlainPayload
from tests.api.service import BASE_URL, Service
from web.payload_codec import body_of
from workflows.sdk.payload_codec import EncryptionCodec
from workflows.sdk.payload_keys_setting import PayloadKey, new_payload_key, read_payload_keys

UI = "https://temporal.example.com"
KEYS = read_payload_keys(new_payload_key())
OPERATORS = Operators(b"o" * 32)


def token_of(hours: float = 1, operators: Operators = OPERATORS) -> str:
    return operators.token(Operator("Ada", datetime.now(UTC) + timedelta(hours=hours)))


def payload(text: str) -> dict[str, Any]:
    return {"metadata": {"encoding": encoded("json/plain")}, "data": encoded(text)}


def encoded(text: str) -> str:
    return b64encode(text.encode()).decode()


@pytest.fixture
def service() -> Service:
    service = Service()
    service.use(codec=CodecConfig(EncryptionCodec(KEYS), OPERATORS, frozenset({UI})))
    return service


def client_of(service: Service, token: str | None = None) -> httpx.AsyncClient:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return httpx.AsyncClient(transport=httpx.ASGITransport(service.app), base_url=BASE_URL, headers=headers)


WORKFLOW = WorkflowSerializationContext("default", "session/1")


async def sealed(*texts: str, keys: Sequence[PayloadKey] = KEYS) -> dict[str, Any]:
    """What a worker has written for a workflow."""
    plain = [Payload(metadata={"encoding": b"json/plain"}, data=text.encode()) for text in texts]
    encrypted = await EncryptionCodec(keys).with_context(WORKFLOW).encode(plain)
    return body_of([PlainPayload(dict(one.metadata), one.data) for one in encrypted]).model_dump()


async def test_encrypted_payloads_are_decrypted_for_operators_and_others_unchanged(service: Service) -> None:
    body = await sealed("Ada Lovelace")
    body["payloads"].append(payload("as it is"))

    async with client_of(service, token_of()) as http:
        answer = await http.post("/codec/decode", json=body, headers={"X-Namespace": "default"})

    assert b"Lovelace" not in b64decode(body["payloads"][0]["data"])
    assert answer.json() == {"payloads": [payload("Ada Lovelace"), payload("as it is")]}


@pytest.mark.parametrize(
    "token",
    [None, "", "nonsense", token_of(hours=-1), token_of(operators=Operators(b"p" * 32))],
    ids=["none", "empty", "nonsense", "over", "of another installation"],
)
async def test_without_a_valid_token_nothing_is_decrypted(service: Service, token: str | None) -> None:
    body = await sealed("Ada Lovelace")
    async with client_of(service, token) as http:
        answer = await http.post("/codec/decode", json=body)

    assert answer.status_code == 401
    assert "undersign operator token" in answer.json()["message"]


class Body:
    """A body that records whether it was read."""

    def __init__(self) -> None:
        self.was_read = False

    async def __aiter__(self) -> AsyncIterator[bytes]:
        self.was_read = True
        yield b'{"payloads": []}'


@pytest.mark.parametrize(
    ("token", "status"), [(lambda: "nonsense", 401), (token_of, 200)], ids=["nonsense", "operator"]
)
async def test_a_body_is_read_for_operators_only(service: Service, token: Callable[[], str], status: int) -> None:
    body = Body()
    async with client_of(service, token()) as http:
        answer = await http.post("/codec/decode", content=body, headers={"Content-Type": "application/json"})
    assert (answer.status_code, body.was_read) == (status, status == 200)


async def test_each_use_is_logged_by_the_id_of_the_token_without_names(service: Service) -> None:
    token = token_of()
    async with client_of(service, token) as http:
        with capture_logs() as lines:
            await http.post("/codec/decode", json={"payloads": [payload("as it is")]})

    [line] = [line for line in lines if line["event"] == "payloads were decrypted"]
    assert (line["payloads"], line["token_id"]) == (1, token_id(token))
    assert "Ada" not in str(line)


async def test_a_payload_under_a_missing_key_stays_as_it_is_and_the_others_are_read(service: Service) -> None:
    [other] = read_payload_keys(new_payload_key())
    [lost] = (await sealed("Ada Lovelace"))["payloads"]
    [known] = (await sealed("Grace Hopper", keys=[other]))["payloads"]
    service.use(codec=CodecConfig(EncryptionCodec([other]), OPERATORS, frozenset({UI})))
    async with client_of(service, token_of()) as http:
        answer = await http.post("/codec/decode", json={"payloads": [lost, known]})

    first, second = answer.json()["payloads"]
    assert (answer.status_code, first) == (200, lost)
    assert b64decode(second["data"]) == b"Grace Hopper"


@pytest.mark.parametrize(
    ("token", "body", "status"),
    [
        (token_of, {}, 200),
        (token_of, {"payloads": [payload("written by an operator")]}, 403),
        (lambda: "no token", {}, 401),
    ],
)
async def test_nothing_is_encrypted_for_operators_and_commands_without_input_work(
    service: Service, token: Callable[[], str], body: object, status: int
) -> None:
    async with client_of(service, token()) as http:
        answer = await http.post("/codec/encode", json=body)

    assert answer.status_code == status
    assert status != 200 or answer.json() == {"payloads": []}


@pytest.mark.parametrize("body", [{"payloads": [{"data": "not base64!"}]}, {"payloads": 1}, []])
async def test_a_malformed_payload_is_refused(service: Service, body: object) -> None:
    async with client_of(service, token_of()) as http:
        answer = await http.post("/codec/decode", json=body)
    assert answer.status_code == 400


async def test_pages_of_the_temporal_ui_may_ask_and_read(service: Service) -> None:
    asking = {
        "Origin": UI,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type,x-namespace",
    }
    async with client_of(service, token_of()) as http:
        asked = await http.options("/codec/decode", headers=asking)
        answered = await http.post("/codec/decode", json={"payloads": []}, headers={"Origin": UI})
        refused = await http.post("/codec/decode", json={}, headers={"Origin": UI, "Authorization": "Bearer x"})

    assert asked.status_code == 204
    assert asked.headers["access-control-allow-headers"] == "content-type,x-namespace"
    for answer in (asked, answered, refused):
        assert answer.headers["access-control-allow-origin"] == UI
        assert answer.headers["access-control-allow-credentials"] == "true"
        assert answer.headers["vary"] == "Origin"


@pytest.mark.parametrize("origin", ["https://evil.example.com", "null", "https://temporal.example.com.evil.example"])
async def test_pages_of_other_sites_may_not(service: Service, origin: str) -> None:
    asking = {"Origin": origin, "Access-Control-Request-Method": "POST"}
    async with client_of(service, token_of()) as http:
        answers = [
            await http.options("/codec/decode", headers=asking),
            await http.post("/codec/decode", json={"payloads": []}, headers={"Origin": origin}),
        ]
    assert [header for answer in answers for header in answer.headers if header.startswith("access-control")] == []


async def test_a_token_signs_a_browser_in(service: Service) -> None:
    body = await sealed("Ada Lovelace")
    async with client_of(service) as http:
        entered = await http.post("/codec", data={"token": token_of()})
        page = await http.get("/codec")
        answer = await http.post("/codec/decode", json=body)

    cookie = entered.headers["set-cookie"]
    assert (entered.status_code, entered.headers["location"]) == (303, "/codec")
    assert "HttpOnly" in cookie
    assert "Path=/codec" in cookie
    assert "lets Ada read payloads" in page.text
    assert answer.json() == {"payloads": [payload("Ada Lovelace")]}


async def test_over_https_the_cookie_reaches_us_from_the_site_of_the_ui(service: Service) -> None:
    service.use(
        codec=CodecConfig(EncryptionCodec(KEYS), OPERATORS, frozenset({UI})), base_url="https://sign.example.com"
    )
    async with client_of(service) as http:
        cookie = (await http.post("/codec", data={"token": token_of()})).headers["set-cookie"]

    assert "SameSite=none" in cookie
    assert "Secure" in cookie


async def test_neither_a_wrong_token_nor_another_site_signs_a_browser_in(service: Service) -> None:
    async with client_of(service) as http:
        wrong = await http.post("/codec", data={"token": "wrong"})
        foreign = await http.post("/codec", data={"token": token_of()}, headers={"Origin": "https://evil.example.com"})
    assert wrong.status_code == 403
    assert "not valid, or it has expired" in wrong.text
    assert "set-cookie" not in {*wrong.headers, *foreign.headers}


async def test_where_nothing_is_encrypted_there_is_no_such_endpoint() -> None:
    async with client_of(Service(), token_of()) as http:
        answers = [await http.get("/codec"), await http.post("/codec/decode", json={"payloads": []})]
    assert [answer.status_code for answer in answers] == [404, 404]
