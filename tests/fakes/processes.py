"""A pool without processes."""

from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class InlinePool:
    async def run(self, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        return work(*args, **kwargs)
