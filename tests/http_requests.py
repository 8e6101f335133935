"""Requests to what runs on this machine: past the proxies of the environment, and with patience while it is busy."""

from typing import Any

import httpx

PATIENCE = 180.0
"""Seconds that anything may take on a busy machine; nearly everything takes a few hundredths."""


def get(address: str, **options: Any) -> httpx.Response:
    return httpx.get(address, trust_env=False, timeout=PATIENCE, **options)


def post(address: str, **options: Any) -> httpx.Response:
    return httpx.post(address, trust_env=False, timeout=PATIENCE, **options)


def browser(**options: Any) -> httpx.Client:
    """Follows where it is sent, and keeps its cookies."""
    return httpx.Client(trust_env=False, timeout=PATIENCE, follow_redirects=True, **options)


def local_client() -> httpx.AsyncClient:
    """Returns a client for servers of this machine, without TLS: the certificates of authorities take long to load."""
    return httpx.AsyncClient(trust_env=False, verify=False)  # noqa: S501  # see above
