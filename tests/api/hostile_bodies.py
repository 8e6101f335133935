"""The largest bodies that consist of mistakes: JSON by its schema, forms and multiparts."""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from application.parse_json import MAX_VALUES

Schema = Mapping[str, Any]
JSON = "application/json"
FORM = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data; boundary=x"
HOLE = '"here"'
"""The place in an otherwise valid body that is filled with mistakes."""


class Body(NamedTuple):
    name: str
    content_type: str
    content: bytes


ALMOST = MAX_VALUES - 100
"""Values that are within the limit."""


def holes(schema: Schema, schemas: Schema, seen: frozenset[str] = frozenset()) -> Iterator[tuple[str, object]]:
    """Yields values for `schema` with a hole in place of one array or object, however deep, and its type."""
    name = str(schema.get("$ref", "")).rpartition("/")[2]
    if name:
        if name not in seen:
            yield from holes(schemas[name], schemas, seen | {name})
        return
    for way in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
        yield from holes(way, schemas, seen)
    if schema.get("type") == "array":
        yield "array", "here"
        yield from ((kind, [inner]) for kind, inner in holes(schema.get("items", {}), schemas, seen))
    if schema.get("type") == "object":
        yield "object", "here"
        members = schema.get("properties", {})
        fixed = {name: member["const"] for name, member in members.items() if "const" in member}
        for name, member in members.items():
            yield from ((kind, {**fixed, name: inner}) for kind, inner in holes(member, schemas, seen))


def filled(kind: str, size: int, most: int) -> str:
    """Returns an array or an object of at most `most` mistakes in at most `size` bytes."""
    if kind == "array":
        return "[" + ",".join(["1"] * min(size // 2, most)) + "]"
    return "{" + ",".join(f'"m{number:06}":1' for number in range(min(size // 11, most))) + "}"


def json_bodies(schema: Schema, schemas: Schema, size: int, around: str = HOLE) -> Iterator[Body]:
    """Yields bodies of up to `size` bytes; `around` is the text with a hole for the value of `schema`."""
    room = size - len(around) - 400
    for kind, value in {json.dumps(value): (kind, value) for kind, value in holes(schema, schemas)}.values():
        place = json.dumps(value)
        filling = filled(kind, room - len(place), ALMOST)
        yield Body(f"{kind} at {place}", JSON, around.replace(HOLE, place.replace(HOLE, filling), 1).encode())
    for name, text in (
        ("items", filled("array", room, room)),
        ("objects", "[" + ",".join(["{}"] * min(room // 3, ALMOST // 2)) + "]"),
        ("members", filled("object", room, room)),
        ("members of one name", "{" + ",".join(['"name":1'] * min(room // 9, ALMOST)) + "}"),
        ("arrays in arrays", "[" * room),
        ("objects in objects", '{"a":' * (room // 5)),
        ("arrays after arrays", "[" + "[]," * (room // 3 - 1) + "[]]"),
        ("closed only", "]" * room),
        ("a long number", "9" * room),
        ("long numbers", "[" + ",".join(["9" * 4000] * (room // 4001)) + "]"),
        ("large exponents", "[" + ",".join(["1e999999"] * (room // 9)) + "]"),
        ("a long text", '"' + "x" * (room - 2) + '"'),
        ("escapes", '"' + "\\u0041" * (room // 6) + '"'),
        ("a text without an end", '"' + '\\"' * (room // 2)),
        ("commas", "," * room),
        ("blanks", " " * room),
    ):
        yield Body(name, JSON, around.replace(HOLE, text, 1).encode())


@cache
def form_bodies(size: int) -> Sequence[Body]:
    contents = (
        ("fields", b"a&a=b&" * (size // 6)),
        ("few fields, escaped", b"a=" + b"%41" * (size // 3 - 1)),
        ("few fields, broken escapes", b"a=" + b"%" * (size - 2)),
        ("few fields, escapes apart", b"a=" + b"b%41" * (size // 4 - 1)),
        ("fields of other names", b"&".join(b"m%d=1" % number for number in range(size // 10))),
        ("no more fields than are read", b"&".join([b"a=" + b"%c3%a4" * (size // 60_100 or 1)] * 9_999)[:size]),
        ("no fields", b"&" * size),
        ("pluses", b"+" * size),
    )
    return [Body(name, FORM, content) for name, content in contents]


@cache
def multipart_bodies(size: int) -> Sequence[Body]:
    part = b'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'
    file = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n1\r\n'
    head = b"X-Long: " + b"x" * 2_000 + b"\r\n"
    contents = (
        ("parts", part * (size // len(part))),
        ("files", file * (size // len(file))),
        ("a part with many fields", b"--x\r\n" + head * (size // len(head) - 1)),
        ("a part with a long field", b"--x\r\nX-Long: " + b"x" * (size - 20)),
        ("a long part", part[:-3] + b"1" * (size - len(part))),
        ("a long file", file[:-3] + b"1" * (size - len(file))),
        ("nearly boundaries", file[:-3] + b"\r\n--" * ((size - len(file)) // 4)),
        ("no boundary", b"-" * size),
    )
    return [Body(name, MULTIPART, content) for name, content in contents]
