"""What a tool is, and what it is called with."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Generic, NamedTuple, TypeVar

import rfc8785
from mcp.types import ContentBlock
from pydantic import BaseModel
from pydantic_core import to_json

from application.caller import Caller
from application.documents.collect_issues import with_document_issues
from application.errors import InvalidRequest
from application.idempotency import Handler, IdempotentRequest
from application.json_members import parse_json
from application.scopes import Scope
from application.services import Services
from domain.session.session import Session
from domain.shared.ids import SessionId
from domain.shared.object_names import digest

M = TypeVar("M", bound=BaseModel)


class Effect(Enum):
    """What a tool does: look, add something or let something go on, or take something away from somebody."""

    READS = "reads"
    WRITES = "writes"
    DESTROYS = "destroys"


class Answer(NamedTuple):
    """What a tool answers: `body` is the API's answer (JSON), `note` one for the reader, `attached` goes with it."""

    body: str
    note: str = ""
    attached: Sequence[ContentBlock] = ()

    @classmethod
    def of(cls, shown: BaseModel, note: str = "", attached: Sequence[ContentBlock] = ()) -> "Answer":
        return cls(shown.model_dump_json(), note, attached)


class Operation(NamedTuple):
    """The operation of the API that a tool is."""

    method: str
    path: str


@dataclass(frozen=True, slots=True)
class Call(Generic[M]):
    """One call of a tool: who calls, and what was `asked`. `sent` is that as it came, for `Idempotency-Key`."""

    services: Services
    caller: Caller
    asked: M
    tool: str
    sent: Mapping[str, Any]

    async def session(self, session_id: str) -> Session:
        """The session of the caller's organisation. Raises `SessionNotFound`."""
        return await self.services.reader.get(self.caller.organisation_id, SessionId(session_id))

    async def once(self, key: str | None, act: Handler) -> str:
        """The answer (JSON) of `act`, done as often as `key` allows."""
        asked = f"TOOL {self.tool}\n".encode() + rfc8785.dumps(dict(self.sent))
        done = await IdempotentRequest(self.services.idempotency_keys, self.caller, key, digest(asked)).do(act)
        return done.body


async def read_strictly(services: Services, caller: Caller, sent: Mapping[str, Any], model: type[M]) -> M:
    """`sent` as `model`. Raises `InvalidRequest` with every mistake at once, those of its documents too."""
    body = to_json(sent)
    try:
        return parse_json(body, model, services)
    except InvalidRequest as refused:
        raise await with_document_issues(services, caller, body, refused) from refused


Reading = Callable[[Services, Caller, Mapping[str, Any], type[M]], Awaitable[M]]


@dataclass(frozen=True, slots=True)
class Tool(Generic[M]):
    """A tool.

    `operation` is what it is in the description of the API, which has its schemas; `own` are members that only the tool
    has, by name, and `decided` the parameters that it decides itself. Any one of `scopes` opens it; the first is named
    to who has none of them. `shown` is what it answers where the operation does not say, or may answer beside that.
    """

    name: str
    title: str
    description: str
    operation: Operation
    scopes: tuple[Scope, ...]
    asked: type[M]
    act: Callable[[Call[M]], Awaitable[Answer]]
    shown: tuple[type[BaseModel], ...] = ()
    read: Reading[M] = read_strictly
    own: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    decided: frozenset[str] = frozenset()
    effect: Effect = Effect.READS
    is_idempotent: bool = True
    reaches_people: bool = False
    counts_as_read: bool = False
