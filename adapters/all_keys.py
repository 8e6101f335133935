"""All keys: creates all key files, and checks that they are present, intact and readable by the owner only."""

from pathlib import Path

from adapters.keys.access_token_keys import read_keys
from adapters.keys.secret_keys import KEY_FILES, ensure_keys, read_key
from adapters.sealing.factory import LOCAL
from adapters.sealing.keys.local_ca import LOCAL_FILES, LocalKeys, ensure_local_keys
from domain.ports.keys import SecretKeys


def ensure_all(directory: Path, *, has_local_seal: bool) -> SecretKeys:
    """Returns the keys in `directory`. The first call creates all of `files_of`. Raises `KeysUnusable`."""
    keys = ensure_keys(directory)
    if has_local_seal:
        ensure_local_keys(directory / LOCAL)
    return keys


def files_of(directory: Path, *, has_local_seal: bool) -> tuple[Path, ...]:
    """Returns the key files of a service that has started. `has_local_seal` includes those of the seal."""
    of_seal = [directory / LOCAL / name for name in LOCAL_FILES] if has_local_seal else []
    return (*(directory / name for name in KEY_FILES), *of_seal)


def read_all(directory: Path, *, has_local_seal: bool) -> None:
    """Reads every key, including former keys of access tokens. Creates nothing. Raises `KeysUnusable`."""
    for name in KEY_FILES:
        read_key(directory, name)
    read_keys(directory)
    if has_local_seal:
        LocalKeys(directory / LOCAL).current()
