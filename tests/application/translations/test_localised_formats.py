"""Times, numbers and lists in languages."""

import re
from datetime import UTC, datetime, timedelta, timezone

import pytest

from application.translations.localised_formats import (
    format_deadline,
    format_moment,
    format_names,
    format_number,
    format_person,
)
from domain.texts.languages import LANGUAGES

AT = datetime(2027, 1, 3, 9, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    ("language", "moment", "number", "names"),
    [
        ("en", "3 January 2027, 09:05 UTC", "12,345", "Ada, Grace, Mary"),
        ("de", "3. Januar 2027 um 09:05 UTC", "12.345", "Ada, Grace und Mary"),
        ("fr", "3 janvier 2027 à 09:05 UTC", "12\u202f345", "Ada, Grace et Mary"),
        ("ja", "2027年1月3日 9:05 UTC", "12,345", "Ada、Grace、Mary"),
        ("ar", "3 يناير 2027 في 09:05 UTC", "12,345", "\u2068Ada\u2069 و\u2068Grace\u2069 و\u2068Mary\u2069"),
    ],
)
def test_they_are_written_as_in_the_language(language: str, moment: str, number: str, names: str) -> None:
    assert format_moment(AT, language) == moment
    assert format_number(12345, language) == number
    assert format_names(["Ada", "Grace", "Mary"], language) == names


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_them_in_utc(language: str) -> None:
    elsewhere = AT.astimezone(timezone(timedelta(hours=10)))

    assert format_moment(elsewhere, language) == format_moment(AT, language)
    assert re.search("0?9[:.]05 UTC", format_moment(AT, language))
    assert "2027" in format_moment(AT, language)


@pytest.mark.parametrize(
    ("language", "deadline"),
    [
        ("en", "Friday 11 December 2026, 00:28 CET"),
        ("de", "Freitag, 11. Dezember 2026 um 00:28 MEZ"),
        ("da", "fredag den 11. december 2026 kl. 00.28 CET"),
        ("fr", "vendredi 11 décembre 2026 à 00:28 UTC+1"),
        ("ja", "2026年12月11日金曜日 0:28 GMT+1"),
    ],
)
def test_a_deadline_states_the_weekday_in_a_time_zone(language: str, deadline: str) -> None:
    at = datetime(2026, 12, 10, 23, 28, tzinfo=UTC)

    assert format_deadline(at, language, "Europe/Berlin") == deadline
    assert "UTC" in format_deadline(at, language)


def test_the_first_day_is_that_of_the_time_zone() -> None:
    assert format_moment(datetime(2026, 11, 30, 23, 28, tzinfo=UTC), "fr", "Europe/Paris").startswith("1er décembre")
    assert format_deadline(datetime(2026, 12, 1, 9, 5, tzinfo=UTC), "fr").startswith("mardi 1er décembre 2026")


@pytest.mark.parametrize(("language", "day"), [("fr", "1er décembre 2026"), ("pt", "1º de dezembro de 2026")])
def test_the_first_day_of_a_month_is_an_ordinal_number_where_it_is_written_so(language: str, day: str) -> None:
    assert format_moment(datetime(2026, 12, 1, 9, 5, tzinfo=UTC), language).startswith(day)
    assert not format_moment(datetime(2026, 12, 11, 9, 5, tzinfo=UTC), language).startswith(day[:3])


@pytest.mark.parametrize(
    ("language", "names", "listed"),
    [
        ("es", ["Ana", "Inés"], "Ana e Inés"),
        ("he", ["יעקב", "דוד"], "יעקב ודוד"),
        ("he", ["יעקב", "Bo"], "יעקב ו-\u2068Bo\u2069"),
        ("ar", ["John Smith", "محمد"], "\u2068John Smith\u2069 ومحمد"),
        ("en", ["John", "יעקב"], "John, \u2068יעקב\u2069"),
    ],
)
def test_a_name_against_the_direction_of_the_language_is_isolated(language: str, names: list[str], listed: str) -> None:
    assert format_names(names, language) == listed


@pytest.mark.parametrize(
    ("language", "shown"),
    [
        ("en", "Robin Finch at Northwind"),
        ("de", "Robin Finch von Northwind"),
        ("ja", "NorthwindのRobin Finch 様"),
        ("he", "\u2068Robin Finch\u2069 מטעם \u2068Northwind\u2069"),
    ],
)
def test_a_person_is_of_an_organisation(language: str, shown: str) -> None:
    assert format_person("Robin Finch", "Northwind", language) == shown
    assert format_person(None, "Northwind", language) == "Northwind"
