"""The base of every value in the domain."""

from pydantic import BaseModel, ConfigDict


class FrozenModel(BaseModel):
    """An immutable value.

    Members that are not known are passed over, not refused: a worker of the previous version must be able to read
    what one of the next version wrote. Requests from outside are strict; their schemas are in `api/`.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")
