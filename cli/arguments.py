"""Types of arguments that several commands share."""

import unicodedata
from collections.abc import Callable
from difflib import get_close_matches
from typing import Annotated

import typer

from application.time_zones import is_time_zone, time_zone_names
from domain.shared.ids import ClientId, OrganisationId, is_identifier


def one_line(max_length: int) -> Callable[[str], str]:
    """Returns a check that a text is one line: not blank, without control characters, not too long."""

    def check(text: str) -> str:
        text = text.strip()
        if not text or len(text) > max_length or any(unicodedata.category(c) in {"Cc", "Zl", "Zp"} for c in text):
            raise typer.BadParameter(f"Give 1 to {max_length} characters in one line.")
        return text

    return check


def identifier(text: str) -> str:
    if not is_identifier(text.lower()):
        raise typer.BadParameter("Give an identifier such as 0b7c1e4e-5f0a-4a39-8b64-5a4b2e6f7a01; `list` shows them")
    return text.lower()


def _email(text: str) -> str:
    # The library knows all countries' domains, which are slow to load.
    from pydantic import TypeAdapter, ValidationError

    from schemas.base import EmailAddress

    try:
        return str(TypeAdapter(EmailAddress).validate_python(text))
    except ValidationError as error:
        raise typer.BadParameter("This is not an email address.") from error


def _time_zone(text: str) -> str:
    if is_time_zone(text):
        return text
    near = get_close_matches(text, time_zone_names(), n=1)
    hint = f". Did you mean {near[0]}?" if near else ", such as Australia/Sydney."
    raise typer.BadParameter(f"This is not the IANA name of a time zone{hint}")


_ZONE_HELP = "IANA name of a time zone, such as Australia/Sydney or UTC."

TimeZoneArgument = Annotated[str, typer.Argument(metavar="ZONE", callback=_time_zone, help=_ZONE_HELP)]
OrganisationArgument = Annotated[
    OrganisationId,
    typer.Argument(metavar="ORGANISATION", parser=identifier, help="The identifier of the organisation."),
]
ClientArgument = Annotated[
    ClientId, typer.Argument(metavar="CLIENT", parser=identifier, help="The identifier of the client.")
]
EmailArgument = Annotated[
    str, typer.Argument(metavar="EMAIL", callback=_email, help="The email address that they sign in with.")
]
OnlyOrganisation = Annotated[
    OrganisationId | None,
    typer.Option("--organisation", metavar="ORGANISATION", parser=identifier, help="Only those of this organisation."),
]
