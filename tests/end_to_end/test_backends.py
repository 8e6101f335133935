"""The same story on the backends of operators: PostgreSQL, Google's storage, a mail server, encrypted payloads."""

import io
import json
import os
import re
import subprocess
from base64 import b64decode
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from rich.console import Console

from adapters.temporal.dev_server import find_binary
from cli.demo.command import connect, read_example, run_demo
from cli.output import Progress
from tests import http_requests
from tests.adapters.google_signatures import lets_in
from tests.backends import OperatorBackends, start_backends
from tests.end_to_end.agreement import Agreement, values_of
from tests.end_to_end.conftest import LIFETIME, client_of
from tests.end_to_end.installation import Installation
from tests.end_to_end.pdfs import check_structure, read_text
from tests.end_to_end.waiting import eventually
from undersign import Client

pytestmark = [
    pytest.mark.installation,
    pytest.mark.postgresql,
    pytest.mark.poppler,
    pytest.mark.qpdf,
]

NAMES = ("Renée Østergård", "Łukasz Wiśniewski")


@pytest.fixture(scope="module")
def backends(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OperatorBackends]:
    folder = tmp_path_factory.mktemp("backends")
    with start_backends(folder, folder / "data" / "outbox") as backends:
        yield backends


@pytest.fixture(scope="module")
def installation(backends: OperatorBackends) -> Iterator[Installation]:
    settings = {**backends.settings, "UNDERSIGN_DOWNLOAD_LIFETIME": f"{LIFETIME}"}
    installation = Installation(backends.outbox.parent, **settings)
    installation.start()
    yield installation
    assert installation.stop() == 0, installation.output


@pytest.fixture
def service(installation: Installation) -> Iterator[Client]:
    with closing(connect(installation.dev_info)) as service:
        yield service


def test_two_people_sign_and_nothing_of_it_is_in_temporals_database(
    installation: Installation, backends: OperatorBackends, tmp_path: Path
) -> None:
    body, answers = read_example()
    run_demo(installation.data_dir, tmp_path, Progress(Console(file=io.StringIO(), width=1000)))

    signed, certificate = tmp_path / "Consulting Agreement.pdf", tmp_path / "Certificate of completion.pdf"
    check_structure(signed)
    check_structure(certificate)
    text = read_text(signed)
    assert [value for value in [*values_of(answers), *NAMES] if value not in text] == []
    assert (installation.data_dir / "undersign.db").exists() is False
    assert (installation.data_dir / "objects").exists() is False
    kept = "".join(path.read_bytes().decode("latin-1") for path in (installation.data_dir / "temporal").iterdir())
    assert "binary/encrypted" in kept
    assert "OrganisationId" in kept
    assert [word for word in private_words(json.loads(body)) if word in kept] == []


def private_words(body: dict[str, object]) -> list[str]:
    """Names, addresses, titles and what else a request says of people, as bytes that would stand in a file."""
    recipients, files = body["recipients"], body["files"]
    assert isinstance(recipients, list)
    assert isinstance(files, list)
    words = [str(body["name"]), *(str(file["document"]["title"]) for file in files)]
    words += [str(recipient[member]) for recipient in recipients for member in ("name", "email")]
    words += [word for name in NAMES for word in name.split()]
    return [word.encode().decode("latin-1") for word in words]


@pytest.mark.temporal
def test_an_operator_reads_a_run_with_temporals_own_command_line(installation: Installation, service: Client) -> None:
    agreement = Agreement(installation.dev_info, service)
    token = installation.run("operator", "token", "ada").stdout.strip()

    read = workflow_shown(installation, agreement.session_id, f"Bearer {token}")
    refused = workflow_shown(installation, agreement.session_id, "Bearer nonsense")

    assert read.returncode == 0, read.stderr
    texts = b"".join(map(b64decode, re.findall(r'"data": "([A-Za-z0-9+/=]+)"', read.stdout))).decode()
    assert [name for name in NAMES if name not in texts] == []
    assert refused.returncode != 0


def workflow_shown(installation: Installation, session_id: str, authorization: str) -> subprocess.CompletedProcess[str]:
    dev_info = installation.dev_info
    command = [str(find_binary()), "workflow", "show", "--workflow-id", f"session/{session_id}", "--output", "json"]
    codec = ["--codec-endpoint", f"{dev_info.api_url}/codec", "--codec-auth", authorization]
    return subprocess.run(
        [*command, *codec, "--address", dev_info.temporal_address, "--namespace", "default"],
        env={**installation.environment(), "TEMPORAL_CONFIG_FILE": os.devnull},
        capture_output=True,
        text=True,
        timeout=http_requests.PATIENCE,
        check=False,
    )


def test_a_download_comes_from_the_bucket_under_its_name_until_its_time_is_over(
    installation: Installation, backends: OperatorBackends, service: Client
) -> None:
    agreement = signed_agreement(installation, service)

    (document,) = service.list_documents(agreement.session_id).documents
    fresh = http_requests.get(document.url)

    key, now = backends.account.key.public_key(), datetime.now(UTC)
    assert fresh.content.startswith(b"%PDF-")
    assert backends.bucket.name in document.url
    assert lets_in(document.url, key, now)
    assert not lets_in(document.url, key, now + timedelta(seconds=LIFETIME + 1))
    assert "Consulting%2520Agreement.pdf" in document.url


def test_doctor_finds_every_engine_well(installation: Installation) -> None:
    done = installation.run("doctor", "--json")

    told = {one["name"]: one for one in json.loads(done.stdout)["findings"]}
    assert [one for one in told.values() if one["state"] == "failed"] == []
    assert (told["database"]["state"], told["mail"]["state"]) == ("ok", "ok")
    assert told["storage"]["message"] == "An object was stored and read."
    assert "--public-access-prevention" in told["storage"]["advice"]  # which this bucket was made without
    assert "signed address" not in told["storage"]["advice"]
    assert done.returncode == 0


def test_what_is_deleted_for_ever_leaves_the_bucket(
    installation: Installation, backends: OperatorBackends, service: Client
) -> None:
    agreement = signed_agreement(installation, service)
    organisation = installation.dev_info.organisation_id
    prefix = f"organisations/{organisation}/sessions/{agreement.session_id}/"
    before = [blob.name for blob in backends.bucket.list_blobs(prefix=prefix)]

    with client_of(installation) as http:
        assert http.delete(f"/api/v1/Session/{agreement.session_id}", params={"permanent": "true"}).is_success
        gone = http.get(f"/api/v1/Session/{agreement.session_id}").status_code

    assert gone == 404
    assert len(before) > 3
    eventually(lambda: not list(backends.bucket.list_blobs(prefix=prefix)), "nothing is left in the bucket")


def test_a_session_goes_on_after_everything_was_killed(installation: Installation, service: Client) -> None:
    before = installation.dev_info
    agreement = Agreement(before, service)
    agreement.sign("client")

    installation.kill_all()
    after = installation.start()

    with closing(connect(after)) as again:
        agreement = agreement.continued(after, again)
        agreement.sign("consultant")
        assert agreement.await_documents().status == "completedAndGenerated"


def signed_agreement(installation: Installation, service: Client) -> Agreement:
    agreement = Agreement(installation.dev_info, service)
    agreement.sign("client")
    agreement.sign("consultant")
    agreement.await_documents()
    return agreement
