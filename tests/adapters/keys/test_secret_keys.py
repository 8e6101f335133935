"""Keys are made once, for the service's eyes only."""

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from adapters.keys.secret_keys import KEY_FILES, KeysUnusable, ensure_keys

FILES = tuple(KEY_FILES)


def test_keys_are_made_at_the_first_start_and_found_at_the_next(tmp_path: Path) -> None:
    keys = ensure_keys(tmp_path / "keys")
    assert ensure_keys(tmp_path / "keys") == keys
    assert len({keys.link, keys.cookie, keys.download}) == 3
    assert sorted(path.name for path in (tmp_path / "keys").iterdir()) == sorted(FILES)


def test_only_the_owner_may_read_them(tmp_path: Path) -> None:
    ensure_keys(tmp_path / "keys")
    assert stat.S_IMODE((tmp_path / "keys").stat().st_mode) == 0o700
    for path in (tmp_path / "keys").iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_processes_that_start_at_once_have_the_same_keys(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as threads:
        made = list(threads.map(lambda _: ensure_keys(tmp_path / "keys"), range(16)))
    assert all(keys == made[0] for keys in made)


def test_keys_are_never_shown(tmp_path: Path) -> None:
    assert repr(ensure_keys(tmp_path)) == "SecretKeys()"


@pytest.mark.parametrize("file", FILES)
def test_a_damaged_key_is_named_with_what_to_do(tmp_path: Path, file: str) -> None:
    ensure_keys(tmp_path)
    (tmp_path / file).write_bytes(b"damaged")
    with pytest.raises(KeysUnusable, match=rf"{file}.*backup"):
        ensure_keys(tmp_path)


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "keys").write_text("a file")
    with pytest.raises(KeysUnusable, match="keys"):
        ensure_keys(tmp_path / "keys")
