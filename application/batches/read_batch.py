"""Reads a posted batch: JSON, or a CSV file with the other members as JSON. Collects the issues of all rows."""

from collections.abc import Sequence

from pydantic import ValidationError
from pydantic_core import from_json, to_json

from application.batches.create_batch import PostedBatch
from application.batches.read_csv import CsvTable, read_csv
from application.caller import Caller
from application.errors import InvalidBatch, InvalidRequest, RequestIssue
from application.off_loop import off_loop
from application.parse_json import parse_json, validate_json
from application.schemas.batches import BatchCreate, BatchSettings
from application.services import Services
from application.templates.create_session import find_active_template
from application.templates.substitute import parent_of
from domain.shared.limits import MAX_BATCH_ISSUES

MAX_BATCH = 2_000_000
"""Maximum bytes of a batch: 2 kB for each of a thousand rows."""

_UNNAMED = "batch"


def read_batch(services: Services, body: bytes) -> PostedBatch:
    """Returns the batch in a JSON body, with its validation issues. Raises `InvalidRequest` if no batch is left."""
    try:
        return PostedBatch(validate_json(body, BatchCreate, services, MAX_BATCH_ISSUES))
    except InvalidRequest as refused:
        paths = [issue.path for issue in refused.issues]
        # An issue of the whole body leaves no batch, and such a body may exceed the limits of JSON.
        rest = None if refused.is_cut or "" in paths else _without(body, paths)
        if rest is None:
            raise
        return PostedBatch(rest, issues=refused.issues)


async def read_csv_batch(services: Services, caller: Caller, settings: bytes, file: bytes) -> PostedBatch:
    """Returns the batch of the members in `settings` (JSON) and the rows in `file` (CSV).

    Raises `InvalidRequest`, `InvalidBatch` for an unreadable file, or the errors of `find_active_template`.
    """
    given = await parse_json(settings, BatchSettings, services)
    template = await find_active_template(services.templates, caller.organisation_id, given.template_id)
    table = await off_loop(len(file), lambda: read_csv(file, template))
    body = to_json({**from_json(settings), "rows": table.rows})
    try:
        posted = await off_loop(len(body), lambda: read_batch(services, body))
    except InvalidRequest as refused:
        raise InvalidBatch(_placed(table, refused.issues), has_more=refused.is_cut) from refused
    return posted._replace(csv=table.places, issues=_placed(table, posted.issues))


def _placed(table: CsvTable, issues: Sequence[RequestIssue]) -> list[RequestIssue]:
    placed = [RequestIssue(table.places.place_of(issue.path), issue.message) for issue in issues]
    return [*table.issues, *placed]


def _without(body: bytes, paths: Sequence[str]) -> BatchCreate | None:
    """Returns the request without its members at `paths`; None if it is still invalid."""
    try:
        members = from_json(body)
        for path in paths:
            parent, last = parent_of(members, path)
            if isinstance(parent, list):
                parent[int(last)] = {}
            else:
                parent.pop(last, None)
        members.setdefault("name", _UNNAMED)
        return BatchCreate.model_validate_json(to_json(members), strict=True, by_alias=True, by_name=False)
    except (ValidationError, ValueError, LookupError, TypeError, AttributeError):
        return None
