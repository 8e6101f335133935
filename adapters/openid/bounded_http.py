"""Requests to an issuer, bounded in size and time: its responses may be slow or endless."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

import httpx

from domain.shared.error_redaction import connection_problem

TOTAL_SECONDS = 10.0
"""Timeout in seconds of all requests of one task together."""

_TIMEOUT = httpx.Timeout(5.0)
_MAX = 500_000  # bytes of a response


class InvalidResponse(Exception):
    """The issuer does not respond, or its response is invalid. The message names no value of the response."""


class JsonResponse(NamedTuple):
    """A response whose body is a JSON object."""

    status: int
    content: Mapping[str, Any]


async def request_json(http: httpx.AsyncClient, request: httpx.Request) -> JsonResponse:
    """Returns the response of an issuer; follows no redirect. Raises `InvalidResponse`."""
    address, body = str(request.url.copy_with(query=None)), b""
    request.extensions["timeout"] = _TIMEOUT.as_dict()
    try:
        response = await http.send(request, stream=True, follow_redirects=False)
        try:
            async for part in response.aiter_bytes():
                body += part
                if len(body) > _MAX:
                    raise InvalidResponse(f"{address} answers without end")
        finally:
            await response.aclose()
    except httpx.HTTPError as error:
        raise InvalidResponse(f"{address} does not answer ({connection_problem(error)})") from error
    try:
        content = json.loads(body)
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict):
        raise InvalidResponse(f"{address} answers {response.status_code}, and not with a JSON object")
    return JsonResponse(response.status_code, content)
