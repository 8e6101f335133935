"""Pydantic's errors as issues of the API: JSON pointers (RFC 6901) and messages."""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from application.errors import MOST_ISSUES, RequestIssue
from application.validation_messages import message_of

Location = tuple[int | str, ...]


def issues_of(errors: Sequence[Mapping[str, Any]], body: object) -> tuple[RequestIssue, ...]:
    """An issue for each of pydantic's `errors`, as far as they are told. `body` is the parsed JSON, by which tags of
    unions are recognised.
    """
    issues = (
        RequestIssue(pointer(_place(error, body)), message_of(error)) for error in errors if not _is_echo(error, body)
    )
    return tuple(islice(issues, MOST_ISSUES + 1))


def pointer(place: Sequence[int | str]) -> str:
    """The JSON pointer of `place`; the empty string is the whole body."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in place)


def _is_echo(error: Mapping[str, Any], body: object) -> bool:
    """Whether this only repeats that items are wrong: pydantic calls an array too short for its valid items."""
    if error["type"] != "too_short":
        return False
    here = body
    for step in _without_tags(error["loc"], body):
        here = _descend(here, step)
    return isinstance(here, list) and len(here) >= error["ctx"]["min_length"]


def _place(error: Mapping[str, Any], body: object) -> Location:
    kind, context = error["type"], error.get("ctx", {})
    if kind == "json_invalid":
        return ()
    place = _without_tags((*error["loc"], *context.get("at", ())), body)
    if kind in {"union_tag_not_found", "union_tag_invalid"}:
        return (*place, context["discriminator"].strip("'"))
    return place


def _without_tags(place: Location, body: object) -> Location:
    """`place` without the steps that pydantic adds to say which member of a union it tried.

    Such a step repeats the `type` or the `kind` of the object that it stands in, and is never the last one.
    """
    kept: list[int | str] = []
    here, entered = body, True
    for number, step in enumerate(place):
        last = number == len(place) - 1
        if entered and not last and isinstance(here, dict) and step in (here.get("type"), here.get("kind")):
            entered = False
            continue
        kept.append(step)
        here, entered = _descend(here, step), True
    return tuple(kept)


def _descend(here: object, step: int | str) -> object:
    if isinstance(here, dict):
        return here.get(step)
    if isinstance(here, list) and isinstance(step, int) and step < len(here):
        return here[step]
    return None
