"""Converts pydantic errors into issues of the API: JSON pointers (RFC 6901) and messages of the service."""

import re
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import from_json
from pydantic_core.core_schema import ErrorType

from application.errors import MAX_ISSUES, RequestIssue
from application.member_names import inner, member_names, tags
from application.near_names import likeness, meant, near_name
from layout.schema.part import BLANK
from layout.schema.runs import UNION_TAGS

Location = tuple[int | str, ...]

NOT_VALID = "This value is not valid. The reference at /docs says what is taken here."
"""The message for kinds of errors that no request model raises."""

_WHOLE, _NUMBER = "Write a whole number, as in 30.", "Write a number, as in 12.5."
_OBJECT, _ARRAY, _SWITCH = "This must be an object.", "This must be an array.", "Write true or false."

SENTENCES: Mapping[str, str] = {
    "missing": "This member is required.",
    "union_tag_not_found": "This member is required.",
    "extra_forbidden": "Unknown member; remove it.",
    "invalid_key": "The name of this member must be a string.",
    "model_type": _OBJECT,
    "model_attributes_type": _OBJECT,
    "dict_type": _OBJECT,
    "tuple_type": _ARRAY,
    "list_type": _ARRAY,
    "too_short": "At least {min_length} must be given, not {actual_length}.",
    "too_long": "At most {max_length} may be given.",
    "string_type": "This must be a string.",
    "string_unicode": "This must be text of Unicode characters.",
    "string_too_short": "Write at least {min_length} characters.",
    "string_too_long": "Write at most {max_length} characters.",
    "bool_type": _SWITCH,
    "bool_parsing": _SWITCH,
    "int_type": _WHOLE,
    "int_from_float": _WHOLE,
    "int_parsing": _WHOLE,
    "int_parsing_size": "Write a whole number of fewer digits.",
    "float_type": _NUMBER,
    "float_parsing": _NUMBER,
    "finite_number": "Write a number that is not infinite.",
    "greater_than": "This must be more than {gt}.",
    "greater_than_equal": "This must be {ge} or more.",
    "less_than": "This must be less than {lt}.",
    "less_than_equal": "This must be {le} or less.",
    "multiple_of": "This must be a multiple of {multiple_of}.",
    "enum": "This must be {expected}.",
    "literal_error": "This must be {expected}.",
    "union_tag_invalid": "Unknown value “{tag}”; expected one of {expected_tags}.",
    "none_required": "This must be null.",
}
"""Message templates by kind of error. The placeholders are the names in pydantic's error context."""

_PATTERNS = {
    r"^#?[0-9A-Fa-f]{6}$": "Write a colour as # and six hexadecimal digits, as in #0f6a73.",
    r"^[A-Za-z0-9_-]+$": "Use letters, digits, underscores and hyphens only.",
    r"^[A-Za-z0-9_]+$": "Use letters, digits and underscores only.",
}
"""Messages for `string_pattern_mismatch`, by pattern."""

_ENUMERATED = frozenset({"enum", "literal_error", "union_tag_invalid"})
_DIGITS = re.compile(r"\s*[+-]?[0-9]+(\.[0-9]*)?\s*")
_BARE = {
    **dict.fromkeys(("int_type", "int_parsing", "float_type", "float_parsing"), _DIGITS),
    "bool_type": re.compile("true|false", re.IGNORECASE),
}
"""Strings that hold a value of another type, by kind of error."""

_OF_OBJECTS = frozenset({"model_type", "model_attributes_type", "dict_type"})
_STRUCTURED = _OF_OBJECTS | {"tuple_type", "list_type"}

_SHOWN = 80  # maximum characters of a value in a message
_KINDS = frozenset(get_args(ErrorType))
_FEW = 1_000  # errors
_SHORT = 200  # characters of an error
_ADVISED = 100  # errors whose names are compared with all that the model has
_PLACE = re.compile(r"line (\d+) column (\d+)")


def errors_of(error: ValidationError) -> Sequence[Mapping[str, Any]]:
    """Returns the pydantic errors, of very many the first ones.

    Pydantic holds the interpreter while it makes an object for each: for 40,000 more than a tenth of a second.
    """
    if error.error_count() <= _FEW:
        return error.errors(include_url=False, include_input=False)
    written = error.json(include_url=False, include_input=False)[: _FEW * _SHORT]
    *complete, _ = from_json(written, allow_partial=True)
    return [{**one, "loc": tuple(one["loc"])} for one in complete]


def issues_of(
    errors: Sequence[Mapping[str, Any]], body: object, most: int = MAX_ISSUES, model: type[BaseModel] | None = None
) -> tuple[RequestIssue, ...]:
    """Returns an issue for each pydantic error, at most `most` + 1. `body` is the parsed JSON, which shows which
    steps of a location are tags of unions. With the `model` of the body, the first messages name what is probably
    meant.
    """
    places = ((error, _place(error, body)) for error in errors if not _is_echo(error, body))
    issues = (
        RequestIssue(pointer(place), _advised(error, place, body, model if number < _ADVISED else None))
        for number, (error, place) in enumerate(places)
    )
    return tuple(islice(issues, most + 1))


def _advised(error: Mapping[str, Any], place: Location, body: object, model: type[BaseModel] | None) -> str:
    """Returns the message for `error`, with what is probably meant by the name or the value at `place`."""
    kind, message = error["type"], message_of(error)
    if kind == "extra_forbidden" and model is not None:
        return f"Unknown member; {_advice_on_name(place, body, model)}"
    if kind == "union_tag_not_found" and model is not None:
        known = tags(model, place, body)
        return f"{message} It is one of {', '.join(f'“{tag}”' for tag in known)}.{_advice_on_tag(place, body, model)}"
    if kind == "missing" and model is not None and len(constants := tags(model, place, body)) == 1:
        return f"{message} Write “{constants[0]}”."
    value = value_at(body, place) if body is not None else error.get("input")
    if kind in _ENUMERATED and isinstance(value, str):
        expected = re.findall(r"'([^']*)'", str(error["ctx"].get("expected") or error["ctx"].get("expected_tags")))
        near = near_name(value, expected)
        return f"{message} Perhaps “{near}” is meant." if near else message
    return f"{message}{_advice_on_type(kind, value)}"


def _advice_on_name(place: Location, body: object, model: type[BaseModel]) -> str:
    """Returns the end of a sentence on a member that does not exist: which one is meant, or where it belongs."""
    name, outer = str(place[-1]), value_at(body, place[:-1])
    elsewhere = getattr(model, "elsewhere", {}) if len(place) == 1 else {}
    if (other := near_name(name, elsewhere)) is not None:
        return str(elsewhere[other])
    known, given = member_names(model, place[:-1], body), outer if isinstance(outer, dict) else {}
    free = [member for member in known if member not in given]
    taken, near = near_name(name, [member for member in known if member in given]), near_name(name, free)
    if taken is not None and likeness(name, taken) > (likeness(name, near) if near else 0):
        return f"remove it, since “{taken}” is given too."
    if near is None and (other_place := _place_elsewhere(name, place[:-1], known, body, model)) is not None:
        return f"perhaps “{pointer(other_place)}” is meant."
    return meant(name, free or known)


def _place_elsewhere(
    name: str, outer: Location, known: Sequence[str], body: object, model: type[BaseModel]
) -> Location | None:
    """Returns where a member of this name exists, in an object of the one at `outer` or around it; else None."""
    below = ((*outer, member, *item) for member in known for item in ((), (0,)))
    around = (outer[:count] for count in range(len(outer) - 1, -1, -1))
    for place in (*below, *around):
        for other in member_names(model, place, body):
            if likeness(name, other) == 1:
                return (*place, other)
    return None


def _advice_on_tag(place: Location, body: object, model: type[BaseModel]) -> str:
    """Returns a sentence on an object without the member that names its type, or "" if it is not plain."""
    given = value_at(body, place[:-1])
    if not isinstance(given, dict):
        return ""
    if "blocks" in given:
        return ' A document stands in a file: {"type": "blocks", "document": {…}}.'
    known = {*member_names(model, place[:-1], body)}
    near = near_name(str(place[-1]), [name for name in given if name not in known])
    return f" Perhaps “{near[:_SHOWN]}” is to be “{place[-1]}”." if near else ""


def _advice_on_type(kind: str, value: object) -> str:
    """Returns how to write `value` as the type that an error of `kind` asks for; "" if that is not plain."""
    if kind == "string_type" and isinstance(value, int | float):
        return f" Write it in quotation marks: “{str(value).lower()[:_SHOWN]}”."
    if kind in _BARE and isinstance(value, str) and _BARE[kind].fullmatch(value[:_SHOWN]):
        return " Leave out the quotation marks."
    if isinstance(value, str) and kind in _STRUCTURED and value.lstrip(' "\\')[:1] in {"{", "["}:
        return " It is a text that holds JSON, which was encoded twice."
    if kind in {"tuple_type", "list_type"} and isinstance(value, dict):
        return _advice_on_array(value)
    return _advice_on_object(kind, value) if kind in _OF_OBJECTS and isinstance(value, list) and value else ""


def _advice_on_object(kind: str, value: Sequence[object]) -> str:
    """Returns how to write the array `value` as an object; "" if that is not plain."""
    if kind == "dict_type":
        return ' Write each name as a member with its value: {"name": "value"}.'
    return " Leave out the square brackets." if len(value) == 1 and isinstance(value[0], dict) else ""


def _advice_on_array(value: Mapping[str, object]) -> str:
    """Returns how to write the object `value` as an array."""
    held = [*value.values()]
    if len(held) == 1 and isinstance(held[0], list):
        return f" Write the array itself, without “{next(iter(value))[:_SHOWN]}”."
    if held and all(isinstance(each, dict) for each in held):
        return " Write the objects in it in square brackets, without their names."
    return " Write the object in square brackets."


def value_at(body: object, place: Location) -> object:
    """Returns the value at `place` of `body`; None if there is none."""
    for step in place:
        body = inner(body, step)
    return body


def pointer(place: Sequence[int | str]) -> str:
    """Returns the JSON pointer of `place`; the empty string points to the whole body."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in place)


def _is_echo(error: Mapping[str, Any], body: object) -> bool:
    """Returns whether `error` is a `too_short` that results only from invalid items: pydantic counts valid items."""
    if error["type"] != "too_short":
        return False
    here = value_at(body, _without_tags(error["loc"], body))
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

    Such a step equals the `type` or the `kind` of the object that contains it, and is never the last step; or it stands
    for a string or an array that may be either.
    """
    steps: list[int | str] = []
    here, entered = body, True
    for number, step in enumerate(place):
        last = number == len(place) - 1
        if step in UNION_TAGS and not (last and isinstance(here, dict)):
            continue
        if entered and not last and isinstance(here, dict) and step in (here.get("type"), here.get("kind")):
            entered = False
            continue
        steps.append(step)
        here, entered = inner(here, step), True
    return tuple(steps)


def message_of(error: Mapping[str, Any]) -> str:
    """Returns the message for one pydantic error; for a custom error, the message that it carries."""
    kind, context = error["type"], error.get("ctx", {})
    if kind == "json_invalid":
        found = str(context.get("error"))
        place = _PLACE.search(found)
        cause = "one half of a surrogate pair stands alone, " if "surrogate" in found else ""
        return (
            f"The body is not JSON: {cause}see line {place[1]}, column {place[2]}."
            if place
            else "The body is not JSON."
        )
    if kind not in _KINDS:
        return str(error["msg"])
    if kind == "string_too_short" and context["min_length"] == 1:
        return BLANK
    sentence = _PATTERNS.get(context["pattern"]) if kind == "string_pattern_mismatch" else SENTENCES.get(kind)
    return (
        sentence.format_map({name: _formatted(name, value) for name, value in context.items()})
        if sentence
        else NOT_VALID
    )


def _formatted(name: str, value: object) -> object:
    """Returns a context value for a message: 483 for 483.0, typographic quotation marks, long strings shortened."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if name.startswith("expected"):
        return re.sub(r"'([^']*)'", r"“\1”", str(value))
    is_long = isinstance(value, str) and len(value) > _SHOWN
    return f"{str(value)[:_SHOWN]}…" if is_long else value
