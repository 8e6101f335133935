"""Responses of the health endpoints (Specification 4.22)."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from schemas.errors import ErrorRead


class Alive(BaseModel):
    status: Literal["alive"] = "alive"
    version: Annotated[str, Field(description="the version of the service")]


class DependencyRead(BaseModel):
    """A dependency of the service."""

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
    """An error with the dependencies that are not ready."""

    message: str = "Something that the service needs does not answer; `dependencies` says what, and what to do."
    error: str = "UNAVAILABLE"
    dependencies: Annotated[list[DependencyRead], Field(description="one row per dependency")]
