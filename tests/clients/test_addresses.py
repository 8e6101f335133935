"""Addresses of a service that cannot be right."""

import httpx
import pytest

from undersign import AsyncClient, Client
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
