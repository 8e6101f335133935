"""The endpoints of a provider: codes become tokens, and its faults are outages."""

from collections.abc import AsyncIterator, Iterator
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from structlog.testing import capture_logs

from adapters.openid.config import ProviderClient
from adapters.openid.provider import HttpOpenIdProvider
from domain.ports.openid import CodeRefused, IssuerUnavailable
from tests.http_requests import local_client
from tests.issuer import DISCOVERY, Answer
from tests.openid_provider import CLIENT_ID, CLIENT_SECRET, TOKEN, Provider, running_provider

REDIRECT = "https://sign.example.com/back"
VERIFIER = "v" * 43
CHALLENGE = "7w_YNF9DSfIdPf_pRjSq646_kPr-2-o9NAl16JGghdM"  # its SHA-256


@pytest.fixture
def provider() -> Iterator[Provider]:
    with running_provider(REDIRECT) as running:
        yield running


@pytest.fixture
async def client(provider: Provider) -> AsyncIterator[HttpOpenIdProvider]:
    async with local_client() as http:
        yield HttpOpenIdProvider(ProviderClient(provider.issuer.url, CLIENT_ID, CLIENT_SECRET), http)


async def new_code(client: HttpOpenIdProvider) -> str:
    question = {
        "response_type": "code", "client_id": CLIENT_ID, "redirect_uri": REDIRECT, "scope": "openid email",
        "state": "s", "nonce": "n", "code_challenge": CHALLENGE, "code_challenge_method": "S256",
    }  # fmt: skip
    async with local_client() as http:
        answer = await http.get(f"{await client.authorization_endpoint()}?{urlencode(question)}")
    return parse_qs(urlsplit(answer.headers["location"]).query)["code"][0]


async def test_a_code_becomes_a_token_once(client: HttpOpenIdProvider, provider: Provider) -> None:
    code = await new_code(client)

    assert (await client.redeem(code, VERIFIER, REDIRECT)).count(".") == 2
    with pytest.raises(CodeRefused):
        await client.redeem(code, VERIFIER, REDIRECT)
    assert provider.issuer.asked.count(DISCOVERY) == 1


@pytest.mark.parametrize(
    ("verifier", "redirect"), [("w" * 43, REDIRECT), (VERIFIER, "https://elsewhere.example.com/back")]
)
async def test_a_code_of_another_sign_in_is_refused(client: HttpOpenIdProvider, verifier: str, redirect: str) -> None:
    with pytest.raises(CodeRefused):
        await client.redeem(await new_code(client), verifier, redirect)


async def test_the_secret_is_sent_in_the_form_to_providers_that_want_it_there(
    client: HttpOpenIdProvider, provider: Provider
) -> None:
    provider.methods = ["client_secret_post"]
    provider.change_metadata(token_endpoint_auth_methods_supported=provider.methods)
    assert await client.redeem(await new_code(client), VERIFIER, REDIRECT)


@pytest.mark.parametrize(
    "address", [None, 5, "", "/authorize", "file:///etc/passwd", "ftp://127.0.0.1/", "http://[::1", "http:///x"]
)
@pytest.mark.parametrize("name", ["authorization_endpoint", "token_endpoint"])
async def test_an_endpoint_that_is_none_is_an_outage(
    client: HttpOpenIdProvider, provider: Provider, name: str, address: Any
) -> None:
    provider.change_metadata(**{name: address})
    with pytest.raises(IssuerUnavailable, match=name):
        await (client.authorization_endpoint() if name.startswith("a") else client.redeem("c", VERIFIER, REDIRECT))


@pytest.mark.parametrize(
    "page",
    [
        404, 429, 500, 503, 302, b"", b"<html>", b"[" * 100_000, b" " * 500_001, [], {}, {"id_token": 5},
        lambda _: Answer(401, {"error": "invalid_client"}), lambda _: Answer(400, {"error": "invalid_request"}),
        lambda _: Answer(500, {"error": "invalid_grant", "id_token": "x.y.z"}),
    ],
    ids=lambda page: str(page)[:20],
)  # fmt: skip
async def test_a_token_endpoint_that_does_not_answer_as_expected_is_an_outage(
    client: HttpOpenIdProvider, provider: Provider, page: Any
) -> None:
    provider.issuer.pages[TOKEN] = page
    with pytest.raises(IssuerUnavailable):
        await client.redeem("c", VERIFIER, REDIRECT)


async def test_a_wrong_secret_is_an_outage_that_the_log_explains_without_secrets(provider: Provider) -> None:
    async with local_client() as http:
        client = HttpOpenIdProvider(ProviderClient(provider.issuer.url, CLIENT_ID, "another secret"), http)
        with capture_logs() as lines, pytest.raises(IssuerUnavailable):
            await client.redeem("a code", VERIFIER, REDIRECT)

    assert "invalid_client" in str(lines)
    assert not any(secret in str(lines) for secret in ("another secret", "a code", VERIFIER))


async def test_a_provider_without_a_server_is_an_outage() -> None:
    async with local_client() as http:
        client = HttpOpenIdProvider(ProviderClient("http://127.0.0.1:1", CLIENT_ID, CLIENT_SECRET), http)
        for _ in range(2):
            with pytest.raises(IssuerUnavailable):
                await client.authorization_endpoint()
