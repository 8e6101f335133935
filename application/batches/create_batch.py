"""Creates a batch: checks all of its rows, charges the sending limit, stores the rows and starts the run."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import structlog

from application.batches.check_rows import check_rows
from application.batches.content import BatchContent, CsvPlaces
from application.caller import Caller
from application.charge_sending_limit import MailBatch, spend
from application.errors import InvalidBatch, RequestIssue
from application.idempotency import Attempt
from application.schemas.batches import BatchCreate
from application.scopes import Scope
from application.services import Services
from application.session_actions import LEFT_TO_WORKERS
from application.sessions.create import NO_VALUES
from application.templates.create_session import find_active_template
from domain.batches.batch import Batch, BatchKey
from domain.shared.errors import Unavailable
from domain.shared.object_names import batch_prefix, rows_name
from domain.shared.times import to_milliseconds

_EXPECTED_FOR = timedelta(days=1)
"""Time after which rows without a batch are deleted; longer than any request lasts."""

log = structlog.get_logger(__name__)


class PostedBatch(NamedTuple):
    """A posted batch. `issues` were found when it was read; `request` lacks the members that they concern.

    `csv` holds the places of the rows if they were posted as a CSV file.
    """

    request: BatchCreate
    csv: CsvPlaces | None = None
    issues: Sequence[RequestIssue] = ()


async def create_batch(services: Services, caller: Caller, posted: PostedBatch, attempt: Attempt) -> Batch:
    """Creates the batch, and starts its run. A repeated attempt returns the existing one.

    The documents are laid out by the run, which creates no session unless those of all rows are valid.

    Raises:
        TemplateNotFound, TemplateNotActive, TemplateArchived: the template does not exist or is not active.
        InvalidBatch: the issues of all rows.
        RecipientBudgetSpent, RecipientDomainNotAllowed: the batch as a whole exceeds the sending limits of the client.
        PoolBusy: too much work of the organisation is waiting.
        DatabaseUnavailable, ObjectStoreError: the batch cannot be stored.
    """
    key = BatchKey(organisation_id=caller.organisation_id, batch_id=attempt.batch_id)
    if attempt.is_repeated and (existing := await services.batches.find(key)):
        return existing
    content, addresses = await check_batch(services, caller, posted)
    if posted.request.send_immediately:
        await spend(services, caller.audit, MailBatch(f"batch {key.batch_id}", addresses))
    batch = await services.batches.add(
        await _store(services, key, content), start_at=datetime.now(UTC) + LEFT_TO_WORKERS
    )
    try:
        await services.batch_runs.start(batch)
        await services.batches.mark_started(batch)
    except Unavailable:
        log.warning("a worker starts the batch, since Temporal does not answer", batch_id=key.batch_id)
    return batch


async def check_batch(services: Services, caller: Caller, posted: PostedBatch) -> tuple[BatchContent, list[str]]:
    """Returns the content of the batch, and the addresses of all recipients. Stores nothing.

    Raises the errors of `create_batch`.
    """
    request = posted.request
    template = await find_active_template(services.templates, caller.organisation_id, request.template_id)
    content = BatchContent.of(request, template, caller, posted.csv)
    issues = list(posted.issues)
    if request.callback_values and Scope.READ_VALUES not in caller.scopes:
        issues.append(RequestIssue("/callbackValues", NO_VALUES))
    places = {issue.path for issue in issues}
    addresses, found = await services.pool.run(check_rows, content)
    # Validation has reported the row as a whole, or the member.
    issues += [issue for row, issue in found if issue.path not in places and f"/rows/{row}" not in places]
    if issues:
        raise InvalidBatch(sorted(issues, key=_row_of))
    return content, addresses


def _row_of(issue: RequestIssue) -> int:
    """Returns the row or the line of an issue; -1 if it concerns the whole batch."""
    found = re.match(r"(?:/rows/|line )(\d+)", issue.path)
    return int(found[1]) if found else -1


async def _store(services: Services, key: BatchKey, content: BatchContent) -> Batch:
    """Stores the rows, and returns the batch."""
    request, prefix, dumped = content.request, batch_prefix(key.organisation_id, key.batch_id), content.dump()
    at = to_milliseconds(content.audit.at)
    await services.uploads.expect(prefix, datetime.now(UTC) + _EXPECTED_FOR)
    return Batch(
        organisation_id=key.organisation_id,
        batch_id=key.batch_id,
        template_id=content.template.template_id,
        name=request.name,
        is_sent=request.send_immediately,
        total=len(request.rows),
        per_minute=request.per_minute,
        created_at=at,
        updated_at=at,
        content=await services.objects.put(rows_name(prefix, dumped), dumped, "application/json"),
    )
