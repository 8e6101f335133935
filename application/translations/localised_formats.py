"""Formats times, numbers and lists for a language, by CLDR (ICU and Babel)."""

import re
import unicodedata
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from importlib import import_module
from typing import Any

from babel import Locale
from babel.numbers import format_decimal

from application.translations import catalogue
from domain.texts.languages import ENGLISH, direction_of, marked
from layout.text.bidi import isolated

_FIRST_DAYS = {"fr": "1er", "pt": "1º"}
"""The first day of a month, where it is written as an ordinal number. CLDR has cardinal numbers only."""

_FIRST_DAY = re.compile(r"^(\D*)1(?=\D)")
"""The first number of a written date, if it is 1. Languages that begin with the year never match."""

_LEFT_TO_RIGHT = frozenset({"L", "EN"})
_RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})
"""Classes of characters with a direction of their own, and of digits (UAX 9, 3.2)."""

_FIRST_STRONG_ISOLATE, _POP_ISOLATE = "\u2068", "\u2069"


def format_moment(at: datetime, language: str, zone: str = "UTC") -> str:
    """Returns a time in the time zone `zone` (IANA name): `3 January 2027, 09:05 UTC`."""
    return _format_time(at, language, zone, has_weekday=False)


def format_deadline(at: datetime, language: str, zone: str = "UTC") -> str:
    """Returns a time in the time zone `zone` with its weekday: `Sunday 3 January 2027, 10:05 CET`."""
    return _format_time(at, language, zone, has_weekday=True)


def format_number(number: int, language: str) -> str:
    """Returns a whole number with its thousands separated."""
    return f"{number:,}" if language == ENGLISH else format_decimal(number, locale=Locale.parse(language, sep="-"))


def format_names(names: Sequence[str], language: str) -> str:
    """Returns a list of all of `names`, each in a directional isolate if it runs against the language."""
    names = [isolate_against(name, language) for name in names]
    return ", ".join(names) if language == ENGLISH else str(_format_of_lists(language).format(names))


def format_person(name: str | None, organisation: str, language: str) -> str:
    """Returns a person of an organisation, `Ada Lovelace at Northwind`, or the organisation alone without a name."""
    if not name:
        return organisation
    words = catalogue(language).gettext(marked("{name} at {organisation}"))
    return words.format(name=isolated(name), organisation=isolated(organisation))


def isolate_against(text: str, language: str) -> str:
    """Returns `text`, in a directional isolate if it has characters that run against the direction of `language`."""
    against = _LEFT_TO_RIGHT if direction_of(language) == "rtl" else _RIGHT_TO_LEFT
    runs_against = not against.isdisjoint(map(unicodedata.bidirectional, text))
    return f"{_FIRST_STRONG_ISOLATE}{text}{_POP_ISOLATE}" if runs_against else text


def _format_time(at: datetime, language: str, zone: str, *, has_weekday: bool) -> str:
    if language == ENGLISH and zone == "UTC":  # needs no ICU
        at = at.astimezone(UTC)
        return f"{f'{at:%A} ' if has_weekday else ''}{at.day} {at:%B %Y}, {at:%H:%M} UTC"
    text = str(_format_of_times(language, zone, has_weekday).format(at.timestamp()))
    return _FIRST_DAY.sub(rf"\g<1>{_FIRST_DAYS.get(language, 1)}", text)


@cache
def _format_of_times(language: str, zone: str, has_weekday: bool) -> Any:  # noqa: ANN401  # ICU ships no types
    """Returns the format of a date with a time of 24 hours, joined by the word of the language."""
    icu = import_module("icu")
    locale = icu.Locale("en-GB" if language == ENGLISH else language)
    dates = icu.DateFormat.FULL if has_weekday else icu.DateFormat.LONG
    date_and_time = icu.DateFormat.createDateTimeInstance(dates, icu.DateFormat.SHORT, locale).toPattern()
    time = icu.DateFormat.createTimeInstance(icu.DateFormat.SHORT, locale).toPattern()
    name = "'UTC'" if zone == "UTC" else "z"
    hours = icu.DateTimePatternGenerator.createInstance(locale).getBestPattern("HHmm")
    pattern = str(date_and_time).replace(str(time), f"{hours} {name}")
    if language == ENGLISH:
        pattern = f"{'EEEE ' if has_weekday else ''}d MMMM y, HH:mm {name}"
    written = icu.SimpleDateFormat(pattern, locale)
    written.setTimeZone(icu.TimeZone.createTimeZone(zone))
    return written


@cache
def _format_of_lists(language: str) -> Any:  # noqa: ANN401  # as above
    icu = import_module("icu")
    return icu.ListFormatter.createInstance(icu.Locale(language))
