"""The address of a client, taken from trusted proxies only."""

from typing import Any

import httpx
import pytest

from adapters.rate_limit_counters import limit_in_memory
from api.serve import configure
from config.settings import Settings
from domain.ports.limits import Quotas
from tests.api.service import BASE_URL, GRANT, Service

PROXY = "192.0.2.7"


@pytest.mark.parametrize(
    ("trusted", "second"),
    [
        ("", 429),  # two requests of the proxy itself
        ("198.51.100.1", 429),
        (PROXY, 401),  # one request of each client
        ("192.0.2.0/24, 198.51.100.1", 401),
    ],
)
async def test_clients_behind_a_trusted_proxy_are_counted(service: Service, trusted: str, second: int) -> None:
    config = configure(
        service.services(rate_limits=limit_in_memory(), quotas=Quotas(tokens=1)), Settings(trusted_proxies=trusted)
    )
    config.load()
    app: Any = config.loaded_app
    transport = httpx.ASGITransport(app, client=(PROXY, 40000))

    async with httpx.AsyncClient(transport=transport, base_url=BASE_URL) as http:
        answers = [
            await http.post("/oidc/token", data=GRANT, headers={"X-Forwarded-For": address})
            for address in ("203.0.113.1", "203.0.113.2")
        ]

    assert [answer.status_code for answer in answers] == [401, second]


@pytest.mark.parametrize(
    ("trusted", "values", "use"),
    [
        (PROXY, [], "absent"),
        (PROXY, ["203.0.113.1"], "used"),
        (PROXY, ["203.0.113.1:4711"], "used"),
        (PROXY, ["198.51.100.1, 203.0.113.1"], "used"),
        (PROXY, ["198.51.100.1", "[2001:db8::1]:443"], "used"),
        (PROXY, [f"203.0.113.1, {PROXY}"], "used"),
        ("", ["203.0.113.1"], "ignored"),
        ("198.51.100.1", [f"203.0.113.1, {PROXY}1"], "ignored"),
    ],
)
async def test_the_use_of_forwarded_addresses_is_reported(
    service: Service, trusted: str, values: list[str], use: str
) -> None:
    config = configure(service.services(), Settings(trusted_proxies=trusted))
    config.load()
    app: Any = config.loaded_app
    transport = httpx.ASGITransport(app, client=(PROXY, 40000))

    async with httpx.AsyncClient(transport=transport, base_url=BASE_URL) as http:
        answer = await http.get("/healthz", headers=[("X-Forwarded-For", value) for value in values])

    assert answer.json()["forwardedFor"] == use
