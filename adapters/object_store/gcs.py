"""Objects in a bucket of Google Cloud Storage.

The library retries and verifies checksums. It is synchronous, so every call runs in a thread of the store's own: a
bucket that does not respond blocks that thread until the timeout, and asyncio's threads stay free.
"""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from datetime import timedelta
from functools import partial
from typing import Any, TypeVar

import structlog
from google.api_core.exceptions import Forbidden, GoogleAPIError, NotFound, PreconditionFailed, Unauthorized
from google.api_core.retry import Retry
from google.auth.credentials import Signing
from google.auth.exceptions import GoogleAuthError
from google.cloud.storage import Blob, Bucket
from google.cloud.storage.exceptions import DataCorruption
from google.cloud.storage.retry import DEFAULT_RETRY

from adapters.object_store.gcs_signing_credentials import check_lifetime
from adapters.object_store.verified_reads import VerifiedReads, check_name, check_prefix
from domain.ports.object_store import Download, ObjectMissing, ObjectStoreError, StoreUnwritable
from domain.shared.file_names import attachment
from domain.shared.object_names import ObjectReference, make_reference

log = structlog.get_logger(__name__)

T = TypeVar("T")

TIMEOUT = 30
"""Seconds for one request."""

RETRY = DEFAULT_RETRY.with_timeout(20).with_delay(initial=0.2, maximum=5)
"""The library retries a request for 20 seconds. The caller may retry after that."""

CALLS_AT_ONCE = 64
"""Threads and pooled connections of one process."""

ROLE = "roles/storage.objectAdmin"
"""The role that the service account needs on the bucket: create, read, list and delete objects."""

READER = "roles/storage.legacyBucketReader"
"""A role that also has `storage.buckets.get`."""

DELETING = ("storage.objects.delete", "storage.objects.list")
"""The permissions that deleting a prefix needs."""


class GcsObjectStore(VerifiedReads):
    """Implements `ObjectStore` in `bucket`. Objects are created, never overwritten (`if_generation_match=0`).

    `signing` signs download URLs; by default, the credentials of the bucket's client sign them with their private key.
    """

    def __init__(self, bucket: Bucket, signing: Signing | None = None, retry: Retry = RETRY) -> None:
        self._bucket = bucket
        self._signing = signing
        self._how: Mapping[str, Any] = {"timeout": TIMEOUT, "retry": retry}
        self._threads = ThreadPoolExecutor(CALLS_AT_ONCE, thread_name_prefix="storage")

    async def put(self, name: str, content: bytes, content_type: str) -> ObjectReference:
        blob = self._blob(name)
        try:
            await self._call(
                lambda: blob.upload_from_string(
                    content, content_type, if_generation_match=0, checksum="crc32c", **self._how
                )
            )
        except PreconditionFailed:
            # The object exists: another process wrote it, or an earlier attempt of this call whose response was lost.
            await self._check_same(name, content)
        except NotFound as error:
            raise self._no_bucket() from error
        return make_reference(name, content)

    async def count(self, prefix: str) -> int:
        def names() -> set[str]:
            found = self._bucket.list_blobs(prefix=check_prefix(prefix), versions=True, **self._how)
            return {blob.name for blob in found}

        try:
            return len(await self._call(names))
        except NotFound as error:
            raise self._no_bucket() from error

    async def delete_prefix(self, prefix: str) -> int:
        """Deletes the objects with all their generations, except those that the bucket retains (see `notes`)."""
        try:
            names = await self._call(partial(self._delete_all, check_prefix(prefix)))
        except NotFound as error:
            raise self._no_bucket() from error
        return len(names)

    async def signed_url(self, reference: ObjectReference, download: Download) -> str:
        try:
            return await self._sign(reference, download)
        except StoreUnwritable as error:
            log.error(str(error))  # noqa: TRY400  # the message says how to fix it
            raise

    async def sign_trial(self, reference: ObjectReference, lifetime: int) -> str:
        """Signs a download URL that is valid for `lifetime` seconds, for the self-test. Raises `StoreUnwritable`."""
        check_lifetime(self._signing, lifetime)
        return await self._sign(reference, Download("check.txt", "text/plain", lifetime))

    async def _sign(self, reference: ObjectReference, download: Download) -> str:
        blob = self._blob(reference.name)
        url: str = await self._call(
            lambda: blob.generate_signed_url(
                version="v4",
                expiration=timedelta(seconds=download.lifetime),
                method="GET",
                response_disposition=attachment(download.file_name),
                response_type=download.content_type,
                credentials=self._signing,
            )
        )
        return url

    async def may_delete(self) -> bool:
        """Returns whether the account may delete objects; true if Google does not respond.

        The caller needs it because a retention policy causes the same error as a missing permission.
        """
        ask = partial(self._bucket.test_iam_permissions, DELETING, **self._how)
        try:
            return set(await self._call(ask)) >= set(DELETING)
        except (NotFound, ObjectStoreError):
            return True

    async def notes(self) -> tuple[str, ...]:
        """Returns the settings of the bucket that delay erasures, one sentence each."""
        try:
            await self._call(partial(self._bucket.reload, **self._how))
        except (NotFound, StoreUnwritable):
            return (f"the settings of {self._address} cannot be read; {READER} there would let them be checked",)
        return tuple(_notes(self._bucket))

    @property
    def _address(self) -> str:
        return f"gs://{self._bucket.name}"

    def _blob(self, name: str) -> Blob:
        return self._bucket.blob(check_name(name))

    async def _read(self, name: str) -> bytes:
        blob = self._blob(name)
        try:
            content: bytes = await self._call(lambda: blob.download_as_bytes(checksum="crc32c", **self._how))
        except NotFound as error:
            raise ObjectMissing(name) from error
        return content

    def _delete_all(self, prefix: str) -> set[str]:
        """Deletes every generation of the objects below `prefix`. Returns their names."""
        names = set()
        for blob in self._bucket.list_blobs(prefix=prefix, versions=True, **self._how):
            names.add(blob.name)
            with suppress(NotFound):  # a concurrent attempt was faster
                # `blob` names a generation: repeated attempts are harmless, and archived generations are deleted.
                blob.delete(**self._how)
        return names

    async def _call(self, request: Callable[[], T]) -> T:
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, copy_context().run, request)
        except (NotFound, PreconditionFailed):
            raise
        except DataCorruption as error:
            raise ObjectStoreError("the downloaded object does not match its checksum; try again") from error
        except (Forbidden, Unauthorized) as error:
            raise StoreUnwritable(
                f"{self._address} refuses the account of this service; give it {ROLE} there, and check the "
                "bucket's retention policy and holds"
            ) from error
        except GoogleAuthError as error:
            raise ObjectStoreError(
                "Google gives no token or signature for the credentials of this service now; look at them"
            ) from error
        except (GoogleAPIError, OSError) as error:
            raise ObjectStoreError(
                "the bucket does not answer as it should; look at its name and the credentials"
            ) from error

    def _no_bucket(self) -> StoreUnwritable:
        return StoreUnwritable(
            f"{self._address} does not exist, or the account of this service may not know of it; "
            "make it, or correct UNDERSIGN_OBJECT_STORE"
        )


def _notes(bucket: Bucket) -> Iterator[str]:
    address = f"gs://{bucket.name}"
    if bucket.soft_delete_policy.retention_duration_seconds:
        days = bucket.soft_delete_policy.retention_duration_seconds / 86_400
        yield (
            f"{address} keeps deleted objects for {days:g} days more (soft delete), and so the documents of a "
            f"permanently deleted session; to change that: gcloud storage buckets update {address} --clear-soft-delete"
        )
    if bucket.retention_period:
        yield (
            f"{address} lets nothing be deleted for {bucket.retention_period / 86_400:g} days (retention policy): "
            "erasures wait for that long, and are tried until then"
        )
    if bucket.default_event_based_hold:
        yield f"{address} holds every new object (event-based hold): erasures wait until the hold is released"
