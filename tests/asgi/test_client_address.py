"""The address of a client, and the networks that it counts against."""

from typing import Any

import httpx
import pytest
from starlette.requests import Request

from adapters.rate_limit_counters import limit_in_memory
from application.oauth.registration import AT_MOST
from asgi.client_address import audit_context_of, client_address, counted_networks
from asgi.rate_limits import REGISTRATIONS_A_DAY
from domain.audit.events import Actor, ActorKind
from ports.limits import Quotas
from tests.api.service import BASE_URL, GRANT, Service

SIGN_IN = "/app/sign-in"


def request_from(host: str | None) -> Request:
    return Request({"type": "http", "headers": [], "client": (host, 40000) if host is not None else None})


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:DB8:0:0::7", "2001:db8::7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("unknown", None),
        ("192.0.2.7:8080", None),
        ("<b>me</b>", None),
        ("fe80::1%<b>me</b>", None),
        ("", None),
        (None, None),
    ],
)
def test_only_valid_addresses_are_recorded(host: str | None, address: str | None) -> None:
    request = request_from(host)

    assert (str(client_address(request)) if address else client_address(request)) == address
    assert audit_context_of(request, Actor(kind=ActorKind.SYSTEM, id="x")).ip == address


@pytest.mark.parametrize(
    ("host", "networks"),
    [
        ("192.0.2.7", ["192.0.2.7"]),
        ("::ffff:192.0.2.7", ["192.0.2.7"]),
        ("2001:db8:1:2:3:4:5:6", ["2001:db8:1::/48", "2001:db8:1:2::/64"]),
        ("unknown", ["unknown"]),
    ],
)
def test_an_ipv6_address_counts_against_its_networks(host: str, networks: list[str]) -> None:
    assert list(counted_networks(request_from(host))) == networks


async def statuses(service: Service, path: str, hosts: list[str], **content: Any) -> list[int]:
    answers = []
    for host in hosts:
        transport = httpx.ASGITransport(app=service.app, client=(host, 40000))
        async with httpx.AsyncClient(transport=transport, base_url=BASE_URL) as http:
            answers.append((await http.post(path, **content)).status_code)
    return answers


async def test_a_network_has_one_quota_and_a_site_eight_times_that(service: Service) -> None:
    for quota, hosts, expected in (
        (2, [*(f"2001:db8:1:2::{number}" for number in range(3)), "2001:db8:1:3::1"], [401, 401, 429, 401]),
        (1, [*(f"2001:db8:1:{number:x}::1" for number in range(9)), "2001:db8:2::1"], [401] * 8 + [429, 401]),
    ):
        service.app.state.services = service.services(rate_limits=limit_in_memory(), quotas=Quotas(tokens=quota))
        assert await statuses(service, "/oidc/token", hosts, data=GRANT) == expected


@pytest.mark.parametrize(
    ("path", "content", "taken"),
    [
        ("/oidc/register", {"json": {"redirect_uris": ["https://a.example"]}}, Quotas().registrations),
        (SIGN_IN, {"data": {"email": "ada@example.com"}}, Quotas().links),
        ("/verify", {"files": {"file": ("x.pdf", b"x")}}, Quotas().checks),
    ],
)
async def test_other_limits_apply_without_limits_of_pages_and_tokens(
    service: Service, path: str, content: dict[str, Any], taken: int
) -> None:
    service.app.state.services = service.services(rate_limits=limit_in_memory(), quotas=Quotas(tokens=0, pages=0))

    answers = await statuses(service, path, ["192.0.2.7"] * (taken + 1), **content)

    assert 429 not in answers[:-1]
    assert answers[-1] == 429


async def test_one_address_registers_fewer_programs_in_a_day_than_are_stored(service: Service) -> None:
    largest = max(counted_networks(request_from("2001:db8::1")).values())

    assert Quotas().registrations * REGISTRATIONS_A_DAY * largest < AT_MOST
