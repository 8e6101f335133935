"""Properties of the current request that use cases read."""

from contextvars import ContextVar

_is_head: ContextVar[bool] = ContextVar("is_head", default=False)


def is_head() -> bool:
    """Returns whether the current request is a HEAD request."""
    return _is_head.get()
