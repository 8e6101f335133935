"""Whether the service lives, and whether it can work (Specification 4.22)."""

from fastapi import APIRouter, Request, Response
from starlette.exceptions import HTTPException

from api.health.metrics import comes_through_proxy
from asgi.dependencies import InjectedServices
from asgi.query_validation import BodilessRoute
from domain.shared.version import VERSION
from schemas.errors import ErrorRead
from schemas.health import Alive, DependencyRead, NotReady, Ready

router = APIRouter(route_class=BodilessRoute, tags=["Operation"])


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
