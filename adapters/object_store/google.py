"""Objects in a bucket of Google Cloud Storage.

The library does retries and checksums; it is synchronous, so every call runs in a thread.
"""

import asyncio
from collections.abc import Callable
from datetime import timedelta
from typing import TypeVar
from urllib.parse import quote

from google.api_core.exceptions import GoogleAPIError, NotFound, PreconditionFailed
from google.cloud.storage import Blob, Bucket

from adapters.object_store.names import check_name, check_prefix
from adapters.object_store.port import (
    Download,
    ObjectConflict,
    ObjectDamaged,
    ObjectMissing,
    StoreUnwritable,
)
from domain.objects import ObjectReference, refer_to

T = TypeVar("T")

TIMEOUT = 30
"""Seconds for one request; the library tries again by itself within its own policy."""


class GoogleObjectStore:
    """Keeps `ObjectStore` in `bucket`. Objects are created, never overwritten (`if_generation_match=0`)."""

    def __init__(self, bucket: Bucket) -> None:
        self._bucket = bucket

    async def put(self, name: str, content: bytes, content_type: str) -> ObjectReference:
        blob = self._blob(name)
        try:
            await _call(
                lambda: blob.upload_from_string(
                    content, content_type=content_type, if_generation_match=0, checksum="crc32c", timeout=TIMEOUT
                )
            )
        except PreconditionFailed as error:
            # Somebody wrote it before, perhaps this very call whose answer was lost.
            if await self._read(name) != content:
                raise ObjectConflict(name) from error
        return refer_to(name, content)

    async def get(self, reference: ObjectReference) -> bytes:
        content = await self._read(reference.name)
        if refer_to(reference.name, content) != reference:
            raise ObjectDamaged(reference.name)
        return content

    async def find(self, name: str) -> ObjectReference | None:
        try:
            return refer_to(name, await self._read(name))
        except ObjectMissing:
            return None

    async def delete_prefix(self, prefix: str) -> int:
        """Deletes the objects with all their generations; counts objects."""
        blobs = await _call(
            lambda: list(self._bucket.list_blobs(prefix=check_prefix(prefix), versions=True, timeout=TIMEOUT))
        )
        for blob in blobs:
            await _call(lambda blob=blob: _delete(blob))  # type: ignore[misc]  # bound now, not after the loop
        return len({blob.name for blob in blobs})

    async def signed_url(self, reference: ObjectReference, download: Download) -> str:
        blob = self._blob(reference.name)
        url: str = await _call(
            lambda: blob.generate_signed_url(
                version="v4",
                expiration=timedelta(seconds=download.lifetime),
                method="GET",
                response_disposition=f"attachment; filename*=UTF-8''{quote(download.file_name, safe='')}",
                response_type=download.content_type,
            )
        )
        return url

    def _blob(self, name: str) -> Blob:
        return self._bucket.blob(check_name(name))

    async def _read(self, name: str) -> bytes:
        blob = self._blob(name)
        try:
            content: bytes = await _call(lambda: blob.download_as_bytes(checksum="crc32c", timeout=TIMEOUT))
        except NotFound as error:
            raise ObjectMissing(name) from error
        return content


def _delete(blob: Blob) -> None:
    try:
        blob.delete(timeout=TIMEOUT)
    except NotFound:
        return  # another try was faster


async def _call(request: Callable[[], T]) -> T:
    try:
        return await asyncio.to_thread(request)
    except (NotFound, PreconditionFailed):
        raise
    except (GoogleAPIError, OSError) as error:
        raise StoreUnwritable("the bucket does not answer as it should") from error
