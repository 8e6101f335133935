"""The secret keys of the service, created at the first start, and their rotation."""

import errno
import os
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from adapters.files import write_once, write_private
from domain.audit.deletion_receipts import public_key_of
from domain.ports.keys import SecretKeys
from domain.shared.key_files import KEY_BYTES, keys_in, newest_in, pem_keys_in

RECEIPTS = "receipt.pem"
ACCESS_TOKENS = "access-token.pem"
_ADVICE = (
    "Put it back from a backup. If there is none, delete it and run `undersign installation accept keys`: the next "
    "start makes a new one, and what the old one signed or encrypted (receipts, links, downloads, drafts, secrets of "
    "callbacks, tokens) stops working."
)


class KeysUnusable(Exception):
    """A key file is damaged, or cannot be read or written. The message says which, and how to fix it."""


def file_unusable(error: OSError, path: Path) -> KeysUnusable:
    """Returns the error for a key file, or its folder, that cannot be read or written."""
    at = error.filename or path
    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        advice = "Make room on its file system."
    elif error.errno == errno.EROFS:
        advice = "Let it be written, or put the files back that are missing there."
    else:
        advice = f"Let the user of this process ({os.geteuid()}) own it: chown -R {os.geteuid()} {path.parent}"
    return KeysUnusable(f"{at}: {error.strerror}. {advice}")


@contextmanager
def map_file_errors(path: Path) -> Iterator[None]:
    """Maps `OSError` to `KeysUnusable` in a block that uses key files at `path`."""
    try:
        yield
    except OSError as error:
        raise file_unusable(error, path) from error


def ensure_keys(directory: Path) -> SecretKeys:
    """Returns the keys in `directory`. The first call creates all of `KEY_FILES`. Raises `KeysUnusable`."""
    keys = {name: ensure_key(directory, name) for name in KEY_FILES}
    return SecretKeys(keys[RECEIPTS], keys["link.key"], keys["cookie.key"], keys["download.key"])


def read_key(directory: Path, name: str) -> bytes:
    """Returns one of `KEY_FILES`. Creates nothing. Raises `KeysUnusable`."""
    path = directory / name
    try:
        content = path.read_bytes()
    except PermissionError as error:
        raise file_unusable(error, path) from error
    except OSError as error:
        raise KeysUnusable(
            f"{path}: {error.strerror}. Put it back from a backup, or set UNDERSIGN_DATA_DIR to the data directory of "
            "the service."
        ) from error
    KEY_FILES[name].check(path, content)
    return content


def ensure_key(directory: Path, name: str) -> bytes:
    """Returns one of `KEY_FILES`, created by the first call. Raises `KeysUnusable`."""
    path = directory / name
    with map_file_errors(path):
        content = ensure_file(path, KEY_FILES[name].make)
    KEY_FILES[name].check(path, content)
    return content


def ensure_file(path: Path, make: Callable[[], bytes]) -> bytes:
    """Returns the content of `path`, created by `make` if it is missing. Concurrent calls return the same content."""
    if not path.exists():
        # Another process created the file first; its content is the one that counts.
        with suppress(FileExistsError):
            write_once(path, make())
    return path.read_bytes()


def new_signing_key() -> bytes:
    """Returns a new EC P-256 private key (PEM)."""
    return ec.generate_private_key(ec.SECP256R1()).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def _check_secret(path: Path, content: bytes) -> None:
    if not content or len(content) % KEY_BYTES:
        raise KeysUnusable(f"{path} does not hold keys of {KEY_BYTES} bytes. {_ADVICE}")


def check_signing_key(path: Path, content: bytes, advice: str) -> None:
    """Raises `KeysUnusable`, with `advice`, unless `content` is an EC P-256 private key (PEM)."""
    try:
        key = serialization.load_pem_private_key(content, password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise KeysUnusable(f"{path} is not a private key. {advice}") from error
    if not isinstance(key, ec.EllipticCurvePrivateKey) or key.curve.name != "secp256r1":
        raise KeysUnusable(f"{path} is not an EC P-256 key. {advice}")


class KeyFile(NamedTuple):
    """The kind of a key file: functions that create its content and check it (`KeysUnusable`), and for its rotation
    those that add a key, drop the former keys, and count the keys.
    """

    make: Callable[[], bytes]
    check: Callable[[Path, bytes], None]
    add: Callable[[bytes], bytes]
    drop: Callable[[bytes], bytes]
    count: Callable[[bytes], int]


_SECRET = KeyFile(
    lambda: secrets.token_bytes(KEY_BYTES),
    _check_secret,
    lambda content: secrets.token_bytes(KEY_BYTES) + content,
    newest_in,
    lambda content: len(keys_in(content)),
)
_SIGNING = KeyFile(
    new_signing_key,
    lambda path, content: check_signing_key(path, content, _ADVICE),
    # Former keys only verify receipts, so their public keys are enough.
    lambda content: new_signing_key() + public_key_of(content),
    lambda content: pem_keys_in(content)[0],
    lambda content: len(pem_keys_in(content)),
)

KEY_FILES: Final[Mapping[str, KeyFile]] = {
    **dict.fromkeys(("link.key", "cookie.key", "download.key", "webhook.key", "draft.key", "operator.key"), _SECRET),
    **dict.fromkeys((RECEIPTS, ACCESS_TOKENS), _SIGNING),
}
"""All key files except those of the seal."""

ROTATIONS: Final[Mapping[str, str]] = {name.partition(".")[0]: name for name in KEY_FILES if name != ACCESS_TOKENS}
"""The files that `rotate_file` rotates, by the name of the key. Access tokens have a rotation of their own."""


def rotate_file(directory: Path, name: str) -> int:
    """Puts a new key in front of the list in the file of that name. Returns the number of former keys that remain.

    Processes use the new key after a restart. Raises `KeysUnusable`.
    """
    return _replace(directory, name, KEY_FILES[ROTATIONS[name]].add)


def retire_file(directory: Path, name: str) -> int:
    """Drops all former keys of the list in that file. Returns and raises the same as `rotate_file`."""
    return _replace(directory, name, KEY_FILES[ROTATIONS[name]].drop)


def _replace(directory: Path, name: str, change: Callable[[bytes], bytes]) -> int:
    file = ROTATIONS[name]
    content = change(read_key(directory, file))
    with map_file_errors(directory / file):
        write_private(directory / file, content)
    return KEY_FILES[file].count(content) - 1
