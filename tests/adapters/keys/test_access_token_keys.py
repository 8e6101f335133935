"""Keys of access tokens: made once, changed while the service runs, and kept as long as their tokens are valid."""

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from adapters.keys.access_token_keys import FileAccessKeys, read_keys, retire_key, rotate_keys
from adapters.keys.secret_keys import KeysUnusable
from domain.ports.keys import KeyInUse, KeyNotFound
from tests.builders import NOON

HOUR = timedelta(hours=1)


def test_the_first_start_creates_a_key(tmp_path: Path) -> None:
    keys = FileAccessKeys(tmp_path / "keys").read()

    assert keys.former == ()
    folder = FileAccessKeys(tmp_path / "keys")
    assert folder.read() is folder.read()  # while nothing changes
    assert folder.read() == keys == read_keys(tmp_path / "keys")


def test_another_process_signs_with_the_new_key_at_once_and_still_verifies_with_the_old(tmp_path: Path) -> None:
    running = FileAccessKeys(tmp_path)
    old = running.read().signing

    rotated = rotate_keys(tmp_path, NOON, HOUR)

    assert running.read() == rotated
    assert rotated.signing.key_id != old.key_id
    assert [(key.key_id, key.until) for key in rotated.former] == [(old.key_id, NOON + HOUR)]


def test_former_keys_have_no_private_part(tmp_path: Path) -> None:
    old = FileAccessKeys(tmp_path).read().signing
    rotate_keys(tmp_path, NOON, HOUR)

    contents = [path.read_text() for path in tmp_path.rglob("*") if path.is_file()]

    assert "d" not in json.loads((tmp_path / "former-access-keys" / old.key_id).read_text())["key"]
    assert [content for content in contents if old.private.decode() in content] == []
    assert "private" not in repr(read_keys(tmp_path))


def test_expired_keys_are_deleted_by_a_rotation(tmp_path: Path) -> None:
    first = FileAccessKeys(tmp_path).read().signing.key_id
    second = rotate_keys(tmp_path, NOON, HOUR).signing.key_id

    former = rotate_keys(tmp_path, NOON + HOUR, HOUR).former

    assert [key.key_id for key in former] == [second]
    assert not (tmp_path / "former-access-keys" / first).exists()


def test_rotations_at_once_happen_one_after_the_other(tmp_path: Path) -> None:
    FileAccessKeys(tmp_path)

    with ThreadPoolExecutor(8) as threads:
        rings = list(threads.map(lambda _: rotate_keys(tmp_path, NOON, HOUR), range(8)))

    assert len({ring.signing.key_id for ring in rings}) == 8
    assert len(read_keys(tmp_path).former) == 8


def test_a_rotation_that_was_broken_off_is_done_again(tmp_path: Path) -> None:
    old = FileAccessKeys(tmp_path).read().signing.key_id
    folder = tmp_path / "former-access-keys"
    folder.mkdir()
    (folder / old).write_text(json.dumps({"until": "never finished"}))

    with pytest.raises(KeysUnusable, match=f"{old}.*Delete"):
        rotate_keys(tmp_path, NOON, HOUR)
    (folder / old).unlink()

    assert [key.key_id for key in rotate_keys(tmp_path, NOON, HOUR).former] == [old]


def test_the_signing_key_is_no_former_key(tmp_path: Path) -> None:
    FileAccessKeys(tmp_path)
    private = (tmp_path / "access-token.pem").read_bytes()
    rotate_keys(tmp_path, NOON, HOUR)
    (tmp_path / "access-token.pem").write_bytes(private)  # as after a crash in the middle

    assert read_keys(tmp_path).former == ()
    assert len(rotate_keys(tmp_path, NOON, HOUR).former) == 1


def test_a_former_key_can_be_retired_at_once(tmp_path: Path) -> None:
    running = FileAccessKeys(tmp_path)
    old = running.read().signing.key_id
    rotate_keys(tmp_path, NOON, HOUR)

    for name, error in ((running.read().signing.key_id, KeyInUse), ("nobody", KeyNotFound), ("", KeyNotFound)):
        with pytest.raises(error):
            retire_key(tmp_path, name)
    with pytest.raises(KeyNotFound):
        retire_key(tmp_path, "../access-token.pem")
    retire_key(tmp_path, old)

    assert running.read().former == ()


def test_a_rotation_without_keys_is_refused(tmp_path: Path) -> None:
    with pytest.raises(KeysUnusable, match=r"access-token\.pem"):
        rotate_keys(tmp_path, NOON, HOUR)


@pytest.mark.parametrize("damaged", ["access-token.pem", "former-access-keys/key"])
def test_a_damaged_key_is_named_and_stops_no_running_service(tmp_path: Path, damaged: str) -> None:
    running = FileAccessKeys(tmp_path)
    before = running.read()
    (tmp_path / "former-access-keys").mkdir()
    replacement = tmp_path / "replacement"
    replacement.write_text("damaged")
    replacement.replace(tmp_path / damaged)

    with capture_logs() as logged:
        assert running.read() == running.read() == before

    assert len(logged) == 1
    with pytest.raises(KeysUnusable, match=Path(damaged).name):
        FileAccessKeys(tmp_path)
