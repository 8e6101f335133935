"""What `pip install` makes of the client alone, in an application that has packages with the names of the service's."""

import json
from pathlib import Path

import pytest

from tests import ROOT
from tests.deploy.conftest import pip
from tests.deploy.files import project, run

pytestmark = pytest.mark.packaging

OF_HTTPX = {"anyio", "certifi", "h11", "httpcore", "httpx", "idna"}
OF_PYDANTIC = {"annotated-types", "pydantic", "pydantic-core", "typing-extensions", "typing-inspection"}

PROGRAM = """
import asyncio, json, sys
import httpx
import adapters, api, application, config, domain, layout, schemas, settings, web, worker
from undersign import ApiError, AsyncClient, Client
from undersign.models import EventType, SessionStatus

ANSWERS = json.loads(sys.argv[1])

def answer(request):
    if request.url.path == "/oidc/token":
        return httpx.Response(200, json={"access_token": "x", "token_type": "Bearer", "expires_in": 3600, "scope": ""})
    if request.url.path.endswith("/Events"):
        return httpx.Response(200, json=ANSWERS["listEvents"])
    if request.method == "GET":
        return httpx.Response(200, json=ANSWERS["getSession"])
    return httpx.Response(409, json={"error": "X"})

transport = httpx.MockTransport(answer)
with Client("https://sign.example.com", "id", "secret", http=httpx.Client(transport=transport)) as client:
    session = client.get_session("7")
    assert isinstance(session.status, SessionStatus)
    assert client.list_events("7").events[0].type is EventType.SESSION_CREATED
    try:
        client.send_session("7")
    except ApiError as error:
        assert error.code == "X"

async def main():
    http = httpx.AsyncClient(transport=transport)
    async with AsyncClient("https://sign.example.com", "id", "secret", http=http) as client:
        assert (await client.get_session("7")).name == session.name

asyncio.run(main())
files = {name: str(getattr(module, "__file__", "")) for name, module in sys.modules.items()}
print(*{name.partition(".")[0] for name, file in files.items() if "/undersign" in file})
"""

NAMES = ("adapters", "api", "application", "config", "domain", "layout", "schemas", "settings", "web", "worker")
"""Packages of the application. They are empty: an import of the service's would fail."""


def test_it_brings_httpx_and_pydantic_only(client_installed: Path) -> None:
    run(*pip(client_installed), "check")
    listed = json.loads(run(*pip(client_installed), "list", "--format", "json"))
    versions = {package["name"].replace("_", "-"): package["version"] for package in listed}

    assert versions.pop("undersign-client") == project()["project"]["version"]
    assert versions.keys() == OF_HTTPX | OF_PYDANTIC


def test_it_works_beside_packages_with_the_names_of_the_services(client_installed: Path, tmp_path: Path) -> None:
    for name in NAMES:
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("", encoding="utf-8")
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    answers = (ROOT / "api" / "openapi" / "answers.json").read_text("utf-8")

    assert run(client_installed / "python", "program.py", answers, cwd=tmp_path).split() == ["undersign"]
