"""The rows of a batch as stored: the request, the version of the template that it was checked with, and the caller."""

from typing import Self

from pydantic import BaseModel, ConfigDict

from application.batches.csv_places import CsvPlaces
from application.caller import Caller
from domain.audit.events import AuditContext
from domain.shared.ids import ClientId
from domain.templates.template import Template
from schemas.base import PRIVATE_CALLBACKS
from schemas.batch_create import BatchCreate
from schemas.session_from_template import SessionFromTemplate

_OF_BATCH = {"name", "per_minute", "rows"}
"""Members of the request that are about the batch, not about its sessions."""


class BatchContent(BaseModel):
    """The data from which the sessions are created. Stored as JSON, deleted when the batch ends."""

    model_config = ConfigDict(frozen=True)

    request: BatchCreate
    template: Template
    client_id: ClientId
    scopes: frozenset[str]
    audit: AuditContext
    csv: CsvPlaces | None = None

    @classmethod
    def of(cls, request: BatchCreate, template: Template, caller: Caller, csv: CsvPlaces | None) -> Self:
        return cls(
            request=request,
            template=template,
            client_id=caller.client_id,
            scopes=caller.scopes,
            audit=caller.audit,
            csv=csv,
        )

    @classmethod
    def parse(cls, content: bytes) -> Self:
        return cls.model_validate_json(content, by_alias=True, context={PRIVATE_CALLBACKS: True})

    def dump(self) -> bytes:
        return self.model_dump_json(by_alias=True, exclude_unset=True).encode()

    @property
    def caller(self) -> Caller:
        return Caller(self.client_id, self.template.organisation_id, self.audit, self.scopes)

    def session_request(self, row: int) -> SessionFromTemplate:
        """Returns the request that creates the session of `row` alone."""
        return session_request(self.request, row)

    def place_of(self, row: int, path: str) -> str:
        """Returns the place of the member at `path` of a row: a JSON pointer, or line and column of the CSV file."""
        pointer = f"/rows/{row}{path}"
        return self.csv.place_of(pointer) if self.csv else pointer


def session_request(request: BatchCreate, row: int) -> SessionFromTemplate:
    """Returns the request that creates the session of `row` alone. Its members are validated already."""
    shared = {name: getattr(request, name) for name in request.model_fields_set - _OF_BATCH}
    own = {name: getattr(request.rows[row], name) for name in request.rows[row].model_fields_set}
    return SessionFromTemplate.model_construct(**{**shared, **own})
