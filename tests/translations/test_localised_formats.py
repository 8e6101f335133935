"""Times, numbers and lists in languages."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from domain.shared.languages import LANGUAGES
from translations.localised_formats import format_moment, format_names, format_number

AT = datetime(2027, 1, 3, 9, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    ("language", "moment", "number", "names"),
    [
        ("en", "3 January 2027, 09:05 UTC", "12,345", "Ada, Grace, Mary"),
        ("de", "3. Januar 2027, 09:05 UTC", "12.345", "Ada, Grace und Mary"),
        ("fr", "3 janvier 2027, 09:05 UTC", "12\u202f345", "Ada, Grace et Mary"),
        ("ja", "2027年1月3日 09:05 UTC", "12,345", "Ada、Grace、Mary"),
        ("ar", "3 يناير 2027، 09:05 UTC", "12,345", "Ada وGrace وMary"),
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
    assert "09:05 UTC" in format_moment(AT, language)
    assert "2027" in format_moment(AT, language)
