"""`undersign seal`: listed, exported, rotated."""

from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding

from adapters.sealing.keys.local_ca import ensure_local_keys
from tests.cli.conftest import Command


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The keys of a service that has run in `tmp_path`."""
    ensure_local_keys(tmp_path / "keys" / "seal")
    return tmp_path / "keys" / "seal"


def states(command: Command) -> list[str]:
    return [row["state"] for row in command("seal", "list", "--json").json()["certificates"]]


def test_a_rotation_seals_with_a_new_key_and_trusts_the_former(command: Command, folder: Path) -> None:
    assert states(command) == ["seals"]
    before = ensure_local_keys(folder).current().certificate_chain

    answer = command("seal", "rotate")
    after = ensure_local_keys(folder).current().certificate_chain

    assert (answer.code, answer.err) == (0, "")
    assert "seals from now on" in answer.out
    assert after.certificate != before.certificate
    assert after.issuers == before.issuers
    assert states(command) == ["seals", "sealed before"]


def test_the_certificate_is_printed_or_written(command: Command, folder: Path, tmp_path: Path) -> None:
    printed = command("seal", "certificate").out
    command("seal", "certificate", "--output", str(tmp_path / "seals.pem"))

    assert (tmp_path / "seals.pem").read_text() == printed
    assert "PRIVATE" not in printed
    assert x509.load_pem_x509_certificate(printed.encode()).public_bytes(Encoding.DER) == (
        ensure_local_keys(folder).current().certificate_chain.certificate
    )


def test_an_external_key_is_not_rotated(command: Command, folder: Path) -> None:
    refused = command("seal", "rotate", UNDERSIGN_SEAL_KEY="pkcs12:seal.p12")
    assert refused.refuses("UNDERSIGN_SEAL_KEY names an external key.")


@pytest.mark.parametrize("name", ["list", "rotate", "certificate"])
def test_without_keys_their_directory_is_named(command: Command, name: str) -> None:
    assert command("seal", name).refuses("Start the service once, or set UNDERSIGN_DATA_DIR")
