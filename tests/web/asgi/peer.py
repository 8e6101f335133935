"""Requests from an address."""

from starlette.requests import Request


def request_from(host: str | None) -> Request:
    return Request({"type": "http", "headers": [], "client": (host, 40000) if host is not None else None})
