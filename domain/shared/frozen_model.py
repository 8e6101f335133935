"""The base of values of the domain."""

from pydantic import BaseModel, ConfigDict


class FrozenModel(BaseModel):
    """An immutable value.

    Unknown members are ignored, because a worker of the previous version must read values of the next version. The
    schemas of requests are strict.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")
