"""Babel's extraction method for the texts of the pages (`web/texts`).

The context of a message is its path in the file, such as `verdicts.genuine.title`. A name with `_one` is the singular
of the name without it. A comment applies to the sentences below it up to an empty line.
"""

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping
from typing import Any, BinaryIO

SINGULAR = "_one"

_TABLE = re.compile(r"\[(.+)\]")
_NAME = re.compile(r"(\w+) = ")

Extracted = tuple[int, str, tuple[str, ...], list[str]]
"""Line, function, arguments and comments of a message, as Babel expects them."""


def extract_toml(
    file: BinaryIO,
    keywords: Collection[str],  # noqa: ARG001  # Babel's interface
    comment_tags: Collection[str],  # noqa: ARG001  # as above
    options: Mapping[str, object],  # noqa: ARG001  # as above
) -> Iterator[Extracted]:
    """Yields the messages of a file for Babel."""
    text = file.read().decode()
    comments = _comments_by_path(text)
    sentences = dict(_sentences(tomllib.loads(text)))
    for line, (path, sentence) in enumerate(sentences.items(), start=1):
        singular = sentences.get(path + SINGULAR)
        if singular is not None:
            yield line, "npgettext", (path, singular, sentence), comments[path]
        elif path.removesuffix(SINGULAR) == path or path.removesuffix(SINGULAR) not in sentences:
            yield line, "pgettext", (path, sentence), comments[path]


def _sentences(table: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, str]]:
    for name, entry in table.items():
        if isinstance(entry, str):
            yield above + name, entry
        else:
            yield from _sentences(entry, f"{above}{name}.")


def _comments_by_path(text: str) -> dict[str, list[str]]:
    comments: list[str] = []
    found = {}
    above = ""
    for line in text.splitlines():
        if not line:
            comments = []
        elif line.startswith("#"):
            comments = [*comments, line.removeprefix("#").strip()]
        elif table := _TABLE.fullmatch(line):
            above = f"{table[1]}."
        elif name := _NAME.match(line):
            found[above + name[1]] = comments
    return found
