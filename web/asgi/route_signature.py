"""What the signature of a route says: its JSON body, and the model of its response.

FastAPI parses its own body parameters before the caller is authenticated: a caller without a token would get 400
instead of 401. A `JsonBody` is a dependency, which FastAPI resolves after the parameters before it.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cache
from inspect import Parameter, Signature
from typing import Annotated, Any, Generic, get_args, get_origin

from fastapi import Depends, Request, Response
from fastapi import params as fastapi_params

from application.parse_json import M
from web.asgi.json_body import json_body, read_json, read_optional_json


@dataclass(frozen=True, slots=True)
class _Body:
    is_required: bool = True


JsonBody = Annotated[M, _Body()]
"""A parameter that is the body. It follows the parameters that authorise the caller.

With a `Depends` beside it, that dependency returns the body, instead of `read_json`.
"""

OptionalJsonBody = Annotated[M, _Body(is_required=False)]
"""A parameter that is the body, or the defaults of its model without a body."""


class ModelResponse(Response, Generic[M]):
    """A response whose body is the JSON of an `M`."""


def with_dependency(parameter: Parameter) -> Parameter:
    """Returns the parameter with the dependency that reads it, if it is a body without a dependency of its own."""
    body, others = _body_of(parameter)
    if body is None or any(isinstance(one, fastapi_params.Depends) for one in others):
        return parameter
    reader = _reader_of(get_args(parameter.annotation)[0], is_required=body.is_required)
    return parameter.replace(annotation=Annotated[parameter.annotation, Depends(reader)])


def described(signature: Signature) -> dict[str, Any]:
    """Returns the settings of a FastAPI route that follow from its signature."""
    settings = dict[str, Any]()
    for parameter in signature.parameters.values():
        body, _ = _body_of(parameter)
        if body is not None:
            settings["openapi_extra"] = json_body(get_args(parameter.annotation)[0], required=body.is_required)
    if get_origin(signature.return_annotation) is ModelResponse:
        (settings["response_model"],) = get_args(signature.return_annotation)
    return settings


def _body_of(parameter: Parameter) -> tuple[_Body | None, tuple[object, ...]]:
    if get_origin(parameter.annotation) is not Annotated:
        return None, ()
    _, *others = get_args(parameter.annotation)
    return next((one for one in others if isinstance(one, _Body)), None), tuple(others)


@cache
def _reader_of(model: type[M], *, is_required: bool) -> Callable[[Request], Awaitable[M]]:
    async def read(request: Request) -> M:
        return await (read_json if is_required else read_optional_json)(request, model)

    return read
