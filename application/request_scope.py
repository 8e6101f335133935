"""What a use case may ask about the request that it serves."""

from contextvars import ContextVar

_is_head: ContextVar[bool] = ContextVar("is_head", default=False)


def is_head() -> bool:
    """Whether the request that is answered asks for no more than header fields."""
    return _is_head.get()
