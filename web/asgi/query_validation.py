"""Rejects unknown query parameters and unexpected bodies.

A route of v1 is checked after authentication and after its path is resolved, before it does anything: a misspelt
`permanent=true` must not archive.
"""

from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from functools import wraps
from inspect import Parameter, signature
from itertools import islice
from typing import Annotated, Any, get_origin

from fastapi import Depends, Request
from fastapi.dependencies.utils import get_flat_params
from fastapi.params import ParamTypes
from fastapi.routing import APIRoute
from pydantic.alias_generators import to_camel

from application.errors import MAX_ISSUES, InvalidRequest, RequestIssue
from application.near_names import meant
from application.schemas.base import KEYED
from application.validation_issues import pointer
from web.asgi.json_body import announced_length
from web.asgi.route_signature import described, with_dependency

NO_BODY = "This operation takes no body; send none. Its parameters are in the address."

Endpoint = Callable[..., Awaitable[Any]]


class BodilessRoute(APIRoute):
    """A route that rejects a body, unless its signature or its `openapi_extra` has one.

    The endpoint's name is the operation id.
    """

    def __init__(self, path: str, endpoint: Endpoint, **others: Any) -> None:  # noqa: ANN401  # FastAPI's own
        settings = described(signature(endpoint))
        extra = {**settings.pop("openapi_extra", {}), **(others.pop("openapi_extra", None) or {})}
        others |= {"operation_id": to_camel(endpoint.__name__), "openapi_extra": extra or None, **settings}
        super().__init__(path, _strictly(endpoint, self.issues_of), **others)

    async def issues_of(self, request: Request) -> list[RequestIssue]:
        """Returns the issues of `request` that the endpoint itself does not check."""
        takes_body = "requestBody" in (self.openapi_extra or {})
        return [] if takes_body or not await _has_body(request) else [RequestIssue("", NO_BODY)]


class StrictRoute(BodilessRoute):
    """A route that rejects unknown query parameters, and a body as `BodilessRoute` does."""

    async def issues_of(self, request: Request) -> list[RequestIssue]:
        return [*query_issues(request), *await super().issues_of(request)]


async def _itself(request: Request) -> Request:
    """Returns the request. FastAPI injects a request into one parameter only, which may be the endpoint's own."""
    return request


def _strictly(endpoint: Endpoint, issues_of: Callable[[Request], Awaitable[list[RequestIssue]]]) -> Endpoint:
    @wraps(endpoint)
    async def checked(request_to_check: Request, **arguments: object) -> object:
        issues = await issues_of(request_to_check)
        if issues:
            raise InvalidRequest(issues)
        return await endpoint(**arguments)

    own = signature(endpoint)
    parameters = map(with_dependency, own.parameters.values())
    extra = Parameter("request_to_check", Parameter.KEYWORD_ONLY, annotation=Annotated[Request, Depends(_itself)])
    checked.__signature__ = own.replace(parameters=[*parameters, extra])  # type: ignore[attr-defined]  # FastAPI looks here
    return checked


async def _has_body(request: Request) -> bool:
    """Returns whether the body has a byte. A body with a `Content-Length` is not read."""
    if announced_length(request.headers):
        return True
    async for part in request.stream():
        if part:
            return True
    return False


def query_issues(request: Request) -> list[RequestIssue]:
    """Returns an issue for each unknown and each repeated query parameter."""
    given = [name for name, _ in request.query_params.multi_items()]
    return list(islice(_issues(Counter(given), *_known(request)), MAX_ISSUES + 1)) if given else []


def _issues(given: Counter[str], known: list[str], repeatable: set[str]) -> Iterator[RequestIssue]:
    for name, times in given.items():
        if _declared(name) not in known:
            yield RequestIssue(pointer((name,)), f"Unknown query parameter; {meant(name, known)}")
        elif times > 1 and name not in repeatable:
            yield RequestIssue(pointer((name,)), "This query parameter occurs more than once. Give it once.")


def _declared(name: str) -> str:
    """Returns the declared name of a parameter: `metadata` for each of its keys, `metadata[customer]`."""
    match = KEYED.fullmatch(name)
    return match[1] if match and match[1] == "metadata" else name


def _known(request: Request) -> tuple[list[str], set[str]]:
    """Returns the names of the query parameters of the matched route, and of those that take several values."""
    route: APIRoute = request.scope["route"]
    # Members of a query model have no `in_`.
    fields = [
        field
        for field in get_flat_params(route.dependant)
        if getattr(field.field_info, "in_", ParamTypes.query) is ParamTypes.query
    ]
    repeatable = {field.alias for field in fields if get_origin(field.field_info.annotation) is tuple}
    return [field.alias for field in fields], repeatable
