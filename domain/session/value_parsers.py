"""Parses dates, numbers, email addresses and mobile numbers as recipients enter them (Specification 2.8).

The parsers return the form that is stored and printed, or None for invalid input.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from datetime import date

from domain.texts.blank import is_blank
from domain.texts.combining_marks import normalized

DEFAULT_DATE_FORMAT = "DD/MM/YYYY"

EXAMPLE_DATES: Mapping[str, str] = {
    DEFAULT_DATE_FORMAT: "27/03/2026",
    "DD/MM/YY": "27/03/26",
    "MM/DD/YYYY": "03/27/2026",
    "MM/DD/YY": "03/27/26",
    "YYYY-MM-DD": "2026-03-27",
    "MM/YYYY": "03/2026",
    "MM/YY": "03/26",
}
"""All date formats, each with an example."""

_PART = re.compile(r"YYYY|YY|MM|DD")
_DIGITS = {"YYYY": r"\d{4}", "YY": r"\d{2}", "MM": r"\d{1,2}", "DD": r"\d{1,2}"}
_AT_THE_END = " .日月일월"
_BETWEEN = r"\s*[/.\-\s年月년월]\s*"
_DASHES = dict.fromkeys(map(ord, "‐‑‒–—―−"), "-")
_POINTS = re.compile(r"\d+\s*\.\s*\d+\s*\.\s*\d+", re.ASCII)
_FIRST_YEAR, _MONTHS, _MAX_DAYS = 1000, 12, 31
_NUMBER = re.compile(r"([+-]?)(\d+|\d{1,3}(?:,\d{3})+)?(?:\.(\d*))?", re.ASCII)
_SIGNED_DIGITS = re.compile(r"[+-]?[0-9]*")
_GROUPED = re.compile(
    r"(?P<sign>[+-]?)(?P<digits>[1-9][0-9]{0,2}(?P<mark>[.,'’٬ ])[0-9]{3}(?:(?P=mark)[0-9]{3})*"
    r"|[1-9][0-9]?(?:,[0-9]{2})+,[0-9]{3})"  # India
)
_ARABIC_DECIMAL = "٫"
_COMMA_BEFORE_DECIMALS = frozenset({"de", "fr", "es", "it", "pt", "nl", "pl", "da", "sv", "uk"})
_EITHER_SEPARATOR = frozenset({"es", "ar"})
"""Languages whose countries differ: Spain and Mexico, Morocco and Egypt."""

_SPACES_BETWEEN_THOUSANDS = frozenset({"fr", "pl", "sv", "uk"})
"""Languages that write no point in numbers. People enter one for either separator."""

_AROUND_DIGITS = re.compile(r"[\s().\-]")
_MOBILE = re.compile(r"(0|\+610?)(4\d{2})(\d{3})(\d{3})", re.ASCII)


class NoSuchDate(Exception):
    """The month does not have that day."""


class AmbiguousDate(Exception):
    """A date has two readings. `readings` are both as `YYYY-MM-DD`, which has one reading in every format."""

    def __init__(self, readings: Sequence[str]) -> None:
        super().__init__()
        self.readings = readings


def one_line(text: str) -> str:
    """Returns `text` without line breaks and surrounding white space; empty if it shows nothing."""
    return "" if is_blank(text) else " ".join(text.splitlines()).strip()


def many_lines(text: str) -> str:
    """Returns `text` with LF line breaks, without trailing white space on lines or surrounding empty lines.

    Empty if the text shows nothing.
    """
    return "" if is_blank(text) else "\n".join(line.rstrip() for line in text.splitlines()).strip("\n").rstrip()


def parse_date(date_format: str, text: str) -> str | None:
    """Parses a date and returns it in `date_format`, one of `EXAMPLE_DATES`, with leading zeros.

    Separators may differ from the format's, or be left out if all zeros are written. Digits may be of any script. A
    date may begin with its year of four digits in every format. Raises `NoSuchDate` for a day that its month does not
    have. Years before 1000 are not dates: they miss digits.

    Where points separate the parts, the day is written first in every country. Raises `AmbiguousDate` if a format with
    the month first gives such a text another date.
    """
    names = _PART.findall(date_format)
    plain = " ".join(with_ascii_digits(text).split()).rstrip(_AT_THE_END)
    together = re.fullmatch("".join(rf"(?P<{name}>\d{{{len(name)}}})" for name in names), plain, re.ASCII)
    from_year = ["YYYY", *(name for name in ("MM", "DD") if name in names)]
    read = _read_parts(names, plain) or together or _read_parts(from_year, plain)
    day = read and _day_of(read)
    if date_format.startswith("MM/DD") and _POINTS.fullmatch(plain):
        from_day = _read_parts(["DD", "MM", names[-1]], plain)
        other = from_day and _day_of(from_day)
        if day and other and day != other:
            raise AmbiguousDate([day.isoformat(), other.isoformat()])
        day = day or other
    return format_date(date_format, day) if day else None


def _day_of(read: re.Match[str]) -> date | None:
    parts = {name: int(digits) for name, digits in read.groupdict().items()}
    year, month, day = parts.get("YYYY", 2000 + parts.get("YY", 0)), parts["MM"], parts.get("DD", 1)
    if year < _FIRST_YEAR or not (1 <= month <= _MONTHS and 1 <= day <= _MAX_DAYS):
        return None
    try:
        return date(year, month, day)
    except ValueError as error:
        raise NoSuchDate from error


def _read_parts(names: Sequence[str], text: str) -> re.Match[str] | None:
    """Reads the parts of a date in that order, with separators between them."""
    return re.fullmatch(_BETWEEN.join(f"(?P<{name}>{_DIGITS[name]})" for name in names), text, re.ASCII)


def format_date(date_format: str, day: date) -> str:
    """Returns `day` in `date_format`, one of `EXAMPLE_DATES`."""
    parts = {"YYYY": day.year, "YY": day.year % 100, "MM": day.month, "DD": day.day}
    return _PART.sub(lambda part: f"{parts[part[0]]:0{len(part[0])}}", date_format)


def to_iso_date(date_format: str, day: str) -> str:
    """Converts a date in `date_format` to ISO 8601: `2026-03-27`, or `2026-03` for a month.

    A date with a two-digit year is returned unchanged, because its century is unknown.
    """
    parts = dict(zip(_PART.findall(date_format), re.findall("[0-9]+", day), strict=True))
    return "-".join(parts[name] for name in ("YYYY", "MM", "DD") if name in parts) if "YYYY" in parts else day


def parse_number(text: str) -> str | None:
    """Parses a number and returns it with a decimal point and without grouping. `1 250,00` is not a number."""
    read = _NUMBER.fullmatch(_plain_number(text))
    if read is None or not (read[2] or read[3]):
        return None
    sign = "-" if read[1] == "-" else ""
    whole = (read[2] or "0").replace(",", "")
    return f"{sign}{whole}.{read[3]}" if read[3] else f"{sign}{whole}"


def read_entered_number(text: str, language: str) -> tuple[str, ...]:
    """Returns the readings of a number that a person entered on a page in `language`, in the form of `parse_number`.

    There is none for text that is not a number, and there are two where a separator followed by three digits may stand
    between thousands or before decimals: the whole number first.
    """
    entered = re.sub(r"^([+-]?)\s+", r"\1", with_ascii_digits(text).strip())
    point, comma = _read_with(".", entered), _read_with(",", entered)
    readings = [reading for reading in (point, comma) if reading is not None]
    if len(set(readings)) < len((point, comma)):
        return tuple(readings[:1])
    if language in _EITHER_SEPARATOR or (language in _SPACES_BETWEEN_THOUSANDS and "." in entered):
        return tuple(sorted(readings, key=lambda reading: "." in reading))
    return (readings[language in _COMMA_BEFORE_DECIMALS],)


def with_separator_of(language: str, number: str) -> str:
    """Returns a number with a decimal point, with the separator of `language` instead."""
    return number.replace(".", "," if language in _COMMA_BEFORE_DECIMALS else ".")


def _read_with(decimal_separator: str, text: str) -> str | None:
    """Returns a number with the separator before its decimals, in the form of `parse_number`; None if it is not one."""
    whole, found, decimals = text.partition(decimal_separator)
    if not found:
        whole, found, decimals = text.partition(_ARABIC_DECIMAL)
    if re.search("[^0-9]", decimals) or (decimal_separator == "," and found and not decimals):
        return None
    read = _GROUPED.fullmatch(whole)
    if read is None:
        return parse_number(f"{whole}{found and '.'}{decimals}") if _SIGNED_DIGITS.fullmatch(whole) else None
    return parse_number(f"{read['sign']}{re.sub('[^0-9]', '', read['digits'])}{found and '.'}{decimals}")


def with_ascii_digits(text: str) -> str:
    """Returns `text` with the decimal digits of every script as ASCII digits, and without marks of direction."""
    visible = (character for character in _compatible(text) if unicodedata.category(character) != "Cf")
    return "".join(str(unicodedata.decimal(character, character)) for character in visible)


def _plain_number(text: str) -> str:
    return re.sub(r"\s", "", _compatible(text))


def _compatible(text: str) -> str:
    """Returns `text` in form NFKC with ASCII hyphens for dashes. Exponents stay: `10²` is not 102."""
    kept = (c if unicodedata.category(c) == "No" else normalized("NFKC", c) for c in normalized("NFC", text))
    return "".join(kept).translate(_DASHES)


def only_digits(text: str) -> str:
    """Returns the decimal digits in `text`, of every script, as ASCII digits."""
    return re.sub("[^0-9]", "", with_ascii_digits(text))


def parse_australian_mobile(text: str) -> str | None:
    """Returns an Australian mobile number as `0491 570 156` or `+61 491 570 156`, depending on its prefix."""
    read = _MOBILE.fullmatch(_AROUND_DIGITS.sub("", with_ascii_digits(text)))
    if read is None:
        return None
    prefix, *groups = read.groups()
    return f"0{' '.join(groups)}" if prefix == "0" else f"+61 {' '.join(groups)}"
