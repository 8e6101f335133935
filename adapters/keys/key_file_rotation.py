"""Rotation of the key files that processes read at their start: a new key in front, and the former ones behind it.

Keys of access tokens (`adapters.keys.access_token_keys`), of seals and of payloads have rotations of their own.
"""

import secrets
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from adapters.files import write_private
from adapters.keys.secret_keys import ACCESS_TOKENS, KEY_FILES, RECEIPTS, file_unusable, new_signing_key, read_key
from domain.audit.deletion_receipts import public_key_of
from domain.shared.key_lists import KEY_BYTES, keys_in, newest_in, pem_keys_in


class Rotation(NamedTuple):
    """Functions that add a key to the content of a key file, drop its former keys, and count its keys."""

    add: Callable[[bytes], bytes]
    drop: Callable[[bytes], bytes]
    count: Callable[[bytes], int]


_SECRET = Rotation(
    lambda content: secrets.token_bytes(KEY_BYTES) + content, newest_in, lambda content: len(keys_in(content))
)
_RECEIPT = Rotation(
    # Former keys check receipts and sign none: their public parts are enough.
    lambda content: new_signing_key() + public_key_of(content),
    lambda content: pem_keys_in(content)[0],
    lambda content: len(pem_keys_in(content)),
)

ROTATIONS: Final[Mapping[str, Rotation]] = {
    name.partition(".")[0]: _RECEIPT if name == RECEIPTS else _SECRET for name in KEY_FILES if name != ACCESS_TOKENS
}
"""By the name of the key: that of its file without the ending."""


def rotate_file(directory: Path, name: str) -> int:
    """Puts a new key in front of the list in that file. Returns the number of former keys that remain.

    Processes use the new key after a restart. Raises `KeysUnusable`.
    """
    return _replace(directory, name, ROTATIONS[name].add)


def retire_file(directory: Path, name: str) -> int:
    """Drops all former keys of the list in that file. Returns and raises the same as `rotate_file`."""
    return _replace(directory, name, ROTATIONS[name].drop)


def _replace(directory: Path, name: str, change: Callable[[bytes], bytes]) -> int:
    file = file_of(name)
    content = change(read_key(directory, file))
    try:
        write_private(directory / file, content)
    except OSError as error:
        raise file_unusable(error, directory / file) from error
    return ROTATIONS[name].count(content) - 1


def file_of(name: str) -> str:
    """The file of the key of that name."""
    return next(file for file in KEY_FILES if file.partition(".")[0] == name)
