"""Parses dates, numbers, email addresses and mobile numbers as recipients enter them (Specification 2.8).

The parsers return the form that is stored and printed, or None for invalid input.
"""

import re
from collections.abc import Mapping
from datetime import date

from email_validator import EmailNotValidError, validate_email

from texts.combining_marks import normalized

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
_DIGITS = {"YYYY": r"(\d{4})", "YY": r"(\d{2})", "MM": r"(\d{1,2})", "DD": r"(\d{1,2})"}
_BETWEEN = r"\s*[/.\-\s]\s*"
_NUMBER = re.compile(r"([+-]?)(\d+|\d{1,3}(?:,\d{3})+)?(?:\.(\d*))?", re.ASCII)
_THOUSANDS = 3  # digits between separators
_DECIMAL_COMMA = re.compile(r"([+-]?)(\d*|\d{1,3}(?:\.\d{3})+),(\d+)", re.ASCII)
_AROUND_DIGITS = re.compile(r"[\s().\-]")
_MOBILE = re.compile(r"(0|\+610?)(4\d{2})(\d{3})(\d{3})", re.ASCII)


def one_line(text: str) -> str:
    """Returns `text` without line breaks and surrounding white space."""
    return " ".join(text.splitlines()).strip()


def many_lines(text: str) -> str:
    """Returns `text` with LF line breaks, without trailing white space on lines or surrounding empty lines."""
    return "\n".join(line.rstrip() for line in text.splitlines()).strip("\n").rstrip()


def parse_date(date_format: str, text: str) -> str | None:
    """Parses a date and returns it in `date_format`, one of `EXAMPLE_DATES`, with leading zeros.

    Separators may differ from the format's, or be left out if all zeros are written.
    """
    names = _PART.findall(date_format)
    plain = " ".join(normalized("NFKC", text).split())
    apart = re.fullmatch(_BETWEEN.join(_DIGITS[name] for name in names), plain, re.ASCII)
    together = re.fullmatch("".join(rf"(\d{{{len(name)}}})" for name in names), plain, re.ASCII)
    read = apart or together
    if read is None:
        return None
    parts = {name: int(digits) for name, digits in zip(names, read.groups(), strict=True)}
    try:
        date(parts.get("YYYY", 2000 + parts.get("YY", 0)), parts["MM"], parts.get("DD", 1))
    except ValueError:
        return None
    return _PART.sub(lambda part: f"{parts[part[0]]:0{len(part[0])}}", date_format)


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


def parse_entered_number(text: str) -> str | None:
    """Parses a number that a person entered.

    A comma is a decimal separator unless it can be a thousands separator: `2,5` is 2.5, but `1,250` is 1250.
    """
    read = _DECIMAL_COMMA.fullmatch(_plain_number(text))
    if read is None:
        return parse_number(text)
    sign, whole, decimals = read.groups()
    may_be_thousands = len(decimals) == _THOUSANDS and "." not in whole and 1 <= len(whole) <= _THOUSANDS
    if may_be_thousands and whole != "0":
        return parse_number(text)
    return parse_number(f"{sign}{whole.replace('.', '')}.{decimals}")


def _plain_number(text: str) -> str:
    return re.sub(r"\s", "", normalized("NFKC", text)).replace("−", "-")


def parse_email(text: str) -> str | None:
    """Returns a syntactically valid email address, normalised."""
    try:
        return validate_email(text, check_deliverability=False).normalized
    except EmailNotValidError:
        return None


def parse_australian_mobile(text: str) -> str | None:
    """Returns an Australian mobile number as `0491 570 156` or `+61 491 570 156`, depending on its prefix."""
    read = _MOBILE.fullmatch(_AROUND_DIGITS.sub("", normalized("NFKC", text)))
    if read is None:
        return None
    prefix, *groups = read.groups()
    return f"0{' '.join(groups)}" if prefix == "0" else f"+61 {' '.join(groups)}"
