"""The rows of a batch, one after another: their documents are checked, then their sessions are created.

A session is created at most once: its id is derived from batch and row, so an attempt after a crash finds it.
"""

from dataclasses import replace
from datetime import UTC, datetime

import structlog

from application.batches.content import BatchContent
from application.credentials_in_force import is_in_force
from application.errors import (
    DocumentValidationFailed,
    IdempotencyInProgress,
    InsufficientScope,
    InvalidRequest,
    ServiceError,
)
from application.scopes import Scope
from application.services import SessionServices
from application.sessions.create import check_session, store_session
from application.templates.create_session import fill_template, find_active_template
from application.templates.substitute import with_variables
from domain.batches.batch import Batch, FailedRow, RowIssue, session_of_row
from domain.ports.process_pool import PoolClosed, ProcessDied

_TOO_COSTLY = "The document takes more time or memory to lay out than it may. Shorten its values."


async def find_row_issues(services: SessionServices, content: BatchContent, row: int) -> list[RowIssue]:
    """Returns the issues of the document of a row, laid out with its values."""
    session, source = await fill_template(content.template, content.session_request(row))
    try:
        await check_session(services, content.caller, session, source)
    except PoolClosed:
        raise
    except ProcessDied:
        found = [("", _TOO_COSTLY)]
    except InvalidRequest as refused:
        found = [(issue.path, issue.message) for issue in refused.issues]
    except DocumentValidationFailed as refused:
        issues = with_variables(content.template, refused).issues
        found = [(filed.path, filed.issue.message) for filed in issues]
    else:
        return []
    placed = (RowIssue(path=content.place_of(row, path), message=message) for path, message in found)
    return list(dict.fromkeys(placed))  # issues at places without a column may be equal


async def create_row(services: SessionServices, batch: Batch, content: BatchContent, row: int) -> FailedRow | None:
    """Creates the session of a row unless it exists; sends it unless the batch creates drafts.

    Returns a failure, if any. Raises an error after which another attempt may succeed, such as that of a dependency
    that does not respond.
    """
    organisation_id, session_id = batch.organisation_id, session_of_row(batch.batch_id, row)
    if await services.rows.is_erased(organisation_id, session_id):
        return None
    if await services.rows.find(organisation_id, session_id):
        return None
    request = content.session_request(row)
    audit = content.audit.model_copy(update={"at": datetime.now(UTC)})
    caller = replace(content.caller, audit=audit)
    try:
        if not await is_in_force(services, organisation_id, caller.client_id, caller.generation, Scope.WRITE_SESSIONS):
            raise InsufficientScope(Scope.WRITE_SESSIONS)
        # Raises if the template is no longer active. The session uses the version that was checked.
        await find_active_template(services.templates, organisation_id, batch.template_id)
        session, source = await fill_template(content.template, request)
        checked = await check_session(services, caller, session, source)
        with structlog.contextvars.bound_contextvars(session_id=session_id):
            await store_session(services, caller, session, session_id, checked)
    except ServiceError as refused:
        if isinstance(refused, IdempotencyInProgress):
            raise
        return FailedRow(row=row, code=refused.code, message=_reason(refused))
    return None


def _reason(refused: ServiceError) -> str:
    if isinstance(refused, InvalidRequest):
        return refused.issues[0].message
    if isinstance(refused, DocumentValidationFailed):
        return refused.issues[0].issue.message
    return refused.message
