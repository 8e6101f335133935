"""The name that is probably meant by one that does not exist."""

import re
from collections.abc import Collection
from difflib import SequenceMatcher

_LONGEST = 100
"""Characters of a name that are compared. The time is quadratic in them."""

_LEAST = 0.7
"""Least likeness of names, from 0 to 1."""

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")


def near_name(name: str, known: Collection[str]) -> str | None:
    """Returns the name in `known` that is most like `name`, regardless of case, underscores and hyphens, or None.

    Names are alike by their letters, as `recipents` and `recipients`, or by their words, as `values` and
    `variableValues`.
    """
    nearest = max(known, key=lambda one: likeness(name, one), default=None)
    return nearest if nearest is not None and likeness(name, nearest) >= _LEAST else None


def meant(name: str, known: Collection[str]) -> str:
    """Returns the end of a sentence: the name in `known` that is probably meant, or all of them."""
    near = near_name(name, known)
    if near is not None:
        return f"perhaps “{near}” is meant."
    return f"remove it. There are: {', '.join(known)}." if known else "remove it. There are none here."


def likeness(name: str, other: str) -> float:
    """Returns how alike two names are, from 0 to 1."""
    name = name[:_LONGEST]
    ours, theirs = _letters(name), _letters(other)
    if ours == theirs:
        return 1.0
    words, others = _words(name), _words(other)
    shared = len(words & others) / max(min(len(words), len(others)), 1)
    # Shared words count only if they are all words of one of the names.
    return max(SequenceMatcher(None, ours, theirs, autojunk=False).ratio(), 0.75 if shared == 1 else 0.0)


def _letters(name: str) -> str:
    return re.sub(r"[\W_]", "", name).lower()


def _words(name: str) -> set[str]:
    return {word.lower().removesuffix("s") for word in _WORD.findall(name)}
