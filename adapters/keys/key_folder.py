"""The files of keys: made together, and looked at whether all are there, whole, and nobody else's business."""

from pathlib import Path

from adapters.keys.secret_keys import KEY_FILES, ensure_keys, read_key
from adapters.keys.token_signing import read_keys
from adapters.sealing.factory import LOCAL
from adapters.sealing.keys.local_ca import LOCAL_FILES, LocalKeys, ensure_local_keys
from ports.keys import SecretKeys


def ensure_all(directory: Path, *, has_local_seal: bool) -> SecretKeys:
    """The keys in `directory`, made there at the first call with all others that `files_of` names.

    Raises:
        KeysUnusable: a key cannot be read, written or understood.
    """
    keys = ensure_keys(directory)
    if has_local_seal:
        ensure_local_keys(directory / LOCAL)
    return keys


def files_of(directory: Path, *, has_local_seal: bool) -> tuple[Path, ...]:
    """Those that a service that has started has; with `has_local_seal`, the key of seals is among them."""
    of_seal = [directory / LOCAL / name for name in LOCAL_FILES] if has_local_seal else []
    return (*(directory / name for name in KEY_FILES), *of_seal)


def read_all(directory: Path, *, has_local_seal: bool) -> None:
    """Reads each, and the former keys of access tokens; nothing is made.

    Raises:
        KeysUnusable: one is not there, cannot be read, or is damaged. The message says which.
    """
    for name in KEY_FILES:
        read_key(directory, name)
    read_keys(directory)
    if has_local_seal:
        LocalKeys(directory / LOCAL).current()
