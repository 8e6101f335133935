"""Rate limits and their headers (Specification 8.3)."""

import asyncio
import re
from dataclasses import replace
from typing import Any
from unittest.mock import patch

import httpx
import pytest

from adapters import refusal_pace
from adapters.rate_limit_counters import limit_in_memory
from application.oauth.registration import AT_MOST
from domain.ports.limits import Quotas
from domain.shared.ids import ClientId
from tests.api.service import BASE_URL, GRANT, OWN, SECRET, STRANGER, Service, bearer, session_request
from tests.builders import identifier
from tests.web.asgi.peer import request_from
from tests.web.desk import Desk
from web.asgi.rate_limits import REGISTRATIONS_A_DAY, counted_networks

UNKNOWN = f"/api/v1/Session/{identifier('x')}"
TOKEN = "/oidc/token"
SIGN_IN = "/app/sign-in"


def limit(service: Service, **quotas: int) -> None:
    service.app.state.services = service.services(rate_limits=limit_in_memory(), quotas=Quotas(**quotas))


def assert_refused(answers: list[httpx.Response], statuses: list[int], quota: str) -> None:
    answer = answers[-1]
    assert [answer.status_code for answer in answers] == statuses
    assert (answer.status_code, answer.json()["error"]) == (429, "RATE_LIMITED")
    assert set(answer.json()) == {"message", "error"}
    assert 1 <= int(answer.headers["retry-after"]) <= 60
    assert re.fullmatch(f'"{quota}";r=0;t={answer.headers["retry-after"]}', answer.headers["ratelimit"])


async def test_reads_are_counted_by_organisation(service: Service) -> None:
    assert (Quotas().reads, Quotas().writes) == (600, 120)
    limit(service, reads=2)

    answers = [await service.http().get(UNKNOWN) for _ in range(3)]

    assert_refused(answers, [404, 404, 429], "reads")
    assert (await service.http(STRANGER).get(UNKNOWN)).status_code == 404


async def test_writes_are_counted_apart(service: Service) -> None:
    limit(service, reads=1, writes=1)

    answers = [
        await service.http().get(UNKNOWN),
        await service.http().post("/api/v1/Session", json=session_request()),
        await service.http().delete(UNKNOWN),
    ]

    assert_refused(answers, [404, 200, 429], "writes")


async def test_a_response_shows_the_quota_and_its_rest(service: Service) -> None:
    limit(service, writes=10)

    answer = await service.http().post("/api/v1/Session", json=session_request())

    assert answer.status_code == 200
    assert answer.headers["ratelimit-policy"] == '"writes";q=10;w=60'
    assert re.fullmatch(r'"writes";r=9;t=([1-9]|[1-5][0-9]|60)', answer.headers["ratelimit"])


async def test_refused_calls_count_against_their_client_alone(service: Service) -> None:
    limit(service, reads=1)
    without_scope = bearer(OWN, ("write:files",))

    answers = [await service.http(None).get(UNKNOWN, headers=headers) for headers in ({}, without_scope, without_scope)]

    assert [answer.status_code for answer in answers] == [401, 403, 429]
    assert "ratelimit" not in answers[0].headers
    assert (await service.http().get(UNKNOWN)).status_code == 404


async def test_repeated_refusals_of_one_client_delay_no_other_client_of_the_organisation(service: Service) -> None:
    limit(service, reads=1)
    other = replace(OWN, client_id=ClientId(identifier("another client")))
    await service.organisations.add_client(other)
    without_scope = bearer(other, ("write:files",))

    async def refused() -> int:
        return (await service.http(None).get(UNKNOWN, headers=without_scope)).status_code

    with patch.multiple(refusal_pace, STEP=3_600, MAX_DELAY=3_600):
        statuses = [await refused(), await refused()]
        waiting = asyncio.create_task(refused())
        statuses += [(await service.http(client).get(UNKNOWN)).status_code for client in (OWN, STRANGER)]

    assert statuses == [403, 429, 404, 404]
    assert not waiting.done()
    waiting.cancel()


async def test_token_requests_are_counted_by_address(service: Service) -> None:
    limit(service, tokens=2)

    async with service.http(None) as http:
        answers = [await http.post(TOKEN, data=GRANT, auth=(OWN.client_id, secret)) for secret in ("x", SECRET, SECRET)]

    assert_refused(answers, [401, 200, 429], "tokens")
    assert "An access token is valid for an hour: keep it" in answers[-1].json()["message"]


async def test_probes_of_the_operator_are_not_counted(service: Service) -> None:
    limit(service, reads=1, writes=1, tokens=1, pages=1)

    answers = [await service.http(None).get(path) for path in ("/healthz", "/readyz", "/healthz")]

    assert [(answer.status_code, "ratelimit" in answer.headers) for answer in answers] == [(200, False)] * 3


@pytest.mark.parametrize("path", ["/sign/x", "/signing/x", "/outbox"])
async def test_pages_over_the_limit_are_answered_with_a_page(path: str) -> None:
    desk = Desk()
    desk.serve(rate_limits=limit_in_memory(), quotas=Quotas(pages=1))
    async with desk.browser() as http:
        await http.get(path)
        answer = await http.get(path)

    assert answer.status_code == 429
    assert answer.headers["content-type"].startswith("text/html")
    assert int(answer.headers["retry-after"]) > 0
    assert "One moment" in answer.text


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
