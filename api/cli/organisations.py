"""`undersign organisation`: whose sessions there are."""

import asyncio
import json
from typing import Annotated
from uuid import uuid4

import typer

from adapters.database.port import Organisation
from api.cli.reading import read_settings
from api.cli.registry import open_organisations
from domain.ids import OrganisationId

app = typer.Typer(help="Organisations: whose sessions there are.", no_args_is_help=True)


@app.callback()
def organisations() -> None:
    """Keeps `add` a command of its own."""


@app.command()
def add(
    name: Annotated[str, typer.Argument(help="As recipients read it in invitations.")],
    as_json: Annotated[bool, typer.Option("--json", help="Answer as JSON.")] = False,
) -> None:
    """Add an organisation."""
    organisation = Organisation(OrganisationId(str(uuid4())), name)
    asyncio.run(_add(organisation))
    if as_json:
        print(json.dumps({"organisationId": organisation.organisation_id, "name": name}))
    else:
        print(f"Added {name}: {organisation.organisation_id}")
        print(f"Its first client: undersign client add {organisation.organisation_id} NAME")


async def _add(organisation: Organisation) -> None:
    async with open_organisations(read_settings()) as all_of_them:
        await all_of_them.add(organisation)
