"""`undersign installation`: the facts that all processes share, and accepting a changed one."""

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from cli.backends import Repositories, key_errors, on_database, open_namespace, read_settings
from cli.data_directory import with_running_service
from cli.output import AsJson, InvalidInput, JsonObject, print_list, print_result
from config.settings import Settings
from domain.installation import STORE_ID, Fact, compare_facts, fact_of

if TYPE_CHECKING:
    from domain.installation import Facts

app = typer.Typer(help="What this installation is: keys, namespace, address, store.", no_args_is_help=True)

_COLUMNS = {"fact": "FACT", "recorded": "INSTALLATION", "found": "THIS MACHINE", "state": "STATE"}


@app.command()
@partial(on_database, is_own=False)
async def show(database: Repositories, as_json: AsJson = False) -> None:
    """Show the facts that are recorded in the database, beside those of the settings and keys of this machine.

    Ends with 1 if a process with these settings could not start.
    """
    recorded, found = await database.installation.read(), await _find()
    differing = {difference.fact for difference in compare_facts(recorded, found)}
    rows: list[JsonObject] = [
        {
            "fact": name,
            "recorded": recorded.get(name) or None,
            "found": found.get(name) or None,
            "state": "differs" if fact_of(name) in differing and recorded.get(name) != found.get(name) else "ok",
        }
        for name in sorted({*recorded, *found})
    ]
    print_list("facts", rows, _COLUMNS, as_json=as_json)
    if differing:
        raise typer.Exit(1)


@app.command()
@partial(on_database, is_own=False)
async def accept(
    database: Repositories,
    facts: Annotated[list[Fact], typer.Argument(help="What has changed.")],
    as_json: AsJson = False,
) -> None:
    """Record what has changed on purpose: a moved address, another store, new payload keys, a restored Temporal.

    Takes the values from the settings and keys of this machine. Processes that have others do not start any more. The
    next start creates key files that are missing beside others, such as a lost one, and the id in an empty store.
    """
    own = await _find()
    if Fact.OBJECT_STORE in facts and STORE_ID not in own:
        raise InvalidInput("The object store does not answer. See the row storage of undersign doctor.")
    found = {name: value for name, value in own.items() if fact_of(name) in facts and value}
    missing = [fact for fact in facts if fact not in map(fact_of, found)]
    if missing:
        raise InvalidInput(f"Nothing is known here of {', '.join(missing)}: check that Temporal answers, and keys/.")
    lost = [name for name in await database.installation.read() if fact_of(name) in facts and name not in found]
    await database.installation.forget(lost)
    await database.installation.replace(found)
    print_result(dict(found), *(f"{name}: {value}" for name, value in found.items()), as_json=as_json)


async def find_own_facts(settings: Settings) -> "Facts":
    """Returns the facts of a process with these settings. Raises `InvalidInput`."""
    from config.installation import find_facts, open_objects, read_store_id
    from domain.ports.object_store import ObjectStoreError

    store_id = None
    with suppress(ObjectStoreError):  # it cannot be compared
        store_id = await read_store_id(open_objects(settings))
    with key_errors():
        return find_facts(settings, await open_namespace(settings), store_id)


async def _find() -> "Facts":
    return await find_own_facts(with_running_service(read_settings()))
