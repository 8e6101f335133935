"""Email addresses as people type and paste them."""

import unicodedata

from email_validator import SPECIAL_USE_DOMAIN_NAMES, EmailNotValidError, validate_email

__all__ = ["EmailNotValidError", "parse_email", "validate_email"]

for _name in ("local", "test"):
    # Domains of internal networks and tests. This is the library's documented way to accept them.
    if _name in SPECIAL_USE_DOMAIN_NAMES:
        SPECIAL_USE_DOMAIN_NAMES.remove(_name)

_APOSTROPHES = str.maketrans("‘’ʼ", "'''")


def parse_email(text: str, *, takes_mail: bool = False) -> str | None:
    """Returns a syntactically valid email address, or None.

    Characters of other widths are taken for those of ASCII, curly apostrophes for straight ones, and invisible
    characters are dropped. `takes_mail`: whether the service sends there. Such an address has ASCII characters before
    the `@`, and its domain may be of an internal network (`.local`, `.test`). DNS is not queried.
    """
    shown = "".join(sign for sign in unicodedata.normalize("NFKC", text) if unicodedata.category(sign) != "Cf")
    try:
        found = validate_email(
            shown.translate(_APOSTROPHES),
            check_deliverability=False,
            globally_deliverable=not takes_mail,
            allow_smtputf8=not takes_mail,
            strict=True,
        )
    except EmailNotValidError:
        return None
    return found.normalized if "." in found.domain else None
