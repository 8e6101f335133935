"""The services as an entry point builds them: real engines, with Temporal not up yet."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from api.app import create_app
from api.composition import open_services
from application.checks import CheckFailed
from cli.doctor.backend_checks import check_storage
from ports.database import Organisation
from ports.object_store import StoreUnwritable
from settings import Settings
from tests.adapters.google_accounts import new_account
from tests.api.service import GRANT, OWN, SECRET, session_request
from tests.builders import ORGANISATION


@pytest.fixture
async def http(tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    settings = Settings(data_dir=tmp_path, temporal_address="127.0.0.1:1", pool_processes=1)
    async with open_services(settings) as services:
        await services.organisations.add(Organisation(ORGANISATION, "Northwind Trading"))
        await services.organisations.add_client(OWN)
        transport = httpx.ASGITransport(app=create_app(services))
        async with httpx.AsyncClient(transport=transport, base_url=services.base_url) as client:
            yield client


async def test_a_service_starts_without_temporal_and_answers_503_for_what_needs_it(http: httpx.AsyncClient) -> None:
    ready = await http.get("/readyz")
    token = (await http.post("/oidc/token", data=GRANT, auth=(OWN.client_id, SECRET))).json()["access_token"]
    headers = {"Authorization": f"Bearer {token}"}
    sent = await http.post("/api/v1/Session", json=session_request(sendImmediately=True), headers=headers)
    archived = await http.delete(f"/api/v1/Session/{sent.json()['sessionId']}", headers=headers)

    assert ready.status_code == 503
    assert {row["name"] for row in ready.json()["dependencies"] if row["ready"]} == {
        "database",
        "storage",
        "keys",
        "mail",
    }
    assert (sent.status_code, sent.json()["status"]) == (200, "pending")
    assert (archived.status_code, archived.json()["error"]) == (503, "UNAVAILABLE")


async def test_addresses_of_downloads_that_google_would_end_early_stop_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "google.json").write_text(json.dumps(new_account().impersonation_file()), encoding="utf-8")
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(tmp_path / "google.json"))
    settings = Settings(data_dir=tmp_path, object_store="gs://contracts", download_lifetime=86_400, pool_processes=1)

    with pytest.raises(StoreUnwritable, match="UNDERSIGN_DOWNLOAD_LIFETIME is 86400"):
        async with open_services(settings):
            pass
    with pytest.raises(CheckFailed, match="UNDERSIGN_DOWNLOAD_LIFETIME is 86400"):
        await check_storage(settings)
