"""Rate limits and their headers (Specification 8.3)."""

import re

import httpx
import pytest

from adapters.rate_limit_counters import limit_in_memory
from ports.limits import Quotas
from tests.api.service import GRANT, OWN, SECRET, STRANGER, Service, bearer, session_request
from tests.builders import identifier
from tests.web.desk import Desk

UNKNOWN = f"/api/v1/Session/{identifier('x')}"
TOKEN = "/oidc/token"


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


async def test_calls_are_counted_after_the_token_and_before_the_scope(service: Service) -> None:
    limit(service, reads=1)
    without_scope = bearer(OWN, ("write:files",))

    answers = [await service.http(None).get(UNKNOWN, headers=headers) for headers in ({}, without_scope, without_scope)]

    assert [answer.status_code for answer in answers] == [401, 403, 429]
    assert "ratelimit" not in answers[0].headers


async def test_token_requests_are_counted_by_address(service: Service) -> None:
    limit(service, tokens=2)

    async with service.http(None) as http:
        answers = [await http.post(TOKEN, data=GRANT, auth=(OWN.client_id, secret)) for secret in ("x", SECRET, SECRET)]

    assert_refused(answers, [401, 200, 429], "tokens")


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
