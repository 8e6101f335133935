"""Objects in a bucket of Google Cloud Storage.

The library does retries and checksums; it is synchronous, so every call runs in a thread.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from functools import partial
from typing import TypeVar
from urllib.parse import quote

from google.api_core.exceptions import GoogleAPIError, NotFound, PreconditionFailed
from google.auth.exceptions import GoogleAuthError
from google.cloud.storage import Blob, Bucket
from google.cloud.storage.exceptions import DataCorruption
from google.cloud.storage.retry import DEFAULT_RETRY

from adapters.object_store.checked import CheckedReads
from adapters.object_store.names import check_name, check_prefix
from adapters.object_store.port import (
    Download,
    ObjectMissing,
    ObjectStoreError,
)
from domain.objects import ObjectReference, refer_to

T = TypeVar("T")

TIMEOUT = 30
"""Seconds for one request."""

RETRY = DEFAULT_RETRY.with_timeout(20).with_delay(initial=0.2, maximum=5)
"""The library tries again by itself, for that many seconds; whoever called may do so after that."""


class GoogleObjectStore(CheckedReads):
    """Keeps `ObjectStore` in `bucket`. Objects are created, never overwritten (`if_generation_match=0`)."""

    def __init__(self, bucket: Bucket) -> None:
        self._bucket = bucket

    async def put(self, name: str, content: bytes, content_type: str) -> ObjectReference:
        blob = self._blob(name)
        try:
            await _call(
                lambda: blob.upload_from_string(
                    content, content_type, if_generation_match=0, checksum="crc32c", timeout=TIMEOUT, retry=RETRY
                )
            )
        except PreconditionFailed:
            # Somebody wrote it before, perhaps this very call whose answer was lost.
            await self._check_same(name, content)
        return refer_to(name, content)

    async def delete_prefix(self, prefix: str) -> int:
        """Deletes the objects with all their generations; counts objects."""
        names = await _call(partial(_delete_all, self._bucket, check_prefix(prefix)))
        return len(names)

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
            content: bytes = await _call(
                lambda: blob.download_as_bytes(checksum="crc32c", timeout=TIMEOUT, retry=RETRY)
            )
        except NotFound as error:
            raise ObjectMissing(name) from error
        return content


def _delete_all(bucket: Bucket, prefix: str) -> set[str]:
    """Deletes every generation of the objects below `prefix`; returns their names."""
    names = set()
    for blob in bucket.list_blobs(prefix=prefix, versions=True, timeout=TIMEOUT, retry=RETRY):
        names.add(blob.name)
        with suppress(NotFound):  # another try was faster
            blob.delete(timeout=TIMEOUT, retry=RETRY)
    return names


async def _call(request: Callable[[], T]) -> T:
    try:
        return await asyncio.to_thread(request)
    except (NotFound, PreconditionFailed):
        raise
    except DataCorruption as error:
        raise ObjectStoreError("what came was not what the bucket holds; try again") from error
    except (GoogleAPIError, GoogleAuthError, OSError) as error:
        raise ObjectStoreError(
            "the bucket does not answer as it should; look at its name and the credentials"
        ) from error
