"""Objects as files in a directory, with download URLs that the API serves."""

import asyncio
import os
import shutil
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryFile

from itsdangerous import BadSignature, URLSafeTimedSerializer

from adapters.files import UNFINISHED, ensure_folder, flush_folder, write_once
from adapters.object_store.verified_reads import VerifiedReads, check_name, check_prefix
from domain.ports.object_store import (
    Download,
    DownloadNotValid,
    DownloadOrigin,
    ObjectMissing,
    ObjectStoreError,
    StoreUnwritable,
)
from domain.shared.key_files import oldest_first
from domain.shared.object_names import ObjectReference, make_reference

_PROBE_BYTES = 100_000


class LocalObjectStore(VerifiedReads):
    """Implements `ObjectStore` under `root`. `key` signs download URLs, which start with `base_url`."""

    def __init__(self, root: Path, key: bytes, base_url: str) -> None:
        self._root = root
        self._base_url = base_url
        self._signer = URLSafeTimedSerializer(
            oldest_first(key), salt="download", signer_kwargs={"key_derivation": "hmac", "digest_method": sha256}
        )

    async def put(self, name: str, content: bytes, content_type: str) -> ObjectReference:
        del content_type  # files have no content type; download URLs carry it
        path = self._path(name)
        try:
            await asyncio.to_thread(write_once, path, content)
        except FileExistsError:
            await self._check_same(name, content)
        except OSError as error:
            raise StoreUnwritable(f"{name}: {error.strerror}") from error
        return make_reference(name, content)

    async def probe(self) -> None:
        """Writes and deletes a file. Raises `StoreUnwritable`, as on a full disk."""
        try:
            await asyncio.to_thread(_write_probe, self._root)
        except OSError as error:
            raise StoreUnwritable(f"{self._root}: {error.strerror}") from error

    async def count(self, prefix: str) -> int:
        return await asyncio.to_thread(_count_objects, self._path(check_prefix(prefix).rstrip("/")))

    async def delete_prefix(self, prefix: str) -> int:
        folder = self._path(check_prefix(prefix).rstrip("/"))
        try:
            return await asyncio.to_thread(_delete_folder, folder)
        except OSError as error:
            raise StoreUnwritable(f"{prefix}: {error.strerror}") from error

    async def signed_url(self, reference: ObjectReference, download: Download) -> str:
        token = self._signer.dumps(
            [reference.model_dump(), download.file_name, download.content_type, download.lifetime, download.origin]
        )
        return f"{self._base_url}/objects/{token}"

    async def read_signed(self, token: str) -> tuple[bytes, Download]:
        """Returns the object that a download token refers to. Raises `DownloadNotValid`."""
        try:
            reference, name, content_type, lifetime, *origin = self._signer.loads(token)
            download = Download(name, content_type, lifetime, *(DownloadOrigin(*one) for one in origin if one))
            self._signer.loads(token, max_age=download.lifetime)
            return await self.get(ObjectReference.model_validate(reference)), download
        except (BadSignature, ObjectMissing) as error:
            raise DownloadNotValid from error

    def _path(self, name: str) -> Path:
        return self._root / check_name(name)

    async def _read(self, name: str) -> bytes:
        try:
            return await asyncio.to_thread(self._path(name).read_bytes)
        except (FileNotFoundError, IsADirectoryError) as error:
            raise ObjectMissing(name) from error
        except OSError as error:
            raise ObjectStoreError(f"{name}: {error.strerror}") from error


def _write_probe(root: Path) -> None:
    ensure_folder(root)
    with TemporaryFile(dir=root) as file:
        file.write(bytes(_PROBE_BYTES))
        file.flush()
        os.fsync(file.fileno())


def _count_objects(folder: Path) -> int:
    return sum(not name.startswith(UNFINISHED) for _, _, names in os.walk(folder) for name in names)


def _delete_folder(folder: Path) -> int:
    """Deletes the folder, which another process may delete too. Returns the number of its objects."""
    count = _count_objects(folder)
    while folder.exists():
        # Another process deleted a file of the folder first; the rest is deleted by the next round.
        with suppress(FileNotFoundError):
            shutil.rmtree(folder)
            flush_folder(folder.parent)
    return count
