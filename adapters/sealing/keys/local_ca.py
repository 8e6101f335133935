"""The local certificate authority and the seal key that it certifies, created in the key folder at the first start.

seal/authority.pem      key and certificate of the authority (private)
seal/seal.pem           key and certificate that seal now (private)
seal/trusted/*.pem      the certificates of every key that ever sealed here
"""

from contextlib import suppress
from pathlib import Path

from cryptography.hazmat.primitives.serialization import Encoding

from adapters.files import write_private
from adapters.keys.secret_keys import KeysUnusable, ensure_file, map_file_errors
from adapters.sealing.keys.file import MemoryKey
from adapters.sealing.trust_store import trust_seal
from domain.ports.seals import CertificateChain, SealKey
from pades.certificates import KeyAndCertificate, new_authority, new_seal

_AUTHORITY = "authority.pem"
_SEAL = "seal.pem"
LOCAL_FILES = (_AUTHORITY, _SEAL)
"""Secret files that every start needs. The other files are certificates, which are public."""

_ADVICE = "Put it back from a backup. If there is none, delete it: a new one is made at the next start."


class LocalKeys:
    """The local seal key. It is read again after another process has rotated it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read: tuple[object, SealKey] | None = None

    def current(self) -> SealKey:
        path = self._folder / _SEAL
        try:
            found = path.stat()
            state = (found.st_ino, found.st_mtime_ns, found.st_size)
            if self._read is None or self._read[0] != state:
                self._read = (state, _local_key(self._folder))
        except OSError as error:
            raise KeysUnusable(f"{path}: {error.strerror}. {_ADVICE}") from error
        return self._read[1]


def ensure_local_keys(folder: Path) -> LocalKeys:
    """Returns the keys in `folder`, created by the first of concurrent calls. Raises `KeysUnusable`."""
    with map_file_errors(folder):
        ensure_file(folder / _AUTHORITY, lambda: new_authority().to_pem())
        authority = _read_pair(folder / _AUTHORITY)
        ensure_file(folder / _SEAL, lambda: new_seal(authority).to_pem())
        keys = LocalKeys(folder)
        trust_seal(folder, keys.current().certificate_chain.certificate)
    return keys


def rotate_local_key(folder: Path) -> CertificateChain:
    """Replaces the key of seals by a new one under the same authority. Raises `KeysUnusable`."""
    with map_file_errors(folder):
        authority = _read_pair(folder / _AUTHORITY)
        pair = new_seal(authority)
        trust_seal(folder, pair.certificate.public_bytes(Encoding.DER))  # before any process seals with it
        write_private(folder / _SEAL, pair.to_pem().decode())
    return _local_key(folder).certificate_chain


def read_local_certificate(folder: Path) -> bytes | None:
    """Returns the certificate (DER) of the local key, if there is one. Raises `KeysUnusable`."""
    return _local_key(folder).certificate_chain.certificate if (folder / _SEAL).exists() else None


def read_authority(folder: Path) -> KeyAndCertificate | None:
    """Returns the local authority, if there is one. Raises `KeysUnusable`."""
    # An installation with a key of its operator has no local authority.
    with suppress(FileNotFoundError):
        return _read_pair(folder / _AUTHORITY)
    return None


def _local_key(folder: Path) -> MemoryKey:
    authority = _read_pair(folder / _AUTHORITY)
    pair = _read_pair(folder / _SEAL)
    if pair.certificate.issuer != authority.certificate.subject:
        raise KeysUnusable(f"{folder / _SEAL} is not of the authority in {folder / _AUTHORITY}. {_ADVICE}")
    certificate, root = (c.public_bytes(Encoding.DER) for c in (pair.certificate, authority.certificate))
    return MemoryKey(CertificateChain(certificate, (root,)), pair.key)


def _read_pair(path: Path) -> KeyAndCertificate:
    try:
        return KeyAndCertificate.from_pem(path.read_bytes())
    except (ValueError, TypeError) as error:
        raise KeysUnusable(f"{path} does not hold a key with its certificate: {error}. {_ADVICE}") from error
