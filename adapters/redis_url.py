"""Parses `UNDERSIGN_RATE_LIMIT_STORAGE`, the address of a Redis."""

from urllib.parse import urlsplit

_FORM = "it must be redis://host:6379/0, rediss://host:6379/0 (TLS) or redis+unix:///path/of/the/socket"


def check_redis(address: str) -> str:
    """Returns the address if it is valid. Does not connect. Raises `ValueError`."""
    scheme, _, rest = address.partition("://")
    if scheme not in {"redis", "rediss", "redis+unix"} or not rest.strip("/"):
        raise ValueError(_FORM)
    try:
        from redis.asyncio import BlockingConnectionPool  # noqa: PLC0415  # most installations have none
    except ModuleNotFoundError:
        raise ValueError("this takes a package that is not installed; install undersign[redis]") from None
    try:
        BlockingConnectionPool.from_url(library_form(address)).make_connection()  # type: ignore[no-untyped-call]
    except (ValueError, TypeError, AttributeError):
        raise ValueError(_FORM) from None
    return address


def find_plain_redis(address: str) -> set[str]:
    """Returns the host of the Redis if it is reached without TLS; none for TLS, a socket, or no address."""
    parts = urlsplit(address)
    return {parts.hostname or "localhost"} if parts.scheme == "redis" else set()


def library_form(address: str) -> str:
    """Returns the address in the form that the redis package parses."""
    return address.replace("redis+unix://", "unix://", 1)
