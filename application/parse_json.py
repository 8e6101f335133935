"""Parses JSON bodies within limits of size and depth, and collects all issues."""

import re
from itertools import accumulate
from typing import TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import from_json

from application.errors import MOST_ISSUES, InvalidRequest, RequestIssue
from application.services import Services
from application.validation_issues import issues_of
from schemas.base import PRIVATE_CALLBACKS

MAX_VALUES = 50_000
"""Maximum members and items of a body, including nested ones. Ten documents of five hundred blocks have about
40,000."""

MAX_DEPTH = 32
"""Maximum nesting depth of arrays and objects. The deepest valid request has 9."""

_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
"""Matches a string, including an unterminated one. The expression does not backtrack, so its time is linear."""

MAX_DIGITS = 400
"""Maximum digits of an integer. The time to parse an integer is quadratic in its digits."""

_LONG_NUMBER = re.compile(rb"(?<![0-9])[0-9]{%d}" % (MAX_DIGITS + 1))

_OPENING = frozenset(b"[{")
_OTHERS = bytes(set(range(256)) - frozenset(b"[]{}"))


def exceeded_limit(body: bytes) -> str | None:
    """Returns a message about the limit that `body` exceeds; None if it exceeds none. `body` may be invalid JSON."""
    # A value has at most two strings: its name and its content. The search stops after the maximum number of strings.
    bare, strings = _STRING.subn(b"", body, 2 * MAX_VALUES + 2)
    brackets = bare.translate(None, _OTHERS)
    if strings > 2 * MAX_VALUES + 1 or bare.count(b",") + len(brackets) // 2 > MAX_VALUES:
        return f"The body holds more than {MAX_VALUES:,} values. Send less at once."
    if max(accumulate(1 if bracket in _OPENING else -1 for bracket in brackets), default=0) > MAX_DEPTH:
        return f"The body nests arrays and objects more than {MAX_DEPTH} deep."
    if _LONG_NUMBER.search(bare):
        return f"The body holds a number of more than {MAX_DIGITS} digits."
    return None


M = TypeVar("M", bound=BaseModel)


def parse_json(body: bytes, model: type[M], services: Services, most: int = MOST_ISSUES) -> M:
    """Returns the JSON `body` as `model`. Raises `InvalidRequest` with all issues, at most `most`."""
    exceeded = exceeded_limit(body)
    if exceeded is not None:
        raise InvalidRequest([RequestIssue("", exceeded)])
    context = {PRIVATE_CALLBACKS: services.private_callbacks}
    try:
        return model.model_validate_json(body, strict=True, by_alias=True, by_name=False, context=context)
    except ValidationError as error:
        errors = error.errors(include_url=False, include_input=False)
        parsed = None if errors[0]["type"] == "json_invalid" else from_json(body)
        raise InvalidRequest(issues_of(errors, parsed, most), most) from error
