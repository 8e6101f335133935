"""Finds the line numbers of values in a JSON text, for editors that show issues beside them."""

import json
import re
from collections.abc import Collection, Iterator

from application.validation_issues import pointer

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')
"""Matches a string, a punctuation mark or another scalar of valid JSON."""


def lines_of(text: str, pointers: Collection[str]) -> dict[str, int]:
    """Returns the line (from 1) of each of `pointers` in the valid JSON `text`.

    The line of a member is that of its name. A missing value has the line of the nearest object or array around it.
    """
    places = dict(_places(text))
    lines: dict[str, int] = {}
    for wanted in pointers:
        nearest = wanted
        while nearest and nearest not in places:
            nearest = nearest.rpartition("/")[0]
        lines[wanted] = text.count("\n", 0, places.get(nearest, 0)) + 1
    return lines


def _places(text: str) -> Iterator[tuple[str, int]]:
    """Yields the JSON pointer of each value in `text` with its offset."""
    open_marks: list[str] = []
    steps: list[int | str] = []
    is_name_next = False
    for token in _TOKEN.finditer(text):
        written = token[0]
        if written == ":":
            is_name_next = False
        elif written == ",":
            is_name_next = open_marks[-1] == "{"
            if not is_name_next:
                steps[-1] = int(steps[-1]) + 1
        elif written in {"}", "]"}:
            open_marks.pop()
            steps.pop()
        elif is_name_next:
            steps[-1] = json.loads(written)
            yield pointer(steps), token.start()
        else:
            if not open_marks or open_marks[-1] == "[":
                yield pointer(steps), token.start()
            if written in {"{", "["}:
                open_marks.append(written)
                steps.append("" if written == "{" else 0)
                is_name_next = written == "{"
