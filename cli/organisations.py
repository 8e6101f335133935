"""`undersign organisation`: the organisations of this installation."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any
from uuid import uuid4

import typer

from application.administration.record_settings import record_settings
from application.read_entries import MAX_NAME, InvalidEntry, read_language
from cli.arguments import OrganisationArgument, TimeZoneArgument, one_line
from cli.backends import Repositories, on_database
from cli.output import AsJson, InvalidInput, JsonObject, members_of, print_list, print_result
from domain.audit.events import AuditContext
from domain.ports.administrative_acts import ActKind, Change
from domain.ports.database import Organisation
from domain.ports.sender_identity import Logo
from domain.session.list_query import casefolded
from domain.shared.ids import OrganisationId
from domain.texts.languages import LANGUAGES

app = typer.Typer(help="Organisations.", no_args_is_help=True)

_MAX_LOGO = 5_000_000
"""Maximum bytes of a logo file."""

_SETTINGS = {"accent": "accent", "name": "sender_name", "imprint": "imprint_url", "privacy": "privacy_url"}
_SETTINGS_HELP = "accent=#0d665f, name=..., imprint=https://..., privacy=https://..."

_COLUMNS = {"organisationId": "ORGANISATION", "name": "NAME", "timeZone": "TIME ZONE", "language": "LANGUAGE"}

Name = Annotated[
    str, typer.Argument(metavar="NAME", callback=one_line(MAX_NAME), help="The name that invitations show.")
]


@app.command()
@on_database
async def add(
    database: Repositories,
    name: Name,
    same_name: Annotated[bool, typer.Option("--same-name", help="Add it even if another one has that name.")] = False,
    as_json: AsJson = False,
) -> None:
    """Add an organisation. It cannot be removed: audit trails and receipts name it."""
    others = [one for one in await database.organisations.list() if casefolded(one.name) == casefolded(name)]
    if others and not same_name:
        raise InvalidInput(
            f"{others[0].name} exists already: {others[0].organisation_id}. Give another name, or --same-name."
        )
    added = Organisation(OrganisationId(str(uuid4())), name)
    await database.organisations.add(added)
    print_result(
        _members(added),
        f"Added {name}: {added.organisation_id}",
        f"Its first client: undersign client add {added.organisation_id} NAME",
        as_json=as_json,
    )


@app.command(name="list")
@on_database
async def list_(database: Repositories, as_json: AsJson = False) -> None:
    """List all organisations."""
    print_list("organisations", map(_members, await database.organisations.list()), _COLUMNS, as_json=as_json)


@app.command()
@on_database
async def rename(
    database: Repositories, organisation: OrganisationArgument, name: Name, as_json: AsJson = False
) -> None:
    """Rename an organisation. Existing sessions keep the former name."""
    renamed = await _store(database, organisation, name=name)
    print_result(_members(renamed), f"{organisation} is named {name} from now on.", as_json=as_json)


@app.command()
@on_database
async def time_zone(
    database: Repositories, organisation: OrganisationArgument, zone: TimeZoneArgument, as_json: AsJson = False
) -> None:
    """Set the time zone of "Date signed" for recipients whose browser names none. The default is UTC."""
    changed = await _store(database, organisation, time_zone=zone)
    print_result(_members(changed), f"{changed.name} has the time zone {zone} from now on.", as_json=as_json)


@app.command()
@on_database
async def language(
    database: Repositories,
    organisation: OrganisationArgument,
    tag: Annotated[str, typer.Argument(metavar="[LANGUAGE]", help="BCP 47 tag, such as de or zh-Hans.")] = "",
    as_json: AsJson = False,
) -> None:
    """Set or remove the default language of new sessions. Without one: the browser's language, and English emails."""
    try:
        language = read_language(tag)
    except InvalidEntry as error:
        raise InvalidInput(str(error)) from error
    changed = await _store(database, organisation, language=language)
    line = f"New sessions of {changed.name} are in {LANGUAGES[tag]}." if tag else f"{changed.name} has no language."
    print_result(_members(changed), line, as_json=as_json)


@app.command()
@on_database
async def frame_origins(
    database: Repositories,
    organisation: OrganisationArgument,
    origins: Annotated[list[str] | None, typer.Argument(metavar="[ORIGIN]...", help="https://app.example.com")] = None,
    remove: Annotated[bool, typer.Option("--remove", help="Remove these instead of adding them.")] = False,
    as_json: AsJson = False,
) -> None:
    """Add origins whose pages may frame signing pages, or remove them; without any, show the list."""
    from domain.shared.check_origins import InvalidOrigins, check_origins

    before = await database.get_organisation(organisation)
    given = list(origins or ())
    if remove and set(given) - set(before.frame_origins):
        raise InvalidInput(f"Not listed: {', '.join(sorted(set(given) - set(before.frame_origins)))}.")
    kept = [origin for origin in before.frame_origins if not (remove and origin in given)]
    try:
        allowed = check_origins(kept if remove else [*kept, *given])
    except InvalidOrigins as error:
        raise InvalidInput(str(error)) from error
    changed = await _store(database, organisation, frame_origins=allowed)
    lines = changed.frame_origins or ("No page may frame signing pages.",)
    print_result({"organisationId": organisation, "frameOrigins": [*changed.frame_origins]}, *lines, as_json=as_json)


@app.command()
@on_database
async def logo(
    database: Repositories,
    organisation: OrganisationArgument,
    file: Annotated[Path | None, typer.Argument(metavar="[FILE]", help="PNG, JPEG, WebP or GIF.")] = None,
    remove: Annotated[bool, typer.Option("--remove", help="Remove the logo.")] = False,
    as_json: AsJson = False,
) -> None:
    """Set the logo in the emails and on the pages of an organisation, from an image of up to 5 MB."""
    if (file is None) != remove:
        raise InvalidInput("Name an image, or give --remove.")
    fitted = None if file is None else _read_logo(file)
    await database.get_organisation(organisation)
    await database.identities.store(organisation, replace(await database.identities.find(organisation), logo=fitted))
    if fitted is None:
        size, message = None, "Emails and pages have no logo."
    else:
        size = {"width": fitted.width, "height": fitted.height}
        message = f"Emails and pages show it at {fitted.width} x {fitted.height} pixels."
    print_result({"organisationId": organisation, "logo": size}, message, as_json=as_json)


@app.command()
@on_database
async def appearance(
    database: Repositories,
    organisation: OrganisationArgument,
    settings: Annotated[list[str] | None, typer.Argument(metavar="[SETTING=VALUE]...", help=_SETTINGS_HELP)] = None,
    as_json: AsJson = False,
) -> None:
    """Set how an organisation appears to recipients. An empty value removes a setting; without any, show them."""
    from application.appearance_form import AppearanceForm, check_appearance

    await database.get_organisation(organisation)
    identity = await database.identities.find(organisation)
    entered = {member: getattr(identity, member) or "" for member in _SETTINGS.values()}
    for setting in settings or ():
        name, equals, value = setting.partition("=")
        if name not in _SETTINGS or not equals:
            raise InvalidInput(f"{setting} is no setting: write {', '.join(f'{known}=VALUE' for known in _SETTINGS)}.")
        entered[_SETTINGS[name]] = value
    checked = check_appearance(AppearanceForm(**entered))
    if checked.problems:
        raise InvalidInput(" ".join(checked.problems.values()))
    await database.identities.store(organisation, replace(checked.identity, logo=identity.logo))
    shown = {name: getattr(checked.identity, member) for name, member in _SETTINGS.items()}
    lines = [f"{name}: {value or 'not set'}" for name, value in shown.items()]
    print_result({"organisationId": organisation, **shown}, *lines, as_json=as_json)


async def _store(database: Repositories, organisation: OrganisationId, **settings: object) -> Organisation:
    """Stores settings of an organisation, records what differs, and returns it."""
    before = await database.get_organisation(organisation)
    members: dict[str, Any] = settings
    changed = replace(before, **members)
    await database.organisations.change(before, changed)
    await record_settings(database.acts, AuditContext.of_system(datetime.now(UTC)), before, changed)
    return changed


@app.command()
@on_database
async def close(
    database: Repositories,
    organisation: OrganisationArgument,
    confirmed: Annotated[bool, typer.Option("--yes", help="Close it: this cannot be undone.")] = False,
    as_json: AsJson = False,
) -> None:
    """Close an organisation permanently. All credentials of its users and clients end with the next request.

    Its sessions stay as they are: archive or delete them before.
    """
    found, audit = await database.get_organisation(organisation), AuditContext.of_system(datetime.now(UTC))
    if not confirmed:
        raise InvalidInput(f"{found.name} cannot be opened again. To close it, repeat the command with --yes.")
    closed = replace(found, closed_at=found.closed_at or audit.at)
    if found.closed_at is None:
        await database.organisations.close(organisation, audit.at)
        await database.acts.add(organisation, audit, Change(ActKind.ORGANISATION_CLOSED, organisation))
    line = f"{found.name} is closed: its users and clients have no access."
    print_result({**_members(found), **members_of(closed, "closed_at")}, line, as_json=as_json)


def _read_logo(file: Path) -> Logo:
    from application.uploads.sanitize_image import ImageUnreadable, fit_logo

    try:
        if file.stat().st_size > _MAX_LOGO:
            raise InvalidInput(f"{file} has more than 5 MB. Make it smaller.")
        return fit_logo(file.read_bytes())
    except OSError as error:
        raise InvalidInput(f"{file}: {error.strerror}.") from error
    except ImageUnreadable as error:
        raise InvalidInput(f"{file}: {error}") from error


def _members(organisation: Organisation) -> JsonObject:
    return members_of(organisation, "organisation_id", "name", "time_zone", "language")
