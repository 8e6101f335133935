"""Formats times, numbers and lists for a language, by CLDR (Babel)."""

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache

from babel import Locale
from babel.dates import format_date
from babel.lists import format_list
from babel.numbers import format_decimal

from domain.shared.languages import ENGLISH


def format_moment(at: datetime, language: str) -> str:
    """Returns a time in UTC: `3 January 2027, 09:05 UTC`."""
    at = at.astimezone(UTC)
    time = f"{at:%H:%M} UTC"
    if language == ENGLISH:
        return f"{at.day} {at:%B %Y}, {time}"
    locale = _locale(language)
    pattern = str(locale.datetime_formats["medium"]).replace("'", "")
    return pattern.format(time, format_date(at, "long", locale=locale))


def format_number(number: int, language: str) -> str:
    """Returns a whole number with its thousands separated."""
    return f"{number:,}" if language == ENGLISH else format_decimal(number, locale=_locale(language))


def format_names(names: Sequence[str], language: str) -> str:
    """Returns a list of all of `names`."""
    return ", ".join(names) if language == ENGLISH else format_list([*names], "standard", locale=_locale(language))


@cache
def _locale(language: str) -> Locale:
    return Locale.parse(language, sep="-")
