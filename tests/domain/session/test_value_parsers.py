"""What people type is read kindly, kept in one form, and never guessed."""

import pytest

from domain.session.value_parsers import (
    EXAMPLE_DATES,
    many_lines,
    one_line,
    parse_australian_mobile,
    parse_date,
    parse_email,
    parse_entered_number,
    parse_number,
)

FORMATS = ["DD/MM/YYYY", "DD/MM/YY", "MM/DD/YYYY", "MM/DD/YY", "YYYY-MM-DD", "MM/YYYY", "MM/YY"]


def test_there_is_an_example_for_every_format_of_the_specification() -> None:
    assert list(EXAMPLE_DATES) == FORMATS


@pytest.mark.parametrize("date_format", FORMATS)
def test_a_date_in_its_own_format_stays_as_it_is(date_format: str) -> None:
    assert parse_date(date_format, EXAMPLE_DATES[date_format]) == EXAMPLE_DATES[date_format]


@pytest.mark.parametrize("date_format", FORMATS)
def test_a_date_may_be_typed_without_separators(date_format: str) -> None:
    digits = "".join(character for character in EXAMPLE_DATES[date_format] if character.isdigit())
    assert parse_date(date_format, digits) == EXAMPLE_DATES[date_format]


@pytest.mark.parametrize(
    ("date_format", "typed", "kept"),
    [
        ("DD/MM/YYYY", "1/6/2026", "01/06/2026"),
        ("DD/MM/YYYY", " 01.06.2026 ", "01/06/2026"),
        ("DD/MM/YYYY", "1 - 6 - 2026", "01/06/2026"),
        ("DD/MM/YYYY", "01/06/2026", "01/06/2026"),
        ("DD/MM/YYYY", "29/02/2028", "29/02/2028"),
        ("DD/MM/YY", "29/02/00", "29/02/00"),
        ("YYYY-MM-DD", "2026/6/1", "2026-06-01"),
        ("MM/YY", "3-27", "03/27"),
        ("MM/YYYY", "3 2027", "03/2027"),
    ],
)
def test_dates_are_parsed_leniently(date_format: str, typed: str, kept: str) -> None:
    assert parse_date(date_format, typed) == kept


@pytest.mark.parametrize(
    ("date_format", "typed"),
    [
        ("DD/MM/YYYY", "31/02/2026"),
        ("DD/MM/YYYY", "29/02/2026"),
        ("DD/MM/YYYY", "03/27/2026"),  # a month before the day
        ("DD/MM/YYYY", "2026-03-27"),
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
        ("DD/MM/YYYY", "٢٧/٠٣/٢٠٢٦"),
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
    assert parse_entered_number(typed) == kept


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
    assert parse_entered_number(typed) == kept
    assert parse_number(typed) is None or typed == "0,125"


@pytest.mark.parametrize(
    "typed",
    ["twelve", "1,25,5", "12,", "12.50,00", "1,2.5", "1.2.3", "1e5", "inf", "nan", "-", ".", "+-1", "$5", "5 %", "٥"],
)
def test_invalid_numbers_are_not_guessed(typed: str) -> None:
    assert parse_number(typed) is None
    assert parse_entered_number(typed) is None


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("0491570156", "0491 570 156"),
        ("0491 570 156", "0491 570 156"),
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


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("ada@example.com", "ada@example.com"),
        ("Ada.Lovelace+sign@Example.COM", "Ada.Lovelace+sign@example.com"),
        ("renée@münchen.de", "renée@münchen.de"),
    ],
)
def test_email_addresses_are_read_as_mail_servers_do(typed: str, kept: str) -> None:
    assert parse_email(typed) == kept


@pytest.mark.parametrize("typed", ["ada", "ada@", "@example.com", "ada@example", "a b@example.com", "ada@exa mple.com"])
def test_invalid_email_addresses_are_not_guessed(typed: str) -> None:
    assert parse_email(typed) is None


def test_one_line_has_no_line_breaks() -> None:
    assert one_line("  12\r\nHarbour\u2028Street \n") == "12 Harbour Street"


def test_many_lines_keep_breaks_and_lose_invisible_space() -> None:
    assert many_lines("\r\n  indented \r\n\r\nlast\t\n\n") == "  indented\n\nlast"
