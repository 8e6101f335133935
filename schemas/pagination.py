"""Stretches of lists (Specification 10.4)."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from schemas.base import WHOLE, ResponseModel

MAX_OFFSET = 1_000_000_000


class PageQuery(BaseModel):
    """Which stretch of a list is asked for. Unknown parameters are refused, as unknown members are."""

    model_config = ConfigDict(frozen=True, extra="forbid", alias_generator=to_camel)

    limit: Annotated[int, Field(ge=1, le=100), WHOLE] = 50
    offset: Annotated[int, Field(ge=0, le=MAX_OFFSET), WHOLE] = 0


class Pagination(ResponseModel):
    total: int
    limit: int
    offset: int
    has_more: bool
