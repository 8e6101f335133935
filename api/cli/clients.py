"""`undersign client`: the programs that may use the API for an organisation."""

import asyncio
from typing import Annotated

import typer

from api.cli.failures import NotConfigured
from api.cli.reading import read_settings
from api.cli.registry import open_organisations
from api.cli.seeding import Credentials, add_client
from api.scopes import Scope
from domain.ids import OrganisationId

app = typer.Typer(help="Clients: the programs that may use the API.", no_args_is_help=True)


@app.callback()
def clients() -> None:
    """Keeps `add` a command of its own."""


@app.command()
def add(
    organisation_id: Annotated[str, typer.Argument(help="The organisation that the client acts for.")],
    name: Annotated[str, typer.Argument(help="What operators call it.")],
    scope: Annotated[list[Scope] | None, typer.Option(help="May be repeated; all scopes when left out.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Answer as JSON.")] = False,
) -> None:
    """Add a client. Its secret is shown once; only a hash of it is kept."""
    made = asyncio.run(_add(OrganisationId(organisation_id), name, tuple(scope or Scope)))
    if as_json:
        print(made.model_dump_json(by_alias=True))
    else:
        print(f"Added {name}. Keep the secret now, it is not shown again.")
        print(f"  client id      {made.client_id}\n  client secret  {made.client_secret}")


async def _add(organisation_id: OrganisationId, name: str, scopes: tuple[Scope, ...]) -> Credentials:
    async with open_organisations(read_settings()) as organisations:
        if await organisations.get(organisation_id) is None:
            raise NotConfigured(f"There is no organisation {organisation_id}. Add one: undersign organisation add NAME")
        return await add_client(organisations, organisation_id, name, scopes)
