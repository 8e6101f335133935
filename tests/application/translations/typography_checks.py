"""What is wrong with the marks of a translation: quotation marks, no-break spaces, isolates, widths."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from domain.texts.languages import direction_of

_QUOTES = {
    "de": "„“",
    "fr": "«»",
    "es": "«»",
    "it": "«»",
    "pt": "“”",
    "nl": "“”",
    "pl": "„”",
    "da": "»«",
    "sv": "”",
    "uk": "«»",
    "ar": "«»",
    "he": "”",
    "ja": "「」",
    "zh-Hans": "“”",
}
"""The quotation marks of each language."""

_ANY_QUOTE = re.compile("[\"“”„‟‘‚‛«»‹›「」『』]|(?<!\\w)'|'(?!\\w)")
_NO_BREAK = "\u00a0\u202f"
_FRENCH = re.compile(rf"(?<![{_NO_BREAK}])[;:!?»]|«(?![{_NO_BREAK}])")
_UNIT = re.compile("[\\d}] (?=MB|Mo|МБ|מ״ב|ميغابايت|%(?!\\())")
_HALF_WIDTH = re.compile("(?<=[\u3040-\u30ff\u4e00-\u9fff」”）])[,;:?!(]|\\.\\.\\.")
_VALUE = re.compile(r"(\u2068<?)?(\{\w+\}|%\(\w+\)s)")


def wrong_marks(language: str, forms: Sequence[str]) -> Iterator[str]:
    """Yields what is wrong with `forms`, the translations of a catalogue."""
    for form in forms:
        if strange := set(_ANY_QUOTE.findall(form)) - set(_QUOTES[language]):
            yield f"“{form}” has {' '.join(sorted(strange))}: the quotation marks are {_QUOTES[language]}"
        if language == "fr" and (found := _FRENCH.search(form)):
            yield f"“{form}” lacks a no-break space at “{found[0]}”"
        if _UNIT.search(form):
            yield f"“{form}” lacks a no-break space before a unit"
        if language in {"ja", "zh-Hans"} and (found := _HALF_WIDTH.search(form)):
            yield f"“{form}” has “{found[0]}”, which is of half width"
    if direction_of(language) == "rtl":
        yield from _missing_isolates(forms)


def _missing_isolates(forms: Sequence[str]) -> Iterator[str]:
    """Yields the forms that have a value without an isolate, which is in one elsewhere."""
    without, isolated = defaultdict[str, list[str]](list), set[str]()
    for form in forms:
        for isolate, value in _VALUE.findall(form):
            if isolate:
                isolated.add(value)
            else:
                without[value].append(form)
    for value in sorted(isolated & without.keys()):
        yield from (f"“{form}” lacks the isolate around {value}" for form in without[value])
