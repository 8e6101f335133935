"""Reads and checks entries about users, API clients and organisations, for the app and the command line."""

import re
import unicodedata
from difflib import get_close_matches

from application.time_zones import is_time_zone, time_zone_names
from domain.shared.check_origins import InvalidOrigins, check_origins
from domain.shared.linkable_text import has_link
from domain.texts.code_points import DIRECTION_CONTROLS, named
from domain.texts.combining_marks import TOO_MANY_MARKS, has_too_many_marks
from domain.texts.languages import LANGUAGES, find_language

MAX_PERSON_NAME = 100
MAX_NAME = 200
"""Maximum characters of the name of an organisation or an API client."""

_EMAIL = re.compile(r"[^@\s]+@[^@\s]+")
_MAX_EMAIL = 254
_MAX_ZONE = 50  # characters that are compared with the names of time zones


class InvalidEntry(ValueError):
    """The entry is refused. The message says what to enter."""


def read_line(text: str, most: int) -> str:
    """Returns one line of 1 to `most` characters without control characters; raises `InvalidEntry`.

    Characters that set a direction and more marks on a letter than `MAX_MARKS` are refused too.
    """
    text = text.strip()
    if not text or len(text) > most or any(unicodedata.category(c) in {"Cc", "Cs", "Zl", "Zp"} for c in text):
        raise InvalidEntry(f"Enter 1 to {most} characters in one line.")
    if turning := DIRECTION_CONTROLS.intersection(text):
        raise InvalidEntry(f"Remove these characters: {named(sorted(turning))}.")
    if has_too_many_marks(text):
        raise InvalidEntry(TOO_MANY_MARKS)
    return text


def read_person_name(text: str) -> str:
    """Returns the name of a person, which emails show to others; raises `InvalidEntry`."""
    name = read_line(text, MAX_PERSON_NAME)
    if has_link(name):
        raise InvalidEntry("Enter a name without web addresses, email addresses and phone numbers.")
    return name


def is_email_like(text: str) -> bool:
    """Returns whether `text` may be the email address of an existing user. `read_email` checks new addresses."""
    return len(text) <= _MAX_EMAIL and _EMAIL.fullmatch(text) is not None


def read_email(text: str) -> str:
    """Returns an email address in lower case; raises `InvalidEntry`."""
    # Imported when needed: the library loads the domains of all countries, which is slow.
    from pydantic import TypeAdapter, ValidationError  # noqa: PLC0415  # see above

    from application.schemas.base import EmailAddress  # noqa: PLC0415  # see above

    try:
        return str(TypeAdapter(EmailAddress).validate_python(text.strip()))
    except ValidationError as error:
        raise InvalidEntry("Enter a full email address, like ada@example.com.") from error


def read_origins(text: str) -> tuple[str, ...]:
    """Returns the origins in a text, separated by lines or spaces, each once; raises `InvalidEntry`."""
    try:
        return check_origins(text.split())
    except InvalidOrigins as error:
        raise InvalidEntry(str(error)) from error


def read_time_zone(text: str) -> str:
    """Returns the IANA name of a time zone; raises `InvalidEntry`."""
    text = text.strip()
    if is_time_zone(text):
        return text
    near = get_close_matches(text[:_MAX_ZONE], time_zone_names(), n=1)
    hint = f". Did you mean {near[0]}?" if near else ", such as Australia/Sydney."
    raise InvalidEntry(f"This is not the IANA name of a time zone{hint}")


def read_language(text: str) -> str | None:
    """Returns a language of `LANGUAGES`, None for an empty text; raises `InvalidEntry`."""
    language = find_language(text)
    if text and language is None:
        raise InvalidEntry(f"This must be one of {', '.join(LANGUAGES)}.")
    return language
