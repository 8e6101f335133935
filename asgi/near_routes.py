"""The operation that is probably meant by a request to an address that does not exist, or by its method."""

import re
from itertools import zip_longest

from fastapi import FastAPI
from fastapi.routing import iter_route_contexts

from application.near_names import likeness

_INTERFACES = ("/api/", "/oidc/", "/.well-known/", "/mcp", "/openapi.json", "/docs", "/healthz", "/readyz")
_PREFIX = re.compile(r"^(/+api)?(/+v[0-9]+)?(?=/|$)", re.IGNORECASE)
_LONGEST = 300
"""Characters of a path that is compared. The time grows with its segments and their lengths."""

_LEAST = 0.6
"""Least mean likeness of the fixed segments of paths, from 0 to 1."""


def near_route(app: FastAPI, method: str, path: str) -> str | None:
    """Returns method and path of the operation that is most like the request, such as `GET /api/v1/Sessions`, or None.

    Operations with the method of the request come first. Parameters have the values of the request.
    """
    if len(path) > _LONGEST:
        return None
    asked, method = _segments(path), "GET" if method == "HEAD" else method
    found = []
    for route in iter_route_contexts(app.routes):
        template, methods = route.path or "", route.methods or set()
        is_own = route.path_regex.fullmatch(path) is not None
        if methods and template.startswith(_INTERFACES) and (method in methods or not is_own):
            score = _score(asked, _segments(template))
            wanted = method if method in methods else min(methods)
            found.append((score >= _LEAST, method in methods, score, f"{wanted} {_filled(template, asked)}"))
    is_near, *_, nearest = max(found)
    return nearest if is_near else None


def _segments(path: str) -> list[str]:
    return [segment for segment in _PREFIX.sub("", path, count=1).split("/") if segment]


def _score(asked: list[str], template: list[str]) -> float:
    """Returns the mean likeness of the fixed segments, compared from the end if the counts differ."""
    pairs = [*zip_longest(reversed(asked), reversed(template), fillvalue="")]
    fixed = [(ours, theirs) for ours, theirs in pairs if not theirs.startswith("{")]
    if (
        not fixed
        or abs(len(asked) - len(template)) > 1
        or any(not ours and theirs[:1] == "{" for ours, theirs in pairs)
    ):
        return 0.0
    return sum(likeness(ours, theirs) for ours, theirs in fixed) / len(fixed)


def _filled(path: str, asked: list[str]) -> str:
    """Returns `path` with the segments of the request as its parameters, from the end."""
    template = path.split("/")
    for at, (ours, theirs) in enumerate(zip(reversed(asked), reversed(template), strict=False), start=1):
        if theirs.startswith("{"):
            template[-at] = ours
    return "/".join(template)
