"""What a tool is, and what it is called with."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Generic, NamedTuple, TypeVar

import rfc8785
from mcp_types import ContentBlock
from pydantic import BaseModel

from api.dependencies import Caller
from api.idempotency import Act, Once
from api.reading import SessionReader
from api.scopes import Scope
from api.services import Services
from domain.ids import SessionId
from domain.objects import digest
from domain.session import Session

M = TypeVar("M", bound=BaseModel)


class Effect(Enum):
    """What a tool does to what an organisation has: nothing, add to it, change it, or take something away."""

    READS = "reads"
    ADDS = "adds"
    CHANGES = "changes"
    DESTROYS = "destroys"


class Answer(NamedTuple):
    """What a tool answers: `body` is the API's answer (JSON), `note` one for the reader, `attached` goes with it."""

    body: str
    note: str = ""
    attached: Sequence[ContentBlock] = ()

    @classmethod
    def of(cls, shown: BaseModel, note: str = "", attached: Sequence[ContentBlock] = ()) -> "Answer":
        return cls(shown.model_dump_json(), note, attached)


@dataclass(frozen=True, slots=True)
class Call(Generic[M]):
    """One call of a tool: who calls, and what was `asked`. `sent` is that as it came, for `Idempotency-Key`."""

    services: Services
    caller: Caller
    asked: M
    tool: str
    sent: dict[str, Any]

    @property
    def reader(self) -> SessionReader:
        return SessionReader(self.services.sessions, self.services.rows)

    async def session(self, session_id: str) -> Session:
        """The session of the caller's organisation. Raises `SessionNotFound`."""
        return await self.reader.get(self.caller.organisation_id, SessionId(session_id))

    async def once(self, key: str | None, act: Act) -> str:
        """The answer (JSON) of `act`, done as often as `key` allows."""
        asked = digest(f"TOOL {self.tool}\n".encode() + rfc8785.dumps(self.sent))
        done = await Once(self.services.idempotency_keys, self.caller, key, asked).do(act)
        return done.body


@dataclass(frozen=True, slots=True)
class Tool(Generic[M]):
    """A tool. Any one of `scopes` opens it; the first is the one that is named to who has none of them."""

    name: str
    title: str
    description: str
    scopes: tuple[Scope, ...]
    asked: type[M]
    shown: tuple[type[BaseModel], ...]
    act: Callable[[Call[M]], Awaitable[Answer]]
    effect: Effect = Effect.READS
    is_idempotent: bool = True
    reaches_people: bool = False
    input_schema: dict[str, Any] | None = field(default=None, compare=False)
