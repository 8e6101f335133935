"""The operation that is probably meant by a request to an address that does not exist, or by its method."""

import re
from difflib import SequenceMatcher
from itertools import zip_longest

from fastapi import FastAPI
from fastapi.routing import iter_route_contexts

from application.near_names import likeness

_INTERFACES = ("/api/", "/oidc/", "/.well-known/", "/mcp", "/openapi.json", "/healthz", "/readyz")
_PREFIX = re.compile(r"^(/+api)?(/+v[0-9]+)?(?=/|$)", re.IGNORECASE)
_MAX_LENGTH = 300
"""Characters of a path that is compared. The time grows with its segments and their lengths."""

_MIN, _MIN_OF_LAST, _MIN_JOINED = 0.5, 0.75, 0.9
"""Least likeness from 0 to 1: the mean of the fixed segments of paths, their last ones, and all of them joined."""

_METHODS = {
    **dict.fromkeys(("delete", "remove", "archive", "void", "withdraw", "cancel"), "DELETE"),
    **dict.fromkeys(("update", "edit", "patch", "correct"), "PATCH"),
    **dict.fromkeys(("status", "state", "get", "details", "recipients", "info"), "GET"),
}
"""Methods of the resource itself, by what other services have as a path below it."""


def near_route(app: FastAPI, method: str, path: str) -> str | None:
    """Returns method and path of the operation that is most like the request, such as `GET /api/v1/Sessions`, or None.

    Operations with the method of the request come first. Parameters have the values of the request.
    """
    if len(path) > _MAX_LENGTH:
        return None
    asked, method = _segments(path), "GET" if method == "HEAD" else method
    near = _nearest(app, method, path, asked)
    if near is None and asked and (other := _METHODS.get(asked[-1].lower())):
        near = _nearest(app, other, path, asked[:-1])
        return near if near and near.startswith(f"{other} ") else None
    return near


def _nearest(app: FastAPI, method: str, path: str, asked: list[str]) -> str | None:
    found, routes = [(False, False, 0.0, "")], [*iter_route_contexts(app.routes)]
    exists = any(route.path_regex.fullmatch(path) for route in routes)
    for route in routes:
        template, methods = route.path or "", route.methods or set()
        if methods and (template.startswith(_INTERFACES) or template == "/docs") and (method in methods or not exists):
            score = _score(asked, _segments(template))
            wanted = method if method in methods else min(methods)
            found.append((score >= _MIN, method in methods, score, f"{wanted} {_filled(template, asked)}"))
    is_near, *_, nearest = max(found)
    return nearest if is_near else None


def _segments(path: str) -> list[str]:
    """Returns the segments without the prefix. One within is empty if its value was."""
    return re.sub("^/+|/+$", "", _PREFIX.sub("", path, count=1)).split("/")


def _score(asked: list[str], template: list[str]) -> float:
    """Returns the mean likeness of the fixed segments, compared from the end if the counts differ.

    It is 0 if the last fixed ones differ, or if a name of the template stands where the request has an identifier.
    """
    pairs = [*zip_longest(reversed(asked), reversed(template), fillvalue=None)]
    fixed = [likeness(ours or "", theirs or "") for ours, theirs in pairs if not (theirs or "").startswith("{")]
    joined = SequenceMatcher(None, "".join(asked).lower(), "".join(template).lower(), autojunk=False).ratio()
    joined = joined if len(fixed) == len(pairs) and joined >= _MIN_JOINED else 0.0
    lacks_value = any(ours is None and (theirs or "").startswith("{") for ours, theirs in pairs)
    if not fixed or abs(len(asked) - len(template)) > 1 or lacks_value:
        return joined
    return joined if fixed[0] < _MIN_OF_LAST else max(joined, sum(fixed) / len(fixed))


def _filled(path: str, asked: list[str]) -> str:
    """Returns `path` with the segments of the request as its parameters, from the end."""
    template = path.split("/")
    for at, (ours, theirs) in enumerate(zip(reversed(asked), reversed(template), strict=False), start=1):
        if theirs.startswith("{") and ours:
            template[-at] = ours
    return "/".join(template)
