"""What people enter about users, clients and organisations."""

from collections.abc import Callable
from functools import partial

import pytest

from application.read_entries import InvalidEntry, read_email, read_line, read_time_zone

read_name = partial(read_line, most=5)


@pytest.mark.parametrize(
    ("read", "text", "stored"),
    [
        (read_name, " Ada ", "Ada"),
        (read_name, "آدا", "آدا"),
        (read_name, "12345", "12345"),
        (read_email, " Ada@Example.com ", "ada@example.com"),
        (read_time_zone, "UTC", "UTC"),
        (read_time_zone, " Europe/Berlin", "Europe/Berlin"),
    ],
)
def test_an_entry_is_stored_without_surrounding_space(read: Callable[[str], str], text: str, stored: str) -> None:
    assert read(text) == stored


@pytest.mark.parametrize(
    ("read", "text", "message"),
    [
        *((read_name, text, "Enter 1 to 5 characters in one line.") for text in ("", "  ", "123456", "a\nb", "a\x00")),
        (read_name, "a\u2028b", "Enter 1 to 5 characters in one line."),
        (read_name, "\ud800", "Enter 1 to 5 characters in one line."),
        (read_email, "ada", "Enter a full email address, like ada@example.com."),
        (read_email, "ada@example.com\r\nBcc: x@example.com", "Enter a full email address, like ada@example.com."),
        (read_time_zone, "Australia/Sidney", "Did you mean Australia/Sydney?"),
        (read_time_zone, "", "such as Australia/Sydney."),
        (read_time_zone, "../../etc/passwd", "This is not the IANA name of a time zone"),
    ],
)
def test_a_refused_entry_says_what_to_give(read: Callable[[str], str], text: str, message: str) -> None:
    with pytest.raises(InvalidEntry) as refused:
        read(text)
    assert message in str(refused.value)
