"""Converts pydantic errors into issues of the API: JSON pointers (RFC 6901) and messages."""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from application.errors import MOST_ISSUES, RequestIssue
from application.validation_messages import message_of

Location = tuple[int | str, ...]


def issues_of(errors: Sequence[Mapping[str, Any]], body: object) -> tuple[RequestIssue, ...]:
    """Returns an issue for each pydantic error, at most `MOST_ISSUES` + 1. `body` is the parsed JSON, which shows which
    steps of a location are tags of unions.
    """
    issues = (
        RequestIssue(pointer(_place(error, body)), message_of(error)) for error in errors if not _is_echo(error, body)
    )
    return tuple(islice(issues, MOST_ISSUES + 1))


def pointer(place: Sequence[int | str]) -> str:
    """Returns the JSON pointer of `place`; the empty string points to the whole body."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in place)


def _is_echo(error: Mapping[str, Any], body: object) -> bool:
    """Returns whether `error` is a `too_short` that results only from invalid items: pydantic counts valid items."""
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
    """Returns `place` without the steps that pydantic adds for the selected member of a union.

    Such a step equals the `type` or the `kind` of the object that contains it, and is never the last step.
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
