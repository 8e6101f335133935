"""Batches of sessions from a template (Specification 4.29)."""

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query, Request
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException

from application.batches import batch_actions
from application.batches import create_batch as creation
from application.batches.create_batch import PostedBatch
from application.batches.read_batch import MAX_BATCH, read_batch, read_csv_batch
from application.caller import Caller
from application.charge_sending_limit import SENDING_LIMIT_ERRORS
from application.errors import (
    BatchNotFound,
    InvalidBatch,
    InvalidRequest,
    NotAcceptable,
    RequestIssue,
    TemplateArchived,
    TemplateNotActive,
    TemplateNotFound,
    UnsupportedMediaType,
)
from application.idempotency import Attempt, IdempotentRequest
from application.off_loop import off_loop
from application.schemas.base import PageQuery
from application.schemas.batches import BatchCreate, BatchesRead, BatchRead, BatchResults, BatchSettings, DeletedBatch
from domain.batches.batch import Batch
from domain.shared.errors import BatchBeingChecked, BatchEnded, BatchNotEnded
from web.asgi.content_negotiation import choose_type
from web.asgi.dependencies import InjectedServices
from web.asgi.error_handlers import error_responses
from web.asgi.idempotency_key_header import KeyInHeader, sha256s_of, to_response
from web.asgi.json_body import json_body, media_type_of, reference_to
from web.asgi.query_validation import StrictRoute
from web.asgi.required_scopes import SessionReadCaller, SessionWriteCaller
from web.asgi.route_signature import ModelResponse

router = APIRouter(route_class=StrictRoute, prefix="/api/v1/SessionFromTemplate", tags=["Templates"])

BatchIdPath = Annotated[str, Path(alias="batchId", description="Unique identifier of the batch.")]

JSON, CSV = "application/json", "text/csv"


@dataclass(frozen=True, slots=True)
class BatchRequest:
    """A posted batch with its caller. `content` identifies the request; the boundary of a form is not part of it."""

    caller: Caller
    posted: PostedBatch
    content: bytes


async def get_batch_request(request: Request, caller: SessionWriteCaller, services: InjectedServices) -> BatchRequest:
    """Returns the body, read after the caller is authorised."""
    kind = media_type_of(request)
    if kind == JSON:
        body = await request.body()
        return BatchRequest(caller, await off_loop(len(body), lambda: read_batch(services, body)), body)
    if kind != "multipart/form-data":
        raise UnsupportedMediaType("Send JSON (application/json), or a form (multipart/form-data) with a CSV file.")
    settings, file = await _read_form(request)
    posted = await read_csv_batch(services, caller, settings, file)
    return BatchRequest(caller, posted, b"%d %b\n%b" % (len(settings), settings, file))


async def _read_form(request: Request) -> tuple[bytes, bytes]:
    """Returns the parts `batch` and `file`. Raises `InvalidRequest`."""
    try:
        async with request.form(max_files=1, max_fields=1) as form:
            settings, file = form.get("batch"), form.get("file")
            if isinstance(settings, str) and isinstance(file, UploadFile):
                return settings.encode(), await file.read()
    except HTTPException:
        # The parser's own message names no parts; the advice below does.
        pass
    advice = "Send two parts: “file”, a CSV file, and “batch”, JSON with all other members."
    raise InvalidRequest([RequestIssue("", advice)])


def _batch_body() -> dict[str, Any]:
    extra: Any = json_body(BatchCreate)
    properties = {
        "batch": reference_to(BatchSettings),
        "file": {"type": "string", "format": "binary", "maxLength": MAX_BATCH, "description": "The CSV file."},
    }
    form = {
        "schema": {"type": "object", "required": ["batch", "file"], "properties": properties},
        "encoding": {"batch": {"contentType": "application/json"}, "file": {"contentType": CSV}},
    }
    extra["requestBody"]["content"] = {"multipart/form-data": form, **extra["requestBody"]["content"]}
    return dict(extra)


@router.post(
    "/Batch",
    responses=error_responses(
        TemplateNotFound, TemplateNotActive, TemplateArchived, InvalidBatch, *SENDING_LIMIT_ERRORS
    ),
    openapi_extra=_batch_body(),
)
async def create_batch(
    call: Annotated[BatchRequest, Depends(get_batch_request)],
    request: Request,
    services: InjectedServices,
    key: KeyInHeader = None,
) -> ModelResponse[BatchRead]:
    """Creates up to 1,000 sessions from an active template, one for each row, at a pace of `perMinute`.

    Send JSON, or a form (`multipart/form-data`) with two parts: `file`, a CSV file in UTF-8, and `batch`, JSON with all
    members but `rows`. The first line of the file holds the column headings: variables by name, `key.name` and
    `key.email` for recipients, `session.name` and `session.externalId`. Blank cells are left out.

    All values and recipients are checked before the response: `issues` lists the first 1,000 issues of all rows, with
    paths such as `/rows/17/variableValues/rent`, or `line 19, rent` for a CSV file. Then the documents of all rows are
    laid out, in the state `checking`; with issues, the batch is `refused`. Sessions are created only after that, each
    exactly once, even after a crash. Sending limits are charged for the batch as a whole.
    """

    async def act(attempt: Attempt) -> tuple[None, BatchRead]:
        return None, BatchRead.from_batch(await creation.create_batch(services, call.caller, call.posted, attempt))

    sha256s = await sha256s_of(request, call.content, key)
    once = IdempotentRequest(services.idempotency_keys, call.caller, key, *sha256s)
    return to_response(await once.do(act))


@router.get("/Batches")
async def list_batches(
    caller: SessionReadCaller, query: Annotated[PageQuery, Query()], services: InjectedServices
) -> BatchesRead:
    """Lists the batches of the organisation, the newest first."""
    page = await services.batches.list(caller.organisation_id, query.limit, query.offset)
    return BatchesRead.from_page(page, query)


async def get_readable_batch(caller: SessionReadCaller, batch_id: BatchIdPath, services: InjectedServices) -> Batch:
    return await batch_actions.get_batch(services, caller.organisation_id, batch_id)


async def get_writable_batch(caller: SessionWriteCaller, batch_id: BatchIdPath, services: InjectedServices) -> Batch:
    return await batch_actions.get_batch(services, caller.organisation_id, batch_id)


ReadableBatch = Annotated[Batch, Depends(get_readable_batch)]
WritableBatch = Annotated[Batch, Depends(get_writable_batch)]

_NOT_FOUND = error_responses(BatchNotFound)


@router.get("/Batch/{batchId}", responses=_NOT_FOUND)
async def get_batch(batch: ReadableBatch) -> BatchRead:
    """Returns the batch: its state, counts of rows, failed rows with their reasons, and the next row."""
    return BatchRead.from_batch(batch)


@router.get(
    "/Batch/{batchId}/Results",
    responses={
        200: {
            "content": {CSV: {"schema": {"type": "string"}}},
            "description": "The results, as a CSV file if `Accept` prefers `text/csv`",
        },
        **error_responses(BatchNotFound, NotAcceptable),
    },
)
async def list_results(
    request: Request, batch: ReadableBatch, services: InjectedServices
) -> ModelResponse[BatchResults]:
    """Lists the session and the status of each row, during and after the run of the batch.

    With `Accept: text/csv`, the columns of the CSV file are `row`, `sessionId`, `status` and `error`.
    """
    media_type = choose_type(request.headers.get("accept"), [JSON, CSV])
    results = await batch_actions.read_results(services, batch)
    content = batch_actions.to_csv(results) if media_type == CSV else results.model_dump_json()
    return ModelResponse(content, media_type=media_type)


@router.post("/Batch/{batchId}/Pause", responses=error_responses(BatchNotFound, BatchEnded, BatchBeingChecked))
async def pause_batch(batch: WritableBatch, services: InjectedServices) -> BatchRead:
    """Pauses a batch after the current row. A paused batch stays as it is."""
    return BatchRead.from_batch(await batch_actions.act_on_batch(services, batch, "pause"))


@router.post("/Batch/{batchId}/Resume", responses=error_responses(BatchNotFound, BatchEnded, BatchBeingChecked))
async def resume_batch(batch: WritableBatch, services: InjectedServices) -> BatchRead:
    """Resumes a paused batch with the next row. A running batch stays as it is."""
    return BatchRead.from_batch(await batch_actions.act_on_batch(services, batch, "resume"))


@router.post("/Batch/{batchId}/Cancel", responses=error_responses(BatchNotFound, BatchEnded))
async def cancel_batch(batch: WritableBatch, services: InjectedServices) -> BatchRead:
    """Cancels a batch after the current row. The sessions that were created stay as they are."""
    return BatchRead.from_batch(await batch_actions.act_on_batch(services, batch, "cancel"))


@router.delete("/Batch/{batchId}", responses=error_responses(BatchNotFound, BatchNotEnded))
async def delete_batch(batch: WritableBatch, services: InjectedServices) -> DeletedBatch:
    """Deletes a batch that has ended, with its results. Its sessions stay as they are."""
    await batch_actions.delete_batch(services, batch)
    return DeletedBatch(batch_id=batch.batch_id)
