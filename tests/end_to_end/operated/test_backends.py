"""Sessions on the backends of operators: what is stored where, and who can read it."""

import json
import os
import re
import subprocess
from base64 import b64decode
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from adapters.temporal.dev_server import find_binary
from cli.demo.command import read_example
from tests import http_requests
from tests.adapters.google_accounts import lets_in
from tests.backends import OperatorBackends
from tests.end_to_end.agreement import Agreement, run_example, values_of
from tests.end_to_end.conftest import LIFETIME
from tests.end_to_end.installation import Installation
from tests.end_to_end.pdfs import read_text
from tests.end_to_end.waiting import eventually
from tests.layout.reading import check
from undersign import ApiError, Client

NAMES = ("Renée Østergård", "Łukasz Wiśniewski")


@pytest.mark.poppler
@pytest.mark.qpdf
def test_two_people_sign_and_nothing_of_it_is_in_temporals_database(installation: Installation, tmp_path: Path) -> None:
    body, answers = read_example()
    signed, certificate, _ = run_example(installation, tmp_path)

    check(signed.read_bytes())
    check(certificate.read_bytes())
    text = read_text(signed)
    assert [value for value in [*values_of(answers), *NAMES] if value not in text] == []
    assert (installation.data_dir / "undersign.db").exists() is False
    assert (installation.data_dir / "objects").exists() is False
    stored = "".join(path.read_bytes().decode("latin-1") for path in (installation.data_dir / "temporal").iterdir())
    assert "binary/encrypted" in stored
    assert "OrganisationId" in stored
    assert [word for word in _private_words(json.loads(body)) if word in stored] == []


def _private_words(body: dict[str, Any]) -> list[str]:
    """Returns names, addresses and titles in a request, as bytes that would stand in a file."""
    words = [body["name"], *(file["document"]["title"] for file in body["files"])]
    words += [recipient[member] for recipient in body["recipients"] for member in ("name", "email")]
    words += [word for name in NAMES for word in name.split()]
    return [word.encode().decode("latin-1") for word in words]


@pytest.mark.temporal
def test_an_operator_reads_a_run_with_temporals_own_command_line(installation: Installation, signed: Agreement) -> None:
    token = installation.run("operator", "token", "ada").stdout.strip()

    read = _show_run(installation, signed.session_id, f"Bearer {token}")
    refused = _show_run(installation, signed.session_id, "Bearer nonsense")

    assert read.returncode == 0, read.stderr
    texts = b"".join(map(b64decode, re.findall(r'"data": "([A-Za-z0-9+/=]+)"', read.stdout))).decode()
    assert [name for name in NAMES if name not in texts] == []
    assert refused.returncode != 0


def _show_run(installation: Installation, session_id: str, authorization: str) -> subprocess.CompletedProcess[str]:
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


def test_a_download_comes_from_the_bucket_under_its_name_until_it_expires(
    backends: OperatorBackends, signed: Agreement, service: Client
) -> None:
    (document,) = service.list_documents(signed.session_id).documents
    fresh = http_requests.get(document.url)

    key, now = backends.account.key.public_key(), datetime.now(UTC)
    assert fresh.content.startswith(b"%PDF-")
    assert backends.bucket.name in document.url
    assert lets_in(document.url, key, now)
    assert not lets_in(document.url, key, now + timedelta(seconds=LIFETIME + 1))
    assert "Consulting%2520Agreement.pdf" in document.url


def test_doctor_finds_no_failure_of_a_backend(installation: Installation) -> None:
    done = installation.run("doctor", "--json")

    result = {finding["name"]: finding for finding in json.loads(done.stdout)["findings"]}
    assert [finding for finding in result.values() if finding["state"] == "failed"] == []
    assert (result["database"]["state"], result["mail"]["state"]) == ("ok", "ok")
    assert result["storage"]["message"] == "An object was stored and read."
    assert result["storage"]["advice"] is None
    assert done.returncode == 0


def test_a_session_goes_on_after_everything_was_killed_and_leaves_the_bucket_when_it_is_deleted(
    installation: Installation, backends: OperatorBackends
) -> None:
    agreement = Agreement.of(installation)
    agreement.sign("client")

    installation.kill_all()
    installation.start()

    assert agreement.complete().status == "completedAndGenerated"
    prefix = f"organisations/{installation.dev_info.organisation_id}/sessions/{agreement.session_id}/"
    before = [blob.name for blob in backends.bucket.list_blobs(prefix=prefix)]
    installation.service.delete_session(agreement.session_id, permanent=True)
    with pytest.raises(ApiError, match="404"):
        installation.service.get_session(agreement.session_id)
    assert len(before) > 3
    eventually(lambda: not list(backends.bucket.list_blobs(prefix=prefix)), "nothing is left in the bucket")
