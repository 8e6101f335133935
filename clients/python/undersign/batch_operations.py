"""The operations on batches of sessions from a template."""

from uuid import uuid4

import httpx

from undersign.models import BatchesRead, BatchRead, BatchResults, DeletedBatch
from undersign.operation import (
    Body,
    Method,
    Operation,
    as_json,
    at,
    content,
    delete,
    get,
    post,
    post_once,
    query_of,
    reader,
)

_BATCH = "/SessionFromTemplate/Batch/{}"


class BatchOperations:
    """The operations on batches."""

    @Method
    @staticmethod
    def create_batch(batch: Body, *, idempotency_key: str | None = None) -> Operation[BatchRead]:
        """Creates up to 1,000 sessions from an active template, one for each row."""
        return post_once("createBatch", at("/SessionFromTemplate/Batch"), BatchRead, idempotency_key, batch)

    @Method
    @staticmethod
    def create_batch_from_csv(file: bytes, batch: Body, *, idempotency_key: str | None = None) -> Operation[BatchRead]:
        """Creates a session for each line of a CSV file. `batch` has all other members of the request."""
        parts = {"file": ("rows.csv", file, "text/csv"), "batch": (None, as_json(batch), "application/json")}
        form = httpx.Request("POST", "https://form", files=parts)
        headers = {"Content-Type": form.headers["Content-Type"], "Idempotency-Key": idempotency_key or str(uuid4())}
        path = at("/SessionFromTemplate/Batch")
        return Operation("createBatch", "POST", path, reader(BatchRead), body=form.read(), headers=headers)

    @Method
    @staticmethod
    def list_batches(*, limit: int = 50, offset: int = 0) -> Operation[BatchesRead]:
        """Returns a page of the batches, the newest first."""
        return get("listBatches", at("/SessionFromTemplate/Batches"), BatchesRead, query_of({}, limit, offset))

    @Method
    @staticmethod
    def get_batch(batch_id: str) -> Operation[BatchRead]:
        """Returns the state of a batch, its counts and its failed rows."""
        return get("getBatch", at(_BATCH, batch_id), BatchRead)

    @Method
    @staticmethod
    def list_results(batch_id: str) -> Operation[BatchResults]:
        """Returns the session and the status of each row."""
        return get("listResults", at(f"{_BATCH}/Results", batch_id), BatchResults)

    @Method
    @staticmethod
    def print_results(batch_id: str) -> Operation[bytes]:
        """Returns the results as a CSV file: row, sessionId, status, error."""
        path = at(f"{_BATCH}/Results", batch_id)
        return Operation("listResults", "GET", path, content, headers={"Accept": "text/csv"})

    @Method
    @staticmethod
    def pause_batch(batch_id: str) -> Operation[BatchRead]:
        """Pauses a batch after the current row."""
        return post("pauseBatch", at(f"{_BATCH}/Pause", batch_id), BatchRead)

    @Method
    @staticmethod
    def resume_batch(batch_id: str) -> Operation[BatchRead]:
        """Resumes a paused batch."""
        return post("resumeBatch", at(f"{_BATCH}/Resume", batch_id), BatchRead)

    @Method
    @staticmethod
    def cancel_batch(batch_id: str) -> Operation[BatchRead]:
        """Cancels a batch after the current row; its sessions stay."""
        return post("cancelBatch", at(f"{_BATCH}/Cancel", batch_id), BatchRead)

    @Method
    @staticmethod
    def delete_batch(batch_id: str) -> Operation[DeletedBatch]:
        """Deletes a batch that has ended; its sessions stay."""
        return delete("deleteBatch", at(_BATCH, batch_id), DeletedBatch)
