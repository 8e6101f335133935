"""Whether the service lives, and whether it can work (contract 3)."""

import asyncio
from collections.abc import Awaitable
from typing import Annotated, Literal
from uuid import UUID

from fastapi import APIRouter, Response
from pydantic import BaseModel, Field

from adapters.database.port import DatabaseUnavailable
from adapters.object_store.port import ObjectStoreError
from api.dependencies import InjectedServices
from api.error_bodies import ErrorRead
from api.services import Services
from domain.errors import SessionNotFound, Unavailable
from domain.ids import OrganisationId, SessionId

router = APIRouter(tags=["Operation"])

PROBE_SECONDS = 2
"""How long an engine may take to answer before it counts as not ready."""

_NOTHING = str(UUID(int=0))
"""An identifier under which there is never anything: looking it up proves that an engine answers."""


class Alive(BaseModel):
    status: Literal["alive"] = "alive"


class DependencyRead(BaseModel):
    """One engine that the service needs."""

    name: Literal["database", "temporal", "storage"]
    ready: bool


class Ready(BaseModel):
    status: Literal["ready"] = "ready"
    dependencies: list[DependencyRead]


class NotReady(ErrorRead):
    """An error like any other, with what is missing."""

    message: str = "An engine of the service does not answer; `dependencies` says which."
    error: str = "UNAVAILABLE"
    dependencies: Annotated[list[DependencyRead], Field(description="one row per engine")]


@router.get("/healthz")
async def read_health() -> Alive:
    """Answers as long as the process lives."""
    return Alive()


@router.get("/readyz", responses={503: {"model": NotReady, "description": "`UNAVAILABLE`"}})
async def read_readiness(services: InjectedServices, response: Response) -> Ready | NotReady:
    """Whether the engines answer, one row each."""
    database, temporal, storage = await asyncio.gather(
        _answers(services.rows.find(OrganisationId(_NOTHING), SessionId(_NOTHING))),
        _answers(_ask_temporal(services)),
        _answers(services.objects.find(f"readiness/{_NOTHING}")),
    )
    rows = [
        DependencyRead(name="database", ready=database),
        DependencyRead(name="temporal", ready=temporal),
        DependencyRead(name="storage", ready=storage),
    ]
    if database and temporal and storage:
        return Ready(dependencies=rows)
    response.status_code = 503
    return NotReady(dependencies=rows)


async def _ask_temporal(services: Services) -> None:
    """Returns when Temporal says that there is no such session, which only a Temporal that is up can say."""
    try:
        await services.sessions.snapshot(SessionId(_NOTHING))
    except SessionNotFound:
        return


async def _answers(probe: Awaitable[object]) -> bool:
    try:
        async with asyncio.timeout(PROBE_SECONDS):
            await probe
    except (Unavailable, DatabaseUnavailable, ObjectStoreError, TimeoutError):
        return False
    return True
