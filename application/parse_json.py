"""Parses JSON bodies within limits of size and depth, and collects all issues."""

import json
import re
from codecs import BOM_UTF8
from itertools import accumulate
from typing import TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import from_json

from application.errors import MAX_ISSUES, InvalidRequest, RequestIssue
from application.json_faults import JsonFault, explain_invalid_json
from application.off_loop import off_loop
from application.schemas.base import PRIVATE_CALLBACKS
from application.services import Services
from application.validation_issues import errors_of, issues_of, message_of

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

_TOKENS = re.compile(r'"(?:[^"\\]++|\\.)*+"|[{}\[\],:]|[^\s{}\[\],:"]+')
_NOT_FINITE = frozenset({"NaN", "Infinity", "-Infinity"})
_SHOWN = 80  # maximum characters of a name in a message
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


def find_json_fault(body: bytes) -> JsonFault | None:
    """Returns why `body` is no JSON although it can be read; None if it is JSON, or cannot be read.

    RFC 8259 has neither a byte-order mark nor NaN and infinities, and RFC 7493 forbids a member that is given twice.
    """
    if body.startswith(BOM_UTF8):
        return JsonFault(
            "The body is not JSON: it begins with a byte-order mark (U+FEFF). Write it as UTF-8 without one."
        )
    try:
        json.loads(body.decode(), object_pairs_hook=_distinct, parse_constant=_refuse)
    except _Unusual:
        return _describe_unusual(body.decode())
    except ValueError:
        # Other faults are described by the parser of the body, with their place.
        pass
    return None


class _Unusual(Exception):
    """The JSON has a member twice, or a number that is not finite."""


def _distinct(members: list[tuple[str, object]]) -> dict[str, object]:
    content = dict(members)
    if len(content) < len(members):
        raise _Unusual
    return content


def _refuse(constant: str) -> None:
    raise _Unusual(constant)


def _describe_unusual(text: str) -> JsonFault:
    """Returns the fault of the first member that is given twice, or the first number that is not finite."""
    members: list[set[str] | None] = []  # the names so far of each open object; None for an open array
    is_name_next = False
    for token in _TOKENS.finditer(text):
        written = token[0]
        if written in {"{", "["}:
            members.append(set() if written == "{" else None)
        elif written in {"}", "]"}:
            members.pop()
        elif written in _NOT_FINITE:
            return JsonFault.at(f"{written} is no number of JSON", text, token.start())
        elif is_name_next and written.startswith('"') and (names := members[-1]) is not None:
            name = json.loads(written)
            if name in names:
                return JsonFault.at(f"the member {written[:_SHOWN]} is given twice", text, token.start())
            names.add(name)
        is_name_next = written in {"{", ","}
    raise AssertionError("the JSON has no unusual part")


def in_one_form(body: bytes) -> bytes:
    """Returns JSON in a form that equal values share: members sorted, without spaces. Other bodies are unchanged."""
    if exceeded_limit(body):
        return body
    try:
        content = json.loads(body.decode(), object_pairs_hook=_distinct, parse_constant=_refuse)
    except (ValueError, _Unusual):
        return body
    return json.dumps(content, sort_keys=True, separators=(",", ":")).encode()


M = TypeVar("M", bound=BaseModel)


async def parse_json(body: bytes, model: type[M], services: Services) -> M:
    """Returns the JSON `body` as `model`, parsed outside the event loop if it is large.

    Raises `InvalidRequest` with all issues.
    """
    return await off_loop(len(body), lambda: validate_json(body, model, services))


def validate_json(body: bytes, model: type[M], services: Services, most: int = MAX_ISSUES) -> M:
    """Returns the JSON `body` as `model`. Raises `InvalidRequest` with all issues, at most `most`.

    Large bodies take long. On the event loop use `parse_json`.
    """
    if excess := exceeded_limit(body):
        raise InvalidRequest([RequestIssue("", excess)])
    if fault := find_json_fault(body):
        raise InvalidRequest([RequestIssue("", fault.message, line=fault.line)])
    context = {PRIVATE_CALLBACKS: services.private_callbacks}
    try:
        return model.model_validate_json(body, strict=True, by_alias=True, by_name=False, context=context)
    except ValidationError as error:
        errors = errors_of(error)
        if errors[0]["type"] == "json_invalid":
            fault = explain_invalid_json(body) or JsonFault(message_of(errors[0]))
            raise InvalidRequest([RequestIssue("", fault.message, line=fault.line)]) from error
        raise InvalidRequest(issues_of(errors, from_json(body), most, model), most) from error
