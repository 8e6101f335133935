"""`undersign organisation`: whose sessions there are."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Annotated
from uuid import uuid4

import typer

from cli.arguments import OrganisationArgument, TimeZoneArgument, one_line
from cli.errors import NotConfigured
from cli.load_settings import read_settings
from cli.output import AsJson, Members, tell, tell_list
from cli.repositories import open_organisations, open_registry
from domain.session.list_query import caseless
from domain.shared.ids import OrganisationId
from ports.database import Organisation, Organisations
from ports.mail import Logo

app = typer.Typer(help="Organisations: whose sessions there are.", no_args_is_help=True)

_LARGEST_LOGO = 5_000_000
"""Bytes."""

Name = Annotated[
    str, typer.Argument(metavar="NAME", callback=one_line(200), help="As recipients read it in invitations.")
]


@app.command()
def add(
    name: Name,
    same_name: Annotated[bool, typer.Option("--same-name", help="Add it though another one has that name.")] = False,
    as_json: AsJson = False,
) -> None:
    """Add an organisation. It cannot be removed: histories and receipts name it."""
    made = Organisation(OrganisationId(str(uuid4())), name)
    asyncio.run(_keep(made, same_name=same_name))
    tell(
        _members(made),
        f"Added {name}: {made.organisation_id}",
        f"Its first client: undersign client add {made.organisation_id} NAME",
        as_json=as_json,
    )


@app.command(name="list")
def list_(as_json: AsJson = False) -> None:
    """List all organisations."""
    found = [_members(organisation) for organisation in asyncio.run(_all())]
    tell_list(
        "organisations",
        found,
        {"organisationId": "ORGANISATION", "name": "NAME", "timeZone": "TIME ZONE"},
        as_json=as_json,
    )


@app.command()
def rename(organisation: OrganisationArgument, name: Name, as_json: AsJson = False) -> None:
    """Rename an organisation. Sessions that were made before keep the name that they were made under."""
    renamed = asyncio.run(_change(OrganisationId(organisation), lambda found: replace(found, name=name)))
    tell(_members(renamed), f"{organisation} is called {name} from now on.", as_json=as_json)


@app.command()
def time_zone(organisation: OrganisationArgument, zone: TimeZoneArgument, as_json: AsJson = False) -> None:
    """Set the time zone of "Date signed" for recipients whose browser names none. It is UTC unless it is set."""
    changed = asyncio.run(_change(OrganisationId(organisation), lambda found: replace(found, time_zone=zone)))
    tell(_members(changed), f"{changed.name} has the time zone {zone} from now on.", as_json=as_json)


@app.command()
def logo(
    organisation: OrganisationArgument,
    file: Annotated[Path | None, typer.Argument(metavar="[FILE]", help="PNG, JPEG, WebP or GIF.")] = None,
    remove: Annotated[bool, typer.Option("--remove", help="Mails go without one again.")] = False,
    as_json: AsJson = False,
) -> None:
    """Set the logo that mails of an organisation show, from a picture of up to 5 MB."""
    if (file is None) != remove:
        raise NotConfigured("Name a picture, or give --remove.")
    made = None if file is None else _read_logo(file)
    asyncio.run(_keep_logo(OrganisationId(organisation), made))
    size = {"width": made.width, "height": made.height} if made else None
    said = f"Mails show it at {made.width} x {made.height} pixels." if made else "Mails go without a logo."
    tell({"organisationId": organisation, "logo": size}, said, as_json=as_json)


async def get_organisation(organisations: Organisations, organisation_id: OrganisationId) -> Organisation:
    """The organisation; raises `NotConfigured`."""
    found = await organisations.get(organisation_id)
    if found is None:
        raise NotConfigured(
            f"There is no organisation {organisation_id}. See undersign organisation list, or add one: "
            "undersign organisation add NAME"
        )
    return found


async def _keep(organisation: Organisation, *, same_name: bool) -> None:
    async with open_organisations(read_settings()) as organisations:
        others = [other for other in await organisations.list() if caseless(other.name) == caseless(organisation.name)]
        if others and not same_name:
            raise NotConfigured(
                f"{others[0].name} is there already: {others[0].organisation_id}. Give another name, or --same-name."
            )
        await organisations.add(organisation)


async def _all() -> tuple[Organisation, ...]:
    async with open_organisations(read_settings()) as organisations:
        return await organisations.list()


async def _change(organisation_id: OrganisationId, change: Callable[[Organisation], Organisation]) -> Organisation:
    async with open_organisations(read_settings()) as organisations:
        changed = change(await get_organisation(organisations, organisation_id))
        await organisations.add(changed)
        return changed


def _read_logo(file: Path) -> Logo:
    from application.uploads.images.logos import fit_logo  # noqa: PLC0415
    from application.uploads.images.sanitize import ImageUnreadable  # noqa: PLC0415  # only this command opens pictures

    try:
        if file.stat().st_size > _LARGEST_LOGO:
            raise NotConfigured(f"{file} has more than 5 MB. Make it smaller.")
        return fit_logo(file.read_bytes())
    except OSError as error:
        raise NotConfigured(f"{file}: {error.strerror}.") from error
    except ImageUnreadable as error:
        raise NotConfigured(f"{file}: {error}") from error


async def _keep_logo(organisation_id: OrganisationId, made: Logo | None) -> None:
    async with open_registry(read_settings()) as registry:
        await get_organisation(registry.organisations, organisation_id)
        if made is None:
            await registry.logos.remove(organisation_id)
        else:
            await registry.logos.store(organisation_id, made)


def _members(organisation: Organisation) -> Members:
    return {
        "organisationId": organisation.organisation_id,
        "name": organisation.name,
        "timeZone": organisation.time_zone,
    }
