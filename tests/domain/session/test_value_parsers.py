"""What people type is read kindly, kept in one form, and never guessed."""

import re
from datetime import date
from decimal import Decimal

import pytest
from babel import Locale
from babel.numbers import format_decimal
from hypothesis import assume, given
from hypothesis import strategies as st

from domain.session.value_parsers import (
    EXAMPLE_DATES,
    AmbiguousDate,
    NoSuchDate,
    format_date,
    many_lines,
    one_line,
    parse_australian_mobile,
    parse_date,
    parse_number,
    read_entered_number,
    with_separator_of,
)
from domain.texts.languages import LANGUAGES

FORMATS = ["DD/MM/YYYY", "DD/MM/YY", "MM/DD/YYYY", "MM/DD/YY", "YYYY-MM-DD", "MM/YYYY", "MM/YY"]


def test_there_is_an_example_for_every_format_of_the_specification() -> None:
    assert list(EXAMPLE_DATES) == FORMATS


@pytest.mark.parametrize("date_format", FORMATS)
def test_a_date_in_its_own_format_stays_as_it_is(date_format: str) -> None:
    assert parse_date(date_format, EXAMPLE_DATES[date_format]) == EXAMPLE_DATES[date_format]


@pytest.mark.parametrize(
    ("date_format", "typed"),
    [
        ("MM/DD/YYYY", "01.02.2027"),
        ("MM/DD/YYYY", "1. 2. 2027."),
        ("MM/DD/YY", "01.02.27"),
        ("MM/DD/YYYY", "٠١.٠٢.٢٠٢٧"),
    ],
)
def test_a_date_with_points_in_a_format_with_the_month_first_has_two_readings(date_format: str, typed: str) -> None:
    with pytest.raises(AmbiguousDate) as raised:
        parse_date(date_format, typed)
    assert raised.value.readings == ["2027-01-02", "2027-02-01"]
    kept = [parse_date(date_format, reading) for reading in raised.value.readings]
    assert kept == [format_date(date_format, date(2027, 1, 2)), format_date(date_format, date(2027, 2, 1))]


@pytest.mark.parametrize("date_format", FORMATS)
def test_a_date_may_be_typed_without_separators(date_format: str) -> None:
    digits = "".join(character for character in EXAMPLE_DATES[date_format] if character.isdigit())
    assert parse_date(date_format, digits) == EXAMPLE_DATES[date_format]


@pytest.mark.parametrize(
    ("date_format", "typed", "kept"),
    [
        ("MM/DD/YYYY", "13.02.2027", "02/13/2027"),
        ("MM/DD/YY", "02.13.27", "02/13/27"),
        ("MM/DD/YYYY", "2.2.2027", "02/02/2027"),
        ("DD/MM/YYYY", "1–12–2026", "01/12/2026"),
        ("DD/MM/YYYY", "1‑12‑2026", "01/12/2026"),
        ("DD/MM/YYYY", "2026년 12월 1일", "01/12/2026"),
        ("DD/MM/YYYY", "1/6/2026", "01/06/2026"),
        ("DD/MM/YYYY", " 01.06.2026 ", "01/06/2026"),
        ("DD/MM/YYYY", "1 - 6 - 2026", "01/06/2026"),
        ("DD/MM/YYYY", "01/06/2026", "01/06/2026"),
        ("DD/MM/YYYY", "29/02/2028", "29/02/2028"),
        ("DD/MM/YY", "29/02/00", "29/02/00"),
        ("YYYY-MM-DD", "2026/6/1", "2026-06-01"),
        ("MM/YY", "3-27", "03/27"),
        ("MM/YYYY", "3 2027", "03/2027"),
        ("DD/MM/YYYY", "2026-03-27", "27/03/2026"),
        ("DD/MM/YYYY", "2026年3月27日", "27/03/2026"),
        ("MM/DD/YYYY", "2026/3/27", "03/27/2026"),
        ("DD/MM/YYYY", "27. 3. 2026.", "27/03/2026"),
        ("DD/MM/YY", "2026-03-27", "27/03/26"),
        ("MM/YYYY", "2027年3月", "03/2027"),
        ("MM/YY", "2027-03", "03/27"),
    ],
)
def test_dates_are_parsed_leniently(date_format: str, typed: str, kept: str) -> None:
    assert parse_date(date_format, typed) == kept


@pytest.mark.parametrize(
    ("date_format", "typed"),
    [
        ("DD/MM/YYYY", "27/03/0026"),
        ("DD/MM/YYYY", "03/27/2026"),  # a month before the day
        ("DD/MM/YYYY", "2026-27-03"),
        ("DD/MM/YYYY", "27/03/26"),
        ("DD/MM/YYYY", "27/03/0000"),
        ("DD/MM/YYYY", "2732026"),
        ("DD/MM/YYYY", "27 March 2026"),
        ("DD/MM/YY", "27/03/2026"),
        ("MM/DD/YYYY", "27/03/2026"),
        ("MM/DD/YY", "27/03/26"),
        ("YYYY-MM-DD", "27/03/2026"),
        ("MM/YYYY", "13/2026"),
        ("MM/YY", "00/26"),
        ("MM/YY", "03/2026"),
        ("MM/YY", "3"),
    ],
)
def test_invalid_dates_are_not_guessed(date_format: str, typed: str) -> None:
    assert parse_date(date_format, typed) is None


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("0", "0"),
        ("1250.50", "1250.50"),
        ("1,250.50", "1250.50"),
        ("12,345,678", "12345678"),
        ("1 250", "1250"),
        ("1\u202f250", "1250"),
        ("-3", "-3"),
        ("−3.5", "-3.5"),
        ("–3.5", "-3.5"),
        ("+7", "7"),
        (".5", "0.5"),
        ("5.", "5"),
        ("007", "007"),
        ("１２", "12"),
        ("1,250", "1250"),
    ],
)
def test_numbers_are_parsed_leniently(typed: str, kept: str) -> None:
    assert parse_number(typed) == kept
    assert read_entered_number(typed, "en") == (kept,)


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("2,5", "2.5"),
        ("-12,50", "-12.50"),
        (",75", "0.75"),
        ("0,125", "0.125"),
        ("1250,125", "1250.125"),
        ("1 250,00", "1250.00"),
        ("1.250,00", "1250.00"),
    ],
)
def test_people_may_enter_a_decimal_comma_where_it_is_unambiguous(typed: str, kept: str) -> None:
    assert read_entered_number(typed, "en") == (kept,)
    assert parse_number(typed) is None or typed == "0,125"


@pytest.mark.parametrize(
    "typed",
    [
        "10²",
        "½",
        "①",
        "5₂",
        "twelve",
        "1,25,5",
        "12,",
        "12.50,00",
        "1,2.5",
        "1.2.3",
        "1e5",
        "inf",
        "nan",
        "-",
        ".",
        "+-1",
        "$5",
        "5 %",
    ],
)
def test_invalid_numbers_are_not_guessed(typed: str) -> None:
    assert parse_number(typed) is None
    assert read_entered_number(typed, "de") == ()


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("0491570156", "0491 570 156"),
        ("0491 570 156", "0491 570 156"),
        ("0491‑570‑156", "0491 570 156"),
        ("04 9157 0156", "0491 570 156"),
        ("(0491) 570-156", "0491 570 156"),
        ("+61491570156", "+61 491 570 156"),
        ("+61 491 570 156", "+61 491 570 156"),
        ("+61 (0)491 570 156", "+61 491 570 156"),
    ],
)
def test_australian_mobile_numbers_keep_how_they_begin(typed: str, kept: str) -> None:
    assert parse_australian_mobile(typed) == kept


@pytest.mark.parametrize(
    "typed",
    ["0291570156", "+61291570156", "049157015", "04915701567", "61491570156", "+64211234567", "0491 57O 156", "04"],
)
def test_other_numbers_are_no_australian_mobile_numbers(typed: str) -> None:
    assert parse_australian_mobile(typed) is None


def test_one_line_has_no_line_breaks() -> None:
    assert one_line("  12\r\nHarbour\u2028Street \n") == "12 Harbour Street"


def test_many_lines_keep_breaks_and_lose_invisible_space() -> None:
    assert many_lines("\r\n  indented \r\n\r\nlast\t\n\n") == "  indented\n\nlast"


@pytest.mark.parametrize("typed", ["31/02/2026", "29/02/2026", "31.4.2026", "31042026"])
def test_a_day_that_its_month_does_not_have_is_told_apart(typed: str) -> None:
    with pytest.raises(NoSuchDate):
        parse_date("DD/MM/YYYY", typed)


@pytest.mark.parametrize(
    ("language", "typed", "readings"),
    [
        ("de", "1.250", ("1250",)),
        ("de", "1.250.000", ("1250000",)),
        ("de", "1,250", ("1.250",)),
        ("de", "1.25", ("1.25",)),
        ("de", "1’250.50", ("1250.50",)),
        ("de", "1'250", ("1250",)),
        ("en", "1,250", ("1250",)),
        ("en", "1.250", ("1.250",)),
        ("en", "12,34,567.80", ("1234567.80",)),
        ("fr", "1\u202f250,5", ("1250.5",)),
        ("fr", "- 1\xa0250", ("-1250",)),
        ("fr", "12.500", ("12500", "12.500")),
        ("fr", "12,500", ("12.500",)),
        ("fr", "12.50", ("12.50",)),
        ("pl", "1.250", ("1250", "1.250")),
        ("sv", "1.250.000", ("1250000",)),
        ("uk", "1.250,5", ("1250.5",)),
        ("es", "1,234", ("1234", "1.234")),
        ("es", "1.234", ("1234", "1.234")),
        ("es", "1,2340", ("1.2340",)),
        ("ar", "١٬٢٣٤٫٥", ("1234.5",)),
        ("ar", "\u061c-١٢", ("-12",)),
        ("ar", "1,234", ("1234", "1.234")),
        ("en", "१२,३४,५६७", ("1234567",)),
        ("en", "1 2", ()),
        ("en", "1,23,4", ()),
        ("en", "1.5 5", ()),
    ],
)
def test_separators_are_read_by_the_language(language: str, typed: str, readings: tuple[str, ...]) -> None:
    assert read_entered_number(typed, language) == readings


_NUMERALS = "0٠۰०০੦૦୦௦౦೦൦๐໐༠၀០０"


@given(
    language=st.sampled_from([*LANGUAGES, "de-CH", "en-IN", "hi", "fr-CA", "ar-EG"]),
    number=st.decimals(min_value=-(10**12), max_value=10**12, places=2, allow_nan=False),
    zero=st.sampled_from(_NUMERALS),
)
def test_numbers_as_a_language_writes_them_are_read_exactly(language: str, number: Decimal, zero: str) -> None:
    written = format_decimal(
        number, "#,##0.00" if language not in ("en-IN", "hi") else "#,##,##0.00", Locale.parse(language, sep="-")
    )
    digits = str.maketrans("0123456789", "".join(chr(ord(zero) + digit) for digit in range(10)))
    page = next(known for known in (language, language.partition("-")[0], "en") if known in LANGUAGES)

    (read,) = read_entered_number(written.translate(digits), page)

    assert Decimal(read) == number


@given(
    date_format=st.sampled_from(FORMATS),
    day=st.dates(date(2000, 1, 1), date(2099, 12, 31)),
    zero=st.sampled_from(_NUMERALS),
    between=st.sampled_from(["/", ".", "-", ". ", " ", "\u200f/", "年"]),
)
def test_dates_in_the_digits_of_every_script_are_read(date_format: str, day: date, zero: str, between: str) -> None:
    # With points, such a date has two readings.
    assume(not (between.startswith(".") and date_format.startswith("MM/DD") and day.month != day.day <= 12))
    written = format_date(date_format, day)
    digits = str.maketrans("0123456789", "".join(chr(ord(zero) + digit) for digit in range(10)))

    assert parse_date(date_format, re.sub("[/-]", between, written).translate(digits)) == written


@pytest.mark.parametrize("sign", "\u200b\u2060\u3164\u00ad\ufeff\u2800\u00a0\u115f\ufe0f")
def test_what_shows_nothing_is_empty(sign: str) -> None:
    assert one_line(f" {sign}{sign}") == many_lines(f"{sign}\n{sign}") == ""
    assert one_line(f"a{sign}b") == f"a{sign}b"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_number_with_the_separator_of_a_language_has_one_reading_there(language: str) -> None:
    (reading,) = read_entered_number(with_separator_of(language, "1.2340"), language)
    assert Decimal(reading) == Decimal("1.234")


def test_the_separator_is_that_of_the_language() -> None:
    assert [with_separator_of(language, "1.5") for language in ("en", "de", "ja")] == ["1.5", "1,5", "1.5"]
