"""The seal on the command line: listed, handed out, rotated."""

import json
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding

from adapters.sealing.keys.local_ca import ensure_local_keys
from tests.cli.commands import undersign


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The keys of a service that has run in `tmp_path`."""
    ensure_local_keys(tmp_path / "keys" / "seal")
    return tmp_path / "keys" / "seal"


def listed(data_dir: Path) -> list[str]:
    answer = undersign(data_dir, "seal", "list", "--json")
    return [row["state"] for row in json.loads(answer.out)["certificates"]]


def test_a_rotation_has_another_key_seal_and_keeps_what_was(folder: Path, tmp_path: Path) -> None:
    assert listed(tmp_path) == ["seals"]
    before = ensure_local_keys(folder).current().identity

    answer = undersign(tmp_path, "seal", "rotate")

    after = ensure_local_keys(folder).current().identity
    assert (answer.code, answer.err) == (0, "")
    assert "seals from now on" in answer.out
    assert after.certificate != before.certificate
    assert after.chain == before.chain
    assert listed(tmp_path) == ["seals", "sealed before"]


def test_the_certificate_that_others_need_is_printed_or_written(folder: Path, tmp_path: Path) -> None:
    printed = undersign(tmp_path, "seal", "certificate").out
    undersign(tmp_path, "seal", "certificate", "--output", str(tmp_path / "seals.pem"))

    assert (tmp_path / "seals.pem").read_text() == printed
    assert "PRIVATE" not in printed
    assert x509.load_pem_x509_certificate(printed.encode()).public_bytes(Encoding.DER) == (
        ensure_local_keys(folder).current().identity.certificate
    )


def test_a_key_of_the_operators_own_is_not_rotated_here(folder: Path, tmp_path: Path) -> None:
    answer = undersign(tmp_path, "seal", "rotate", UNDERSIGN_SEAL_KEY="pkcs12:seal.p12")

    assert answer.code == 2
    assert "UNDERSIGN_SEAL_KEY names an external key." in answer.err


@pytest.mark.parametrize("command", ["list", "rotate", "certificate"])
def test_without_keys_it_says_where_they_should_be(command: str, tmp_path: Path) -> None:
    answer = undersign(tmp_path, "seal", command)

    assert answer.code == 2
    assert "Start the service once, or set UNDERSIGN_DATA_DIR" in answer.err
