"""The signature of a route says what it reads and returns: the description and the dependencies follow from it."""

from inspect import signature
from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response
from pydantic import BaseModel

from web.asgi.query_validation import BodilessRoute
from web.asgi.route_signature import JsonBody, ModelResponse, OptionalJsonBody, described


class Order(BaseModel):
    number: int = 0


async def read_order(_request: Request) -> Order:
    return Order(number=7)


async def create_order(_body: JsonBody[Order]) -> ModelResponse[Order]:
    return ModelResponse()


async def update_order(_body: OptionalJsonBody[Order]) -> Order:
    return Order()


async def read_in_another_way(_body: Annotated[JsonBody[Order], Depends(read_order)]) -> Response:
    return Response()


async def get_order(_number: Annotated[int, Depends(read_order)]) -> Order:
    return Order()


def test_a_body_is_described() -> None:
    assert described(signature(create_order)) == {
        "openapi_extra": {"requestBody": {"required": True, "content": _content()}},
        "response_model": Order,
    }
    assert described(signature(update_order))["openapi_extra"]["requestBody"]["required"] is False
    assert described(signature(read_in_another_way))["openapi_extra"]["requestBody"]["content"] == _content()


def _content() -> dict[str, object]:
    return {"application/json": {"schema": {"$ref": "#/components/schemas/Order"}}}


def test_other_parameters_say_nothing() -> None:
    assert described(signature(get_order)) == {}


def test_a_route_depends_on_what_reads_its_body() -> None:
    router = APIRouter(route_class=BodilessRoute)
    for endpoint in (create_order, update_order, read_in_another_way):
        router.post(f"/{endpoint.__name__}")(endpoint)
    readers = [route.dependant.dependencies[0].call for route in router.routes if isinstance(route, BodilessRoute)]

    assert readers[2] is read_order
    assert len(set(readers)) == 3
