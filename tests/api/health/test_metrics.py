"""`/metrics` of the API: counts by template and status, for the operator's networks only."""

from collections.abc import Mapping
from ipaddress import ip_network

import httpx
import pytest

from api.app import create_app
from api.health.metrics import MetricsConfig
from tests.api.service import BASE_URL, Service

OPERATORS = (ip_network("10.0.0.0/8"), ip_network("::1/128"))


def metered(service: Service) -> MetricsConfig:
    metering = MetricsConfig(OPERATORS, lambda: "temporal_num_pollers 4\n")
    service.app = create_app(service.services(), metering)
    return metering


async def read(service: Service, address: str = "10.1.2.3", headers: Mapping[str, str] | None = None) -> httpx.Response:
    transport = httpx.ASGITransport(app=service.app, client=(address, 40000))
    async with httpx.AsyncClient(transport=transport, base_url=BASE_URL) as http:
        return await http.get("/metrics", headers=headers)


async def test_requests_are_counted_by_template_and_status(service: Service) -> None:
    metered(service)
    session = await service.create()
    await service.http().get(f"/api/v1/Session/{session['sessionId']}")
    await service.http(None).get(f"/api/v1/Session/{session['sessionId']}")
    await service.http().get("/wp-login.php")

    answer = await read(service)

    lines = answer.text.splitlines()
    route = 'method="GET",route="/api/v1/Session/{sessionId}"'
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert f'undersign_http_requests_total{{{route},status="200"}} 1.0' in lines
    assert f'undersign_http_requests_total{{{route},status="401"}} 1.0' in lines
    assert 'undersign_http_requests_total{method="GET",route="unknown",status="404"} 1.0' in lines
    assert f"undersign_http_request_duration_seconds_count{{{route}}} 2.0" in lines
    assert "undersign_http_requests_in_flight 1.0" in lines  # this very one
    assert session["sessionId"] not in answer.text


async def test_the_metrics_of_temporals_sdk_are_there_too(service: Service) -> None:
    metered(service)
    assert (await read(service)).text.endswith("temporal_num_pollers 4\n")


async def test_unknown_methods_count_as_one(service: Service) -> None:
    metered(service)
    for method in ("BREW", "STEEP"):
        await service.http().request(method, "/healthz")

    assert 'method="other"' in (answer := await read(service)).text
    assert "BREW" not in answer.text


@pytest.mark.parametrize("address", ["192.0.2.7", "11.0.0.1", "testclient"])
async def test_metrics_are_not_found_from_other_networks(service: Service, address: str) -> None:
    metered(service)

    answer = await read(service, address)

    assert (answer.status_code, answer.json()["error"]) == (404, "NOT_FOUND")


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded"])
async def test_metrics_are_not_found_through_a_proxy(service: Service, header: str) -> None:
    metered(service)
    assert (await read(service, headers={header: "10.1.2.3"})).status_code == 404


async def test_without_networks_metrics_are_not_found(service: Service) -> None:
    assert (await read(service)).status_code == 404
