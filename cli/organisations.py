"""`undersign organisation`: the organisations of this installation."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Annotated
from uuid import uuid4

import typer

from cli.arguments import OrganisationArgument, TimeZoneArgument, one_line
from cli.errors import InvalidInput
from cli.load_settings import read_settings
from cli.output import AsJson, JsonObject, print_list, print_result
from cli.repositories import open_repositories
from domain.session.list_query import casefolded
from domain.shared.ids import OrganisationId
from ports.database import Organisation, Organisations
from ports.mail import Logo

app = typer.Typer(help="Organisations.", no_args_is_help=True)

_LARGEST_LOGO = 5_000_000
"""Bytes."""

Name = Annotated[str, typer.Argument(metavar="NAME", callback=one_line(200), help="The name that invitations show.")]


@app.command()
def add(
    name: Name,
    same_name: Annotated[bool, typer.Option("--same-name", help="Add it even if another one has that name.")] = False,
    as_json: AsJson = False,
) -> None:
    """Add an organisation. It cannot be removed: audit trails and receipts name it."""
    made = Organisation(OrganisationId(str(uuid4())), name)
    asyncio.run(_add(made, same_name=same_name))
    print_result(
        _members(made),
        f"Added {name}: {made.organisation_id}",
        f"Its first client: undersign client add {made.organisation_id} NAME",
        as_json=as_json,
    )


@app.command(name="list")
def list_(as_json: AsJson = False) -> None:
    """List all organisations."""
    found = [_members(organisation) for organisation in asyncio.run(_all())]
    print_list(
        "organisations",
        found,
        {"organisationId": "ORGANISATION", "name": "NAME", "timeZone": "TIME ZONE"},
        as_json=as_json,
    )


@app.command()
def rename(organisation: OrganisationArgument, name: Name, as_json: AsJson = False) -> None:
    """Rename an organisation. Existing sessions keep the former name."""
    renamed = asyncio.run(_change(OrganisationId(organisation), lambda found: replace(found, name=name)))
    print_result(_members(renamed), f"{organisation} is named {name} from now on.", as_json=as_json)


@app.command()
def time_zone(organisation: OrganisationArgument, zone: TimeZoneArgument, as_json: AsJson = False) -> None:
    """Set the time zone of "Date signed" for recipients whose browser names none. The default is UTC."""
    changed = asyncio.run(_change(OrganisationId(organisation), lambda found: replace(found, time_zone=zone)))
    print_result(_members(changed), f"{changed.name} has the time zone {zone} from now on.", as_json=as_json)


@app.command()
def logo(
    organisation: OrganisationArgument,
    file: Annotated[Path | None, typer.Argument(metavar="[FILE]", help="PNG, JPEG, WebP or GIF.")] = None,
    remove: Annotated[bool, typer.Option("--remove", help="Remove the logo.")] = False,
    as_json: AsJson = False,
) -> None:
    """Set the logo in the mails of an organisation, from an image of up to 5 MB."""
    if (file is None) != remove:
        raise InvalidInput("Name an image, or give --remove.")
    made = None if file is None else _read_logo(file)
    asyncio.run(_set_logo(OrganisationId(organisation), made))
    size = {"width": made.width, "height": made.height} if made else None
    message = f"Mails show it at {made.width} x {made.height} pixels." if made else "Mails go without a logo."
    print_result({"organisationId": organisation, "logo": size}, message, as_json=as_json)


async def get_organisation(organisations: Organisations, organisation_id: OrganisationId) -> Organisation:
    """Returns the organisation; raises `InvalidInput` if there is none."""
    found = await organisations.get(organisation_id)
    if found is None:
        raise InvalidInput(
            f"There is no organisation {organisation_id}. See undersign organisation list, or add one: "
            "undersign organisation add NAME"
        )
    return found


async def _add(organisation: Organisation, *, same_name: bool) -> None:
    async with open_repositories(read_settings()) as repositories:
        others = [
            other
            for other in await repositories.organisations.list()
            if casefolded(other.name) == casefolded(organisation.name)
        ]
        if others and not same_name:
            raise InvalidInput(
                f"{others[0].name} exists already: {others[0].organisation_id}. Give another name, or --same-name."
            )
        await repositories.organisations.add(organisation)


async def _all() -> tuple[Organisation, ...]:
    async with open_repositories(read_settings()) as repositories:
        return await repositories.organisations.list()


async def _change(organisation_id: OrganisationId, change: Callable[[Organisation], Organisation]) -> Organisation:
    async with open_repositories(read_settings()) as repositories:
        changed = change(await get_organisation(repositories.organisations, organisation_id))
        await repositories.organisations.add(changed)
        return changed


def _read_logo(file: Path) -> Logo:
    from application.uploads.sanitize_image import ImageUnreadable, fit_logo  # noqa: PLC0415  # loads Pillow

    try:
        if file.stat().st_size > _LARGEST_LOGO:
            raise InvalidInput(f"{file} has more than 5 MB. Make it smaller.")
        return fit_logo(file.read_bytes())
    except OSError as error:
        raise InvalidInput(f"{file}: {error.strerror}.") from error
    except ImageUnreadable as error:
        raise InvalidInput(f"{file}: {error}") from error


async def _set_logo(organisation_id: OrganisationId, made: Logo | None) -> None:
    async with open_repositories(read_settings()) as repositories:
        await get_organisation(repositories.organisations, organisation_id)
        if made is None:
            await repositories.logos.remove(organisation_id)
        else:
            await repositories.logos.store(organisation_id, made)


def _members(organisation: Organisation) -> JsonObject:
    return {
        "organisationId": organisation.organisation_id,
        "name": organisation.name,
        "timeZone": organisation.time_zone,
    }
