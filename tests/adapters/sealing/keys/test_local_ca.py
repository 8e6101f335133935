"""The local authority and its seal: made once, kept private, rotated without losing what was sealed before."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from adapters.keys.secret_keys import KeysUnusable
from adapters.sealing.keys.local_ca import ensure_local_keys, rotate_local_key
from adapters.sealing.trust_store import read_trusted


def test_they_are_made_at_the_first_start_and_kept(tmp_path: Path) -> None:
    first = ensure_local_keys(tmp_path / "seal").current()
    second = ensure_local_keys(tmp_path / "seal").current()

    assert first.certificate_chain == second.certificate_chain


def test_nobody_else_may_read_the_private_parts(tmp_path: Path) -> None:
    ensure_local_keys(tmp_path / "seal")

    assert {path.stat().st_mode & 0o077 for path in (tmp_path / "seal").rglob("*")} == {0}


def test_two_processes_that_start_at_once_agree(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as threads:
        made = list(threads.map(lambda _: ensure_local_keys(tmp_path / "seal").current().certificate_chain, range(8)))

    assert len(set(made)) == 1


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
