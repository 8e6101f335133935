"""Erases the objects and histories of a deleted session.

Its rows are deleted before, by `adapters.database.repositories.sessions`: only a tombstone with a receipt remains.
"""

from dataclasses import dataclass
from datetime import UTC, datetime

from temporalio import activity
from temporalio.exceptions import ApplicationError

from activities.interface import EraseRequest, ReceiptRequest
from domain.audit.deletion_receipts import sign_receipt
from domain.ports.database import SessionRows
from domain.ports.object_store import ObjectStore
from domain.ports.temporal import WorkflowHistories
from domain.ports.uploads import Uploads
from domain.shared.object_names import session_prefix
from domain.shared.times import rfc3339
from domain.workflow_ids import session_workflow_id

ASK_AGAIN = 10
"""Number of attempts after which the deletion of a run is requested from Temporal again."""


@dataclass(frozen=True, slots=True)
class ErasureActivities:
    """Deletes the data of a session. `receipt_key` is an EC P-256 private key (PEM)."""

    rows: SessionRows
    objects: ObjectStore
    histories: WorkflowHistories
    receipt_key: bytes
    uploads: Uploads

    @activity.defn
    async def erase_objects(self, request: EraseRequest) -> int:
        """Deletes the objects of the session, and of the uploads that only it used. Returns their number.

        They are counted before the first is deleted. Later attempts return the number of the first one.
        """
        now, key = datetime.now(UTC), (request.organisation_id, request.session_id)
        own = session_prefix(*key)
        if activity.info().heartbeat_details:
            count, *uploads = activity.info().heartbeat_details
        else:
            uploads = list(await self.uploads.find_own(*key))
            count = sum([await self.objects.count(prefix) for prefix in (own, *uploads)])
        activity.heartbeat(count, *uploads)
        await self.uploads.erase(*key, now)
        for prefix in await self.uploads.due(now, among=uploads):
            await self.objects.delete_prefix(prefix)
            await self.uploads.mark_deleted([prefix])
        await self.objects.delete_prefix(own)
        return int(count)

    @activity.defn
    async def erase_histories(self, request: EraseRequest) -> int:
        """Raises `ApplicationError` while runs remain, which Temporal deletes later. The next attempt checks again."""
        before, *requested = activity.info().heartbeat_details or (0,)
        names = [session_workflow_id(request.session_id)]
        left = await self.histories.delete(names, () if activity.info().attempt % ASK_AGAIN == 0 else requested)
        run_ids = sorted({*requested, *left})
        if left:
            activity.heartbeat(max(before, len(run_ids)), *run_ids)
            raise ApplicationError(f"{len(left)} runs are being deleted", type="HistoriesRemain")
        return max(before, len(run_ids))

    @activity.defn
    async def issue_receipt(self, request: ReceiptRequest) -> str:
        erased = request.erased
        receipt = sign_receipt(
            self.receipt_key,
            {
                "sessionId": erased.session_id,
                "organisationId": erased.organisation_id,
                "erasedAt": rfc3339(erased.erased_at),
                "completedAt": rfc3339(request.completed_at),
                "objects": request.objects,
                "workflowRuns": request.runs,
            },
        )
        return await self.rows.store_receipt(erased.organisation_id, erased.session_id, receipt)
