"""Texts of others in emails: mail programs turn addresses and phone numbers in a text into links.

A text that a stranger wrote must not become a link under the name of the service.
"""

import re

_BREAK = "\u200c"
"""A zero-width non-joiner. It is invisible, and is no part of an address or a number."""

_DOTS = ".\u2024\u3002\uff0e\uff61\ufe52"
_SIGNS = re.escape(f"{_DOTS}:@\uff1a\uff20")

_INSIDE = re.compile(rf"(?<=\S)(?=[{_SIGNS}]\S)|(?<=[{_SIGNS}])(?=\S)|(?<=[\\\uff3c])(?=[\\\uff3c])")
"""The places in a text at which a mail program joins an address: around dots, colons, @ and double backslashes."""

_NUMBER = re.compile(r"[\d+(][\d ()/.-]{3,}\d")
"""What a mail program may take for a phone number."""

_LINK = re.compile(
    rf"""
    [^\W_][:\uff1a][/\uff0f\\\uff3c]{{2}}                 # a scheme
    | [\\\uff3c]{{2}}\S                                   # a server of Windows
    | \b(?:https?|mailto|tel|sms|callto|facetime|skype|javascript|data):\S
    | \bwww\d?[{_DOTS}]\S
    | \S[@\uff20]\S                                       # an email address
    | [^\W_][{_DOTS}][^\W\d_]{{2}}                        # a domain
    | (?:\+|\d)[\d\s()/.-]{{5,}}\d                        # a phone number
    """,
    re.IGNORECASE | re.VERBOSE,
)

_PERSON = re.compile(r"(?<!\w)([^\W\d_]|Dr|Prof|St|Ste|Mr|Mrs|Ms|Fr|Hr)\.([^\W\d_])(?=[^\W\d_]+(?![\w/:@]))")
"""An initial or a title before a name: A.Lovelace, Dr.Smith."""


def has_link(text: str) -> bool:
    """Returns whether a mail program could make a link of a part of `text`, such as a domain or a phone number."""
    return _LINK.search(_PERSON.sub(_with_space, text)) is not None


def _with_space(found: re.Match[str]) -> str:
    title, name = found.groups()
    return f"{title}. {name}" if title[0].isupper() and name.isupper() else found[0]


def without_links(text: str) -> str:
    """Returns `text` in which no mail program finds a link. It looks the same: invisible characters are added."""
    numbers_broken = _NUMBER.sub(lambda found: re.sub(r"(?<=\d)(?=[\d/-])", _BREAK, found[0]), text)
    return _INSIDE.sub(_BREAK, numbers_broken)
