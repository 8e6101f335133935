"""Facts about the current request for use cases."""

from contextvars import ContextVar

_is_head: ContextVar[bool] = ContextVar("is_head", default=False)


def is_head() -> bool:
    """Whether the current request is a HEAD request."""
    return _is_head.get()
