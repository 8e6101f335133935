"""The name that is probably meant by one that does not exist."""

import re
from collections.abc import Collection
from difflib import SequenceMatcher

_MAX_LENGTH = 100
"""Characters of a name that are compared. The time is quadratic in them."""

_MIN = 0.7
"""Least likeness of names, from 0 to 1."""

_SHARED_WORDS, _SAME_IDEAS, _SURPLUS = 0.85, 0.78, 0.02
"""Likeness of names if all words of one are in the other, if they mean the same, and less for each further word."""

_IDEAS = (
    "recipient signer signatory participant party assignee",
    "signer sign signatory",
    "file document doc pdf download",
    "name title subject",
    "label title caption text question",
    "key id",
    "callback webhook notification",
    "expiry expire expiration deadline due validity",
    "day date at",
    "date datetime",
    "frequency day interval period",
    "order sequence routing",
    "message note body comment",
    "sender from",
    "language lang locale",
    "required mandatory",
    "option choice value enum item",
    "placeholder hint",
    "immediately now",
    "email mail address",
    "align alignment justify",
    "type kind format",
    "text content value body string",
    "paragraph text p",
    "block content element section",
    "data content base64 byte file",
    "document content",
    "field input",
    "value field answer response form",
    "heading header title h",
    "list ul ol",
    "image picture img photo",
    "copy cc viewer observer",
    "dropdown select combobox choice",
    "multiline textarea",
    "checkbox boolean bool",
    "number integer int decimal float numeric currency",
    "mobile phone tel",
    "limit perpage pagesize size count",
    "offset page skip start",
    "name search q query",
    "verification authentication otp",
    "event history audit trail log",
    "reminder remind",
    "invitation invite resend",
    "openapi swagger",
    "metadata meta tag custom",
    "session envelope",
    "sort order",
    "after from since start",
    "before until till to end",
    "json yaml yml",
    "pending sent",
    "completed signed finished done",
)
"""Words of one idea, as other services and programs call it."""

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_IDEAS_OF = {
    word: frozenset(at for at, idea in enumerate(_IDEAS) if word in idea.split()) for word in " ".join(_IDEAS).split()
}


def near_name(name: str, known: Collection[str]) -> str | None:
    """Returns the name in `known` that is most like `name`, regardless of case, underscores and hyphens, or None.

    Names are alike by their letters, as `recipents` and `recipients`, or by their words, as `values` and
    `variableValues`.
    """
    nearest = max(known, key=lambda one: likeness(name, one), default=None)
    return nearest if nearest is not None and likeness(name, nearest) >= _MIN else None


def meant(name: str, known: Collection[str]) -> str:
    """Returns the end of a sentence: the name in `known` that is probably meant, or all of them."""
    near = near_name(name, known)
    if near is not None:
        return f"perhaps “{near}” is meant."
    return f"remove it. There are: {', '.join(known)}." if known else "remove it. There are none here."


def likeness(name: str, other: str) -> float:
    """Returns how alike two names are, from 0 to 1."""
    name = name[:_MAX_LENGTH]
    ours, theirs = _letters(name), _letters(other)
    if ours == theirs:
        return 1.0
    words, others = _words(name), _words(other)
    return max(SequenceMatcher(None, ours, theirs, autojunk=False).ratio(), _likeness_of_words(words, others))


def _likeness_of_words(words: set[str], others: set[str]) -> float:
    """Returns how alike the words of names are: 0 unless one has all words of the other, or all are of one idea."""
    surplus = abs(len(words) - len(others)) * _SURPLUS
    if not words or not others:
        return 0.0
    if words <= others or others <= words:
        return _SHARED_WORDS - surplus
    return _SAME_IDEAS - surplus if _are_of_ideas(words, others) else 0.0


def _are_of_ideas(words: set[str], others: set[str]) -> bool:
    """Returns whether each of `words` is one of `others`, or of the same idea as one."""
    return all(word in others or any(_ideas(word) & _ideas(other) for other in others) for word in words)


def _ideas(word: str) -> frozenset[int]:
    return _IDEAS_OF.get(word, frozenset())


def _letters(name: str) -> str:
    return re.sub(r"[\W_]", "", name).lower()


def _words(name: str) -> set[str]:
    if (whole := _letters(name)) in _IDEAS_OF:
        return {whole}
    return {re.sub("ies$", "y", word.lower()).removesuffix("s") for word in _WORD.findall(name)}
