"""Responses of the health endpoints (Specification 4.22)."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.config import JsonDict

from schemas.errors import ErrorRead


class Alive(BaseModel):
    """The process is running."""

    status: Literal["alive"] = Field("alive", description="Always `alive`.")
    version: str = Field(description="Version of the service.")


class DependencyRead(BaseModel):
    """A dependency of the service."""

    name: str = Field(
        description="`database`, `storage`, `temporal`, `keys`, `workers/` and a task queue, `mail`, or `timestamps` "
        "with a timestamp authority.",
        examples=["database", "workers/sessions"],
    )
    ready: bool = Field(description="Whether the dependency responds.")
    needed: bool = Field(description="Whether the service is unavailable without it. Other work is done later.")
    advice: str | None = Field(description="What to do if the dependency is not ready; null if it is.")


class Ready(BaseModel):
    """All dependencies that the service needs respond."""

    status: Literal["ready"] = Field("ready", description="Always `ready`.")
    dependencies: list[DependencyRead] = Field(description="All dependencies.")


_MESSAGE = "Something that the service needs does not answer; `dependencies` says what, and what to do."
_MAIL: JsonDict = {"name": "mail", "ready": False, "needed": False, "advice": "Look at the mail server's address."}


class NotReady(ErrorRead):
    """The error if a needed dependency does not respond, with all dependencies."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"message": _MESSAGE, "error": "UNAVAILABLE", "dependencies": [_MAIL]}]}
    )

    message: str = Field(_MESSAGE, description="What is wrong and what to do next.")
    error: str = Field("UNAVAILABLE", description="Error code.")
    dependencies: list[DependencyRead] = Field(description="All dependencies.")
