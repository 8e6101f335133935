"""The keys of access tokens: one signs, and former keys verify until the tokens that they signed have expired.

    <keys>/access-token.pem          the private key that signs
    <keys>/former-access-keys/<kid>  a former public key, and until when it is valid

Operators change the keys while the service runs. Every process checks the files before each use, so a change applies
at once in all processes that share the folder.
"""

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import structlog
from joserfc.errors import JoseError
from joserfc.jwk import ECKey

from adapters.files import flush_folder, write_once, write_private
from adapters.keys.secret_keys import (
    ACCESS_TOKENS,
    KeysUnusable,
    check_signing_key,
    ensure_file,
    map_file_errors,
    new_signing_key,
)
from domain.ports.keys import FormerKey, KeyInUse, KeyNotFound, KeyRing, SigningKey
from domain.shared.times import rfc3339

log = structlog.get_logger(__name__)

_FORMER = "former-access-keys"
_ADVICE = (
    "Put it back from a backup. If there is none, delete it and run `undersign installation accept keys`: the next "
    "start makes a new one, and clients have to get new tokens."
)


class FileAccessKeys:
    """Implements `AccessKeys` in the key folder, and creates the first key. Raises `KeysUnusable`."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        with map_file_errors(directory):
            ensure_file(directory / ACCESS_TOKENS, new_signing_key)
        self._seen = self._look()
        self._ring = read_keys(directory)

    def read(self) -> KeyRing:
        seen = self._look()
        if seen != self._seen:
            try:
                self._ring = read_keys(self._directory)
            except KeysUnusable as error:
                # The service continues with its current keys. The next start fails with this message.
                log.error("the keys of access tokens were changed and cannot be used", reason=str(error))  # noqa: TRY400
            self._seen = seen
        return self._ring

    def _look(self) -> tuple[tuple[int, int] | None, ...]:
        """Returns inodes and change times of the key files. They differ after a change of the keys."""
        return tuple(_fingerprint(self._directory / name) for name in (ACCESS_TOKENS, _FORMER))


def read_keys(directory: Path) -> KeyRing:
    """Returns the keys in `directory`. Creates none. Raises `KeysUnusable`."""
    path = directory / ACCESS_TOKENS
    with map_file_errors(directory):
        private, since = path.read_bytes(), datetime.fromtimestamp(path.stat().st_mtime, UTC)
        # Former keys are written before the signing key and read after it, so that none is missed.
        former = [_former(file) for file in _files_of_former(directory)]
    check_signing_key(path, private, _ADVICE)
    signing = SigningKey(ECKey.import_key(private).thumbprint(), since, private)
    others = sorted((key for key in former if key.key_id != signing.key_id), key=lambda key: key.until, reverse=True)
    return KeyRing(signing, tuple(others))


def rotate_keys(directory: Path, at: datetime, kept_for: timedelta) -> KeyRing:
    """Creates a new signing key. The former one verifies for `kept_for`. Raises `KeysUnusable`."""
    with map_file_errors(directory), _alone(directory):
        before = read_keys(directory)
        _keep_public(directory, before.signing, at + kept_for)
        write_private(directory / ACCESS_TOKENS, new_signing_key().decode())
        for key in before.former:
            if key.until <= at:
                (directory / _FORMER / key.key_id).unlink(missing_ok=True)
        return read_keys(directory)


def retire_key(directory: Path, key_id: str) -> KeyRing:
    """Deletes a former key: its tokens are invalid at once. Raises `KeyInUse`, `KeyNotFound` or `KeysUnusable`."""
    with map_file_errors(directory), _alone(directory):
        ring = read_keys(directory)
        if key_id == ring.signing.key_id:
            raise KeyInUse
        if key_id not in {key.key_id for key in ring.former}:
            raise KeyNotFound
        (directory / _FORMER / key_id).unlink()
        flush_folder(directory / _FORMER)
        return read_keys(directory)


def _keep_public(directory: Path, key: SigningKey, until: datetime) -> None:
    public = ECKey.import_key(key.private).as_dict(private=False)
    content = {"since": rfc3339(key.since), "until": rfc3339(until), "key": public}
    path = directory / _FORMER / key.key_id
    path.unlink(missing_ok=True)  # left by an interrupted rotation
    write_once(path, json.dumps(content, indent=2).encode())


def _former(path: Path) -> FormerKey:
    try:
        content = json.loads(path.read_bytes())
        key = ECKey.import_key(content["key"])
        since, until = (datetime.fromisoformat(content[member]) for member in ("since", "until"))
    except (ValueError, KeyError, TypeError, JoseError) as error:
        raise KeysUnusable(f"{path} is not a former key of access tokens. Delete it: its tokens end.") from error
    return FormerKey(key.thumbprint(), since, until, dict(key.as_dict(private=False)))


def _files_of_former(directory: Path) -> list[Path]:
    folder = directory / _FORMER
    return [file for file in folder.iterdir() if not file.name.startswith(".")] if folder.is_dir() else []


@contextmanager
def _alone(directory: Path) -> Iterator[None]:
    """Serialises rotations by several operators."""
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _fingerprint(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_ctime_ns
