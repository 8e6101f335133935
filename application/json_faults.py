"""What is wrong with a body that is no JSON: a sentence on the likely cause, with its line and column."""

import json
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE

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


def explain_invalid_json(body: bytes) -> str | None:
    """Returns a message about the first fault of `body`; None if Python's decoder finds none."""
    fault = _fault(body)
    return fault and f"The body is not JSON: {fault}"


def _fault(body: bytes) -> str | None:
    if not body.strip():
        return "it is empty."
    if body.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) or b"\0" in body[:4]:
        return "it is UTF-16 or UTF-32. Write it as UTF-8."
    try:
        text = body.decode()
    except UnicodeDecodeError as error:
        return f"the byte at position {error.start + 1} is not UTF-8. Write the body as UTF-8."
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        before = text[: error.pos].rstrip()
        # Decoders differ in whether they point at a trailing comma or at the bracket after it.
        is_after_comma = text[error.pos : error.pos + 1] in {"}", "]"} and before.endswith(",")
        at = len(before) - 1 if is_after_comma else error.pos
        return f"{_cause(text, at, error.msg)}, see {place_in(text, at)}."
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


def place_in(text: str, at: int) -> str:
    return f"line {text.count(chr(10), 0, at) + 1}, column {at - text.rfind(chr(10), 0, at)}"
