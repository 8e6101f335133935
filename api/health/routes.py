"""Whether the service lives, and whether it can work (Specification 4.22)."""

from typing import Annotated, Literal

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from api.health.metrics import comes_through_proxy
from asgi.dependencies import InjectedServices
from asgi.query_validation import BodilessRoute
from domain.shared.config_error import VERSION
from schemas.errors import ErrorRead

router = APIRouter(route_class=BodilessRoute, tags=["Operation"])


class Alive(BaseModel):
    status: Literal["alive"] = "alive"
    version: Annotated[str, Field(description="the version of the service")]


class DependencyRead(BaseModel):
    """Something that the service depends on."""

    name: Annotated[
        str,
        Field(
            description="`database`, `storage`, `temporal`, `keys`, `workers/` and a task queue, `mail`, or "
            "`timestamps` where there is an authority",
            examples=["database", "workers/sessions"],
        ),
    ]
    ready: bool
    needed: Annotated[
        bool,
        Field(description="without it the service is not ready; what the others hold up is done when they are back"),
    ]
    advice: Annotated[str | None, Field(description="what to do when it is not ready; null when it is")]


class Ready(BaseModel):
    status: Literal["ready"] = "ready"
    dependencies: list[DependencyRead]


class NotReady(ErrorRead):
    """An error like any other, with what is missing."""

    message: str = "Something that the service needs does not answer; `dependencies` says what, and what to do."
    error: str = "UNAVAILABLE"
    dependencies: Annotated[list[DependencyRead], Field(description="one row per dependency")]


@router.get("/healthz")
async def get_health() -> Alive:
    """Returns 200 once the process has started, which takes the database, and while it lives: for probes, balancers."""
    return Alive(version=VERSION)


@router.get(
    "/readyz",
    responses={
        404: {"model": ErrorRead, "description": "`NOT_FOUND`: the request came through a proxy"},
        503: {"model": NotReady, "description": "`UNAVAILABLE`"},
    },
)
async def get_readiness(request: Request, services: InjectedServices, response: Response) -> Ready | NotReady:
    """Returns whether each dependency of the service answers, one row each. Answers count for some seconds.

    For people and alerts, not for balancers: all processes share their engines, and answer 503 together. Ask an API
    directly: through a proxy there is nothing at this address.
    """
    if comes_through_proxy(request):
        raise HTTPException(404)
    standings = await services.readiness.rows()
    rows = [DependencyRead(name=s.name, ready=s.is_ready, needed=s.needed, advice=s.advice) for s in standings]
    if all(standing.is_ready for standing in standings if standing.needed):
        return Ready(dependencies=rows)
    response.status_code = 503
    return NotReady(dependencies=rows)
