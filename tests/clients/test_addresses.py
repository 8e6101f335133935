"""Addresses of a service that cannot be right."""

import re

import httpx
import pytest

from undersign import ApiError, AsyncClient, Client, ClientError
from undersign.operations import Operations
from undersign.retry import RetryPolicy


@pytest.mark.parametrize("kind", [Client, AsyncClient])
@pytest.mark.parametrize("address", ["127.0.0.1:8080", "localhost:8080", "sign.example.com", "", "//sign.example.com"])
def test_an_address_without_a_scheme_is_refused_at_once(kind: type[Client | AsyncClient], address: str) -> None:
    with pytest.raises(ValueError, match="has no scheme"):
        kind(address, "", "")


@pytest.mark.parametrize("mistake", [httpx.UnsupportedProtocol("x"), httpx.LocalProtocolError("x")])
def test_a_mistake_of_the_caller_is_not_repeated(mistake: httpx.TransportError) -> None:
    assert RetryPolicy().pause(Operations.get_session("17"), 1, 0.0, mistake) is None


def answering(token: httpx.Response, answer: httpx.Response, seconds: float = 0) -> Client:
    """Returns a client of an address that answers requests of tokens with `token`, and others with `answer`."""

    def respond(request: httpx.Request) -> httpx.Response:
        return token if request.url.path == "/oidc/token" else answer

    http = httpx.Client(transport=httpx.MockTransport(respond))
    return Client("http://sign.example.com", "", "", retry=RetryPolicy(seconds), http=http)


TOKEN = httpx.Response(200, json={"access_token": "x", "token_type": "Bearer", "expires_in": 3600, "scope": ""})
MOVED = httpx.Response(308, headers={"location": "https://sign.example.com/oidc/token"})
BROKEN = httpx.Response(500, html="<h1>Proxy</h1>")
OTHER = httpx.Response(400, json={"message": "No.", "error": "X", "issues": ["one"]})


@pytest.mark.parametrize(
    ("token", "answer", "message"),
    [
        (MOVED, MOVED, "redirects to https://sign.example.com. Give the client that address."),
        (TOKEN, BROKEN, "Internal Server Error, from another program than the service: <h1>Proxy</h1>"),
        (TOKEN, OTHER, "No."),
        (BROKEN, OTHER, "from another program than the service"),
        (httpx.Response(200, html="<h1>Proxy</h1>"), OTHER, "http://sign.example.com/oidc/token returned no token."),
    ],
)
def test_an_answer_of_another_program_is_an_error_of_the_client(
    token: httpx.Response, answer: httpx.Response, message: str
) -> None:
    with pytest.raises(ClientError, match=re.escape(message)):
        answering(token, answer).get_session("17")


def test_another_attempt_is_logged_with_its_reason(caplog: pytest.LogCaptureFixture) -> None:
    busy = httpx.Response(503, json={})
    with pytest.raises(ApiError):
        answering(TOKEN, busy, seconds=0.3).get_session("17")

    assert "getSession at http://sign.example.com: 503; trying again in" in caplog.text
