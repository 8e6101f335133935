"""Types of arguments that several commands share."""

from collections.abc import Callable
from functools import partial
from typing import Annotated

import typer

from application.read_entries import InvalidEntry, read_email, read_line, read_time_zone
from domain.shared.ids import ClientId, OrganisationId, is_identifier


def checked(read: Callable[[str], str]) -> Callable[[str], str]:
    """Returns a callback that reads a text, and refuses it with the message of `InvalidEntry`."""

    def check(text: str) -> str:
        try:
            return read(text)
        except InvalidEntry as error:
            raise typer.BadParameter(str(error)) from error

    return check


def one_line(max_length: int) -> Callable[[str], str]:
    """Returns a check that a text is one line: not blank, without control characters, not too long."""
    return checked(partial(read_line, most=max_length))


def identifier(text: str) -> str:
    if not is_identifier(text.lower()):
        raise typer.BadParameter("Give an identifier such as 0b7c1e4e-5f0a-4a39-8b64-5a4b2e6f7a01; `list` shows them")
    return text.lower()


_ZONE_HELP = "IANA name of a time zone, such as Australia/Sydney or UTC."

TimeZoneArgument = Annotated[str, typer.Argument(metavar="ZONE", callback=checked(read_time_zone), help=_ZONE_HELP)]
OrganisationArgument = Annotated[
    OrganisationId,
    typer.Argument(metavar="ORGANISATION", parser=identifier, help="The identifier of the organisation."),
]
ClientArgument = Annotated[
    ClientId, typer.Argument(metavar="CLIENT", parser=identifier, help="The identifier of the client.")
]
EmailArgument = Annotated[
    str, typer.Argument(metavar="EMAIL", callback=checked(read_email), help="The email address that they sign in with.")
]
OnlyOrganisation = Annotated[
    OrganisationId | None,
    typer.Option("--organisation", metavar="ORGANISATION", parser=identifier, help="Only those of this organisation."),
]
