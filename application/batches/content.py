"""The stored content of a batch: request, caller, and the version of the template that the rows were checked with."""

import re
from collections.abc import Mapping
from typing import Self

from pydantic import BaseModel, ConfigDict

from application.caller import Caller
from application.schemas.base import PRIVATE_CALLBACKS
from application.schemas.batches import BatchCreate
from application.schemas.session_from_template import SessionFromTemplate
from domain.audit.events import AuditContext
from domain.shared.ids import ClientId
from domain.templates.template import Template

_IN_ROW = re.compile(r"/rows/(\d+)(.*)", re.DOTALL)


class CsvPlaces(BaseModel):
    """The places of rows in a CSV file: the line of each row, and column heads by the JSON pointer within a row."""

    lines: tuple[int, ...]
    heads: Mapping[str, str]

    def place_of(self, pointer: str) -> str:
        """Returns line and column head for a JSON pointer into a row of the request; any other pointer unchanged."""
        found = _IN_ROW.fullmatch(pointer)
        if found is None:
            return pointer
        head = self.heads.get(found[2])
        return f"line {self.lines[int(found[1])]}{f', {head}' if head else ''}"


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
    generation: int = 0

    @classmethod
    def of(cls, request: BatchCreate, template: Template, caller: Caller, csv: CsvPlaces | None) -> Self:
        return cls(
            request=request,
            template=template,
            client_id=caller.client_id,
            scopes=caller.scopes,
            audit=caller.audit,
            csv=csv,
            generation=caller.generation,
        )

    @classmethod
    def parse(cls, content: bytes) -> Self:
        return cls.model_validate_json(content, by_alias=True, context={PRIVATE_CALLBACKS: True})

    def dump(self) -> bytes:
        return self.model_dump_json(by_alias=True, exclude_unset=True).encode()

    @property
    def caller(self) -> Caller:
        return Caller(self.client_id, self.template.organisation_id, self.audit, self.scopes, self.generation)

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
