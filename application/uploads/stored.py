"""The life of uploads in the store: kept, used by what is made of them, and deleted when nothing uses them."""

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import structlog

from application.caller import Caller
from application.errors import UploadNotFound, UploadUsed
from application.services import Services
from domain.shared.ids import FileId, OrganisationId
from domain.shared.object_names import ObjectReference, prefix_of, upload_name, upload_prefix
from ports.object_store import ObjectStoreError
from ports.uploads import UploadInUse, UploadKind, UploadMissing

UploadKey = tuple[UploadKind, OrganisationId, FileId]

EXPECTED_FOR = timedelta(days=1)
"""How long after it was stored an object that no upload was added with is left alone; longer than any request lasts."""

log = structlog.get_logger(__name__)


async def store_upload(services: Services, key: UploadKey, content: bytes, content_type: str) -> ObjectReference:
    """Stores the content of an upload under a name that no other one ever has."""
    kind, organisation_id, upload_id = key
    prefix = upload_prefix(organisation_id, kind.value, upload_id, str(uuid4()))
    await services.uploads.expect(prefix, datetime.now(UTC) + EXPECTED_FOR)
    return await services.objects.put(upload_name(prefix), content, content_type)


async def delete_upload(services: Services, kind: UploadKind, caller: Caller, upload_id: FileId) -> None:
    """Deletes an unused upload permanently.

    Raises:
        UploadNotFound: no such upload in the organisation of the caller.
        UploadUsed: a session or a template uses it.
    """
    try:
        prefix = await services.uploads.delete(kind, caller.organisation_id, upload_id, caller.audit.at)
    except UploadMissing as error:
        raise UploadNotFound from error
    except UploadInUse as error:
        raise UploadUsed from error
    await _delete_now(services, prefix)


async def drop_copy(services: Services, stored: ObjectReference, kept: ObjectReference) -> None:
    """Deletes the object `stored` if the upload was there already, and keeps the one that it has."""
    if stored.name != kept.name:
        await _delete_now(services, prefix_of(stored.name))


async def _delete_now(services: Services, prefix: str) -> None:
    """A worker deletes what the store does not delete now."""
    try:
        await services.objects.delete_prefix(prefix)
    except ObjectStoreError as error:
        log.warning("the object of an upload is deleted later", error=type(error).__name__)
        return
    await services.uploads.mark_deleted([prefix])
