"""What is wrong with a body that is no JSON: a sentence on the likely cause, with its line and column."""

import json
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from typing import NamedTuple

_BEFORE_BRACKET = re.compile(r",[ \t\r\n]*[}\]]")
_FORM = re.compile(r"[\w.%\[\]-]+=[^\n{}]*", re.ASCII)
_WORDS = {"True": "true", "False": "false", "None": "null", "undefined": "null", "nil": "null", "NULL": "null"}
_WORD = re.compile(r"[A-Za-z_$][\w$-]*")
_NUMBER = re.compile(r"[+-]?(?:0[xX][0-9a-fA-F]+|\.?[0-9][0-9_.eE+-]*)")
_JSON_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_NOT_NUMBERS = frozenset({"nan", "inf", "infinity"})
_OTHER_FORMATS = (
    ("<", "it is XML or HTML"),
    ("---\n", "it is YAML"),
    ("--", "it is a form with parts; send JSON with the Content-Type application/json, or a form with its own"),
    ("@", "it is the name of a file, which the program that sends it should have read"),
    ("[object Object]", "it is an object of JavaScript as text; write JSON.stringify(object)"),
)
"""Causes by the beginning of the body."""

_QUOTES = frozenset("'`\N{LEFT DOUBLE QUOTATION MARK}\N{RIGHT DOUBLE QUOTATION MARK}\N{LEFT SINGLE QUOTATION MARK}")
_CAUSES = {
    "Unterminated string": "a text has no closing quotation mark",
    "Invalid control character": "a text holds a line break or a tab; write it as \\n or \\t",
    "Invalid \\": "a backslash begins an escape that does not exist; write a backslash as \\\\",
    "Extra data": "something follows its end; send one value in each request",
    "Expecting ',' delimiter": "a comma or a closing bracket is missing before this place",
    "Expecting ':' delimiter": "a colon is missing between a name and its value",
}
"""Causes by the beginning of the message of Python's decoder."""

_SHOWN = 40

_GZIP = b"\x1f\x8b"


class JsonFault(NamedTuple):
    """A fault of a body that is no JSON, with its line (from 1)."""

    message: str
    line: int = 1

    @staticmethod
    def at(cause: str, text: str, position: int) -> "JsonFault":
        """Returns the fault at the `position` (from 0) of `text`. Its message names line and column."""
        line = text.count("\n", 0, position) + 1
        column = position - text.rfind("\n", 0, position)
        return JsonFault(f"The body is not JSON: {cause}, see line {line}, column {column}.", line)


def explain_invalid_json(body: bytes) -> JsonFault | None:
    """Returns the first fault of `body`; None if Python's decoder finds none."""
    if not body.strip():
        return JsonFault("The body is not JSON: it is empty.")
    if body.startswith(_GZIP):
        return JsonFault("The body is not JSON: it is compressed. Send it as it is.")
    if body.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) or b"\0" in body[:4]:
        return JsonFault("The body is not JSON: it is UTF-16 or UTF-32. Write it as UTF-8.")
    try:
        text = body.decode()
    except UnicodeDecodeError as error:
        place = f"the byte at position {error.start + 1} is not UTF-8"
        return JsonFault(f"The body is not JSON: {place}. Write the body as UTF-8.")
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        before = text[: error.pos].rstrip()
        # Decoders differ in whether they point at a trailing comma or at the bracket after it.
        is_after_comma = text[error.pos : error.pos + 1] in {"}", "]"} and before.endswith(",")
        at = len(before) - 1 if is_after_comma else error.pos
        return JsonFault.at(_cause(text, at, error.msg), text, at)
    return None


def _cause(text: str, at: int, found: str) -> str:
    rest, beginning = text[at : at + _SHOWN], text[:1000].lstrip()
    other = next((cause for start, cause in _OTHER_FORMATS if beginning.startswith(start)), None)
    if beginning[:1] not in {"{", "[", '"'} and _FORM.match(beginning):
        other = 'it is a form (name=value). Write an object, as {"name": "value"}'
    if other is not None:
        return other
    if not rest or not rest.strip():
        return "it ends too early; a bracket, a quotation mark or a value is missing"
    if _BEFORE_BRACKET.match(text, at):
        return "there is a comma after the last item; remove it"
    if rest.startswith(("//", "/*", "#", "--")):
        return "comments are not allowed; remove it"
    if rest[0] in _QUOTES:
        return 'names and texts stand in double quotation marks (")'
    return _cause_of_number(text, at) or _cause_of_word(text, at, found)


def _cause_of_word(text: str, at: int, found: str) -> str:
    rest = text[at : at + _SHOWN]
    word = _WORD.match(rest)
    for beginning, cause in _CAUSES.items():
        if found.startswith(beginning):
            return cause
    if word and word[0] in _WORDS:
        return f"{word[0]} is no value of JSON; write {_WORDS[word[0]]}"
    if word:
        is_name = found.startswith("Expecting property name")
        return f'{"names stand" if is_name else "a text stands"} in double quotation marks; write "{word[0]}"'
    if rest[0] in ",:}]":
        return "a value or a name is missing"
    shown = rest[0] if rest[0].isprintable() else ""
    return f"the character {f'“{shown}” ' if shown else ''}(U+{ord(rest[0]):04X}) does not belong here"


def _cause_of_number(text: str, at: int) -> str | None:
    """Returns the cause if the place is in a number that JSON writes in another way."""
    start = at
    while start > max(0, at - _SHOWN) and (text[start - 1].isalnum() or text[start - 1] in "+-._"):
        start -= 1
    word = text[start : at + _SHOWN]
    number = _NUMBER.match(word)
    if number and number.end() > at - start and not _JSON_NUMBER.fullmatch(number[0]):
        return f"{number[0]} is no number of JSON; write numbers as 30, 0.5 or -3"
    name = _WORD.match(word.lstrip("+-"))
    return f"{name[0]} is no number of JSON; write null" if name and name[0].lower() in _NOT_NUMBERS else None
