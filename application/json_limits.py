"""Limits of a JSON body: values, depth and digits, checked in the text before it is parsed.

Validation collects all issues, so the number of values bounds its cost.
"""

import re
from itertools import accumulate

MAX_VALUES = 50_000
"""Members and items of a body, nested ones included: ten documents of five hundred blocks have some 40,000."""

MAX_DEPTH = 32
"""Arrays and objects inside one another. The deepest request has 9."""

_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
"""A string, also one that does not end: the expression never looks at a byte twice."""

MAX_DIGITS = 400
"""Of a number without a fraction; longer ones take quadratic time."""

_LONG_NUMBER = re.compile(rb"(?<![0-9])[0-9]{%d}" % (MAX_DIGITS + 1))

_OPENING = frozenset(b"[{")
_OTHERS = bytes(set(range(256)) - frozenset(b"[]{}"))


def exceeded_limit(body: bytes) -> str | None:
    """Returns a sentence on the limit that `body` exceeds; None if it exceeds none, JSON or not."""
    # A value has two strings at most, its name and itself; of more no further one is looked at.
    bare, strings = _STRING.subn(b"", body, 2 * MAX_VALUES + 2)
    brackets = bare.translate(None, _OTHERS)
    if strings > 2 * MAX_VALUES + 1 or bare.count(b",") + len(brackets) // 2 > MAX_VALUES:
        return f"The body holds more than {MAX_VALUES:,} values. Send less at once."
    if max(accumulate(1 if bracket in _OPENING else -1 for bracket in brackets), default=0) > MAX_DEPTH:
        return f"The body nests arrays and objects more than {MAX_DEPTH} deep."
    if _LONG_NUMBER.search(bare):
        return f"The body holds a number of more than {MAX_DIGITS} digits."
    return None
