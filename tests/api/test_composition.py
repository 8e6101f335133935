"""The services as an entry point builds them: real engines, with Temporal not up yet."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from pydantic import SecretStr

from api.app import create_app
from api.composition import open_services
from application.checks import CheckFailed
from cli.doctor.backend_checks import check_storage
from config.settings import Settings
from domain.ports.database import Organisation, User
from domain.ports.object_store import StoreUnwritable
from domain.shared.ids import UserId
from domain.shared.roles import Role
from tests.adapters.google_accounts import new_account
from tests.api.service import GRANT, OWN, SECRET, session_request
from tests.builders import ORGANISATION, identifier
from tests.openid_provider import CLIENT_ID, CLIENT_SECRET, running_provider


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
        "installation",
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


async def test_users_sign_in_by_the_provider_of_the_settings(tmp_path: Path) -> None:
    with running_provider("http://127.0.0.1:8080/app/sign-in/provider/callback") as provider:
        settings = Settings(
            data_dir=tmp_path, temporal_address="127.0.0.1:1", pool_processes=1, sign_in_issuer=provider.issuer.url,
            sign_in_client_id=CLIENT_ID, sign_in_client_secret=SecretStr(CLIENT_SECRET), sign_in_name="Acme",
        )  # fmt: skip
        async with open_services(settings) as services, httpx.AsyncClient(trust_env=False) as elsewhere:
            ada = User(UserId(identifier("ada")), ORGANISATION, str(provider.claims["email"]), "Ada", Role.SENDER)
            await services.organisations.add(Organisation(ORGANISATION, "Northwind Trading"))
            await services.users.add(ada)
            transport = httpx.ASGITransport(app=create_app(services))
            async with httpx.AsyncClient(transport=transport, base_url=services.base_url) as browser:
                begun = await browser.get("/app/sign-in/provider")
                back = await elsewhere.get(begun.headers["location"])
                entered = await browser.get(back.headers["location"])
                home = await browser.get(entered.headers["location"])

    assert (home.status_code, "Northwind Trading" in home.text) == (200, True)
