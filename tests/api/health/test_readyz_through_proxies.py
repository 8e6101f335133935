"""What an installation consists of is for its operators, who ask an API directly."""

import pytest

from tests.api.service import Service


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded"])
async def test_through_a_proxy_readiness_is_not_there(service: Service, header: str) -> None:
    async with service.http() as http:
        direct = await http.get("/readyz")
        through = await http.get("/readyz", headers={header: "for=203.0.113.7"})
        health = await http.get("/healthz", headers={header: "for=203.0.113.7"})

    assert "dependencies" in direct.json()
    assert (through.status_code, through.json()["error"]) == (404, "NOT_FOUND")
    assert health.status_code == 200
