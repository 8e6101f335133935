"""A client that openapi-python-client generates from the description works against a service.

The generator has an environment of its own: it needs other versions of packages than the project has.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests import ROOT
from tests.deploy.conftest import pip
from tests.deploy.files import run
from tests.end_to_end.installation import Installation

pytestmark = [pytest.mark.packaging, pytest.mark.installation]

GENERATOR = "openapi-python-client==0.29.1"
CONFIGURATION = "post_hooks: []\ncontent_type_overrides:\n  application/pdf: application/octet-stream\n"
PROGRAM = """
import json, os, re
from datetime import datetime
from pathlib import Path

import httpx
from undersign_client import AuthenticatedClient
from undersign_client.api.sessions import create_session, delete_session, get_session, list_sessions, send_session
from undersign_client.api.templates import create_template, get_template
from undersign_client.models import ErrorRead, SessionCreate, TemplateCreate

raw = []
client = AuthenticatedClient(
    base_url=os.environ["URL"], token=os.environ["TOKEN"], httpx_args={"event_hooks": {"response": [raw.append]}}
)


def plain(value):
    if isinstance(value, dict):
        return {name: plain(member) for name, member in value.items()}
    if isinstance(value, list):
        return [plain(member) for member in value]
    is_time = isinstance(value, str) and re.match(r"\\d{4}-\\d\\d-\\d\\dT", value)
    return datetime.fromisoformat(value) if is_time else value  # a time may be written in two ways


def whole(model):
    expected, read = plain(json.loads(raw[-1].content)), plain(model.to_dict())
    assert read == expected, f"{read} is not {expected}"
    return model


examples = Path(os.environ["EXAMPLES"])
agreement = SessionCreate.from_dict(json.loads((examples / "consulting-agreement.json").read_text()))
made = whole(create_session.sync(client=client, body=agreement, idempotency_key="generated"))
assert made.status == "draft" and made.warnings == []
sent = whole(send_session.sync(made.session_id, client=client))
assert sent.status == "pending"
session = whole(get_session.sync(made.session_id, client=client))
assert [one.email for one in session.recipients] == [one.email for one in agreement.recipients]
assert made.session_id in [one.session_id for one in whole(list_sessions.sync(client=client)).sessions]
lease = TemplateCreate.from_dict(json.loads((examples / "lease-template.json").read_text()))
template = whole(create_template.sync(client=client, body=lease))
assert whole(get_template.sync(template.template_id, client=client)).name == lease.name
assert whole(delete_session.sync(made.session_id, client=client)).restorable is True
again = whole(delete_session.sync(made.session_id, client=client))
assert isinstance(again, ErrorRead) and again.error == "ALREADY_ARCHIVED"
print("done")
"""


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment that has the generator, and what generated clients need."""
    folder = tmp_path_factory.mktemp("generator")
    run(sys.executable, "-m", "venv", "--without-pip", folder)
    run(*pip(folder / "bin"), "install", "--no-compile", "-q", GENERATOR)
    return folder / "bin" / "python"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    service = Installation(tmp_path_factory.mktemp("service") / "data")
    service.start()
    yield service
    service.stop()


def test_it_is_generated_without_warnings_and_creates_sends_and_reads(
    service: Installation, python: Path, tmp_path: Path
) -> None:
    dev_info = service.dev_info
    token = httpx.post(
        f"{dev_info.api_url}/oidc/token",
        auth=(dev_info.client_id, dev_info.client_secret),
        data={"grant_type": "client_credentials"},
        timeout=60,
    ).json()["access_token"]
    (tmp_path / "configuration.yml").write_text(CONFIGURATION, encoding="utf-8")
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    generator = python.with_name("openapi-python-client")
    described = ("--url", f"{dev_info.api_url}/openapi.json", "--config", tmp_path / "configuration.yml")
    run(generator, "generate", "--fail-on-warning", *described, "--output-path", tmp_path / "generated")
    said = run(
        python,
        tmp_path / "program.py",
        PYTHONPATH=str(tmp_path / "generated"),
        URL=dev_info.api_url,
        TOKEN=token,
        EXAMPLES=str(ROOT / "examples"),
    )

    assert said == "done\n"
