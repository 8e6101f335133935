"""The definition of a tool, its calls and its results."""

import json
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from inspect import cleandoc
from typing import Any, Generic, NamedTuple, TypeVar, get_args, get_type_hints

import rfc8785
from mcp.types import ContentBlock
from pydantic import BaseModel
from pydantic_core import to_json

from application.caller import Caller
from application.documents.collect_issues import with_document_issues
from application.errors import InvalidRequest
from application.idempotency import Handler, IdempotentRequest
from application.off_loop import off_loop
from application.parse_json import parse_json
from application.schemas.base import RequestModel
from application.scopes import Scope
from application.services import Services
from domain.session.session import Session
from domain.shared.ids import SessionId
from domain.shared.object_names import digest
from web.asgi.idempotency_key_header import IdempotencyKey

M = TypeVar("M", bound=BaseModel)


class IdempotentCall(RequestModel):
    """Base of the arguments of tools that take an idempotency key."""

    idempotency_key: IdempotencyKey | None = None


SENDER_IS_USER: Mapping[str, None] = {"sender": None}
"""Tools list no sender: it is the user who connected the assistant."""


def quoted(text: str) -> str:
    """Returns a text of others as a JSON string, so that it does not read as a sentence of the service."""
    return json.dumps(text, ensure_ascii=False)


class Answer(NamedTuple):
    """The result of a tool: `body` is the response of the API (JSON), `note` a text for the reader.

    Texts of others in the note are `quoted`.
    """

    body: str
    note: str = ""
    content: Sequence[ContentBlock] = ()

    @classmethod
    def of(cls, model: BaseModel, note: str = "", content: Sequence[ContentBlock] = ()) -> "Answer":
        return cls(model.model_dump_json(), note, content)


@dataclass(frozen=True, slots=True)
class Call(Generic[M]):
    """A call of `tool` with `arguments`, which were sent as `raw`."""

    services: Services
    caller: Caller
    arguments: M
    tool: str
    raw: Mapping[str, Any]

    async def session(self, session_id: str) -> Session:
        """Returns the session of the caller's organisation. Raises `SessionNotFound`."""
        return await self.services.reader.get(self.caller.organisation_id, SessionId(session_id))

    async def once(self, act: Handler[BaseModel]) -> str:
        """Returns the response (JSON) of `act`, which takes effect once for the idempotency key of the call."""
        key: str | None = getattr(self.arguments, "idempotency_key", None)
        raw = await off_loop(len(to_json(self.raw)), lambda: rfc8785.dumps(dict(self.raw)))
        content = f"TOOL {self.tool}\n".encode() + raw
        result = await IdempotentRequest(self.services.idempotency_keys, self.caller, key, digest(content)).do(act)
        return result.body


async def read_strictly(services: Services, caller: Caller, raw: Mapping[str, Any], model: type[M]) -> M:
    """Returns `raw` as `model`. Raises `InvalidRequest` with all issues, including those of documents."""
    body = to_json(raw)
    try:
        return await parse_json(body, model, services)
    except InvalidRequest as refused:
        raise await with_document_issues(services, caller, body, refused) from refused


Reader = Callable[[Services, Caller, Mapping[str, Any], type[M]], Awaitable[M]]


@dataclass(frozen=True, slots=True)
class Tool(Generic[M]):
    """A tool that does the same as an `operation` of the API, such as `POST /api/v1/Session`.

    It has the input of the operation. `own` holds members of the input that only the tool has; None removes a member
    of the operation. The caller needs one of `scopes`; an error names the first one.
    """

    name: str
    title: str
    description: str
    operation: str
    scopes: tuple[Scope, ...]
    model: type[M]
    act: Callable[[Call[M]], Awaitable[Answer]]
    read: Reader[M] = read_strictly
    own: Mapping[str, Mapping[str, Any] | None] = field(default_factory=dict)
    is_idempotent: bool = True
    stores_nothing: bool = False
    emails_people: bool = False

    @property
    def counts_as_read(self) -> bool:
        return self.operation.startswith("GET ")

    @property
    def is_read_only(self) -> bool:
        return self.counts_as_read or self.stores_nothing

    @property
    def is_destructive(self) -> bool:
        return self.operation.startswith("DELETE ")


def tool(
    title: str,
    operation: str,
    *scopes: Scope,
    appendix: str = "",
    **options: Any,  # noqa: ANN401  # fields of `Tool`
) -> Callable[..., Tool[Any]]:
    """Returns a decorator that makes a tool of a function.

    The tool has the name of the function, and its docstring and `appendix` as description. Its input is the type
    argument of the parameter `call`.
    """

    def decorate(act: Callable[[Call[Any]], Awaitable[Answer]]) -> Tool[Any]:
        (model,) = get_args(get_type_hints(act)["call"])
        description = re.sub(r"(?<!\n)\n(?!\n|- )", " ", cleandoc(act.__doc__ or "")) + appendix
        return Tool(act.__name__, title, description, operation, scopes, model, act, **options)

    return decorate
