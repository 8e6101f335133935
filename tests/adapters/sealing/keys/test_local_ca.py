"""The local authority and its seal: rotations keep earlier seals valid. Creation: tests/adapters/keys."""

from pathlib import Path

import pytest

from adapters.keys.secret_keys import KeysUnusable
from adapters.sealing.keys.local_ca import ensure_local_keys, rotate_local_key
from adapters.sealing.trust_store import read_trusted


def test_a_rotation_is_seen_by_processes_that_run_and_takes_no_trust_away(tmp_path: Path) -> None:
    running = ensure_local_keys(tmp_path / "seal")
    before, trusted = running.current().certificate_chain, read_trusted(tmp_path / "seal")

    rotated = rotate_local_key(tmp_path / "seal")

    assert running.current().certificate_chain == rotated
    assert rotated.certificate != before.certificate
    assert trusted.seals == (before.certificate,)
    assert set(read_trusted(tmp_path / "seal").seals) == {before.certificate, rotated.certificate}


@pytest.mark.parametrize("name", ["authority.pem", "seal.pem"])
@pytest.mark.parametrize("damage", [b"", b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"])
def test_a_damaged_file_stops_the_start_and_is_named(name: str, damage: bytes, tmp_path: Path) -> None:
    ensure_local_keys(tmp_path)
    (tmp_path / name).write_bytes(damage)
    with pytest.raises(KeysUnusable, match=name):
        ensure_local_keys(tmp_path)


def test_a_seal_of_another_authority_stops_the_start(tmp_path: Path) -> None:
    for name in ("one", "two"):
        ensure_local_keys(tmp_path / name)
    (tmp_path / "one" / "seal.pem").write_bytes((tmp_path / "two" / "seal.pem").read_bytes())

    with pytest.raises(KeysUnusable, match="not of the authority"):
        ensure_local_keys(tmp_path / "one")
