"""`undersign`: the command line."""

import asyncio
import os
import sys
from pathlib import Path
from typing import Annotated

import structlog
import typer
from rich.console import Console
from rich.text import Text
from structlog.typing import EventDict, WrappedLogger
from typer.exceptions import TyperException

from cli import clients, keys, layout, operators, organisations, payload_keys, receipts, seals, users, webhooks
from cli.demo.examples import Example
from cli.dev.command import run_service
from cli.dev.dev_info import with_running_service
from cli.errors import CommandFailed
from cli.load_settings import read_settings, read_settings_to_run
from cli.output import AsJson
from cli.progress import Progress
from domain.shared.config_error import VERSION
from domain.shared.ids import OrganisationId, SessionId

app = typer.Typer(
    name="undersign",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.add_typer(organisations.app, name="organisation")
app.add_typer(clients.app, name="client")
app.add_typer(users.app, name="user")
app.add_typer(keys.app, name="key")
app.add_typer(payload_keys.app, name="payload-key")
app.add_typer(operators.app, name="operator")
app.add_typer(seals.app, name="seal")
app.add_typer(receipts.app, name="receipt")
app.add_typer(webhooks.app, name="webhook")
app.add_typer(layout.app, name="layout")


def _print_version(is_wanted: bool) -> None:  # as Typer calls it
    if is_wanted:
        typer.echo(f"undersign {VERSION}")
        raise typer.Exit


@app.callback()
def undersign(
    version: Annotated[  # its callback does it
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Open, self-hostable document signing."""


@app.command()
def dev() -> None:
    """Run the whole service on this machine: engines, worker and API, until Ctrl-C.

    The data directory is UNDERSIGN_DATA_DIR (.undersign). UNDERSIGN_API_PORT (8080), UNDERSIGN_TEMPORAL_PORT (7233) and
    UNDERSIGN_TEMPORAL_UI_PORT (8233) set the ports; 0 takes any free one.
    """
    asyncio.run(run_service(read_settings_to_run(), Progress(Console(highlight=False))))


@app.command()
def demo(
    output: Annotated[Path, typer.Option(help="Where the signed documents and the certificate go.")] = Path(
        "demo-output"
    ),
    example: Annotated[Example, typer.Option(help="What they sign.")] = Example.AGREEMENT,
) -> None:
    """Have two recipients sign an example on the service that `undersign dev` runs."""
    from cli.demo.command import run_demo  # noqa: PLC0415  # only this command needs the client

    run_demo(read_settings().data_dir, output, Progress(Console(highlight=False)), example)


@app.command("mcp")
def assistant() -> None:
    """Let an assistant of this machine use a running service, over standard input and output.

    UNDERSIGN_URL says where the service is; UNDERSIGN_TOKEN, or UNDERSIGN_CLIENT_ID and UNDERSIGN_CLIENT_SECRET, say
    who calls. Without UNDERSIGN_URL it is the service that `undersign dev` runs on this machine.
    """
    from cli.mcp_stdio.command import credentials_from, read_environment, serve  # noqa: PLC0415  # only this command needs the client

    asyncio.run(serve(credentials_from(read_environment())))


@app.command()
def doctor(
    send_to: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Whom to send a mail; none leaves else.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Look whether everything is there that the service needs, and works.

    Settings, keys, the seal, fonts, a document laid out, sealed and verified, database, storage, Temporal, workers,
    mail, timestamps, clock. Nothing is changed; one object is stored and deleted.

    Ends with 0 if nothing failed, 1 if something did, and 2 if the settings make no sense.
    """
    from cli.doctor.command import examine  # noqa: PLC0415  # it loads everything

    raise typer.Exit(examine(read_settings(), send_to, as_json=as_json))


@app.command()
def settings() -> None:
    """Describe all settings, as docs/settings.md does."""
    from cli.settings_reference import reference  # noqa: PLC0415  # only this command reads the source

    print(reference(), end="")


@app.command()
def migrate() -> None:
    """Bring the database up to date, before a version that needs it is started.

    Every process does it when it starts; this is for whoever wants it done first, by a user of PostgreSQL who
    may change tables. What a newer version has made is left as it is.
    """
    from cli.repositories import open_repositories  # noqa: PLC0415  # only some commands speak to databases

    async def bring_up_to_date() -> None:
        settings = read_settings()
        async with open_repositories(settings) as repositories:
            is_newer = await repositories.is_newer()
        newer = "The database was made by a newer version, and is left as it is. This version works with it."
        print(newer if is_newer else "The database is up to date.")

    asyncio.run(bring_up_to_date())


@app.command()
def replay(
    limit: Annotated[int, typer.Option(min=1, help="At most so many, the newest first.")] = 1000,
) -> None:
    """Check that this version can go on with the sessions that are running, before it is deployed.

    Replays their histories from the Temporal server at UNDERSIGN_TEMPORAL_ADDRESS and changes nothing. Ends with 1 if
    any of them would get stuck.
    """
    from cli.replay import check_running_sessions  # noqa: PLC0415  # only this command needs Temporal's SDK

    asyncio.run(check_running_sessions(with_running_service(read_settings()), limit))


@app.command()
def repair(
    apply: Annotated[bool, typer.Option("--apply", help="Mend what is found; without it nothing is changed.")] = False,
) -> None:
    """Find sessions that the database and Temporal do not agree on, as after the restore of one of them.

    A row that is missing or behind is written from the history in Temporal. A run that was stopped or is
    missing is started again from the row. What is in neither store is named.

    Ends with 0 if they agree or all was mended, and with 1 if something is left.
    """
    from cli.repair import repair as repair_sessions  # noqa: PLC0415  # only this command needs Temporal's SDK

    left = asyncio.run(repair_sessions(with_running_service(read_settings()), apply=apply))
    raise typer.Exit(1 if left else 0)


@app.command()
def verify(  # noqa: PLR0913, PLR0917  # options, not arguments
    files: Annotated[list[Path] | None, typer.Argument(help="PDFs: signed documents and certificates.")] = None,
    trust: Annotated[
        list[Path] | None,
        typer.Option(metavar="CERT", help="Certificates whose seals are believed (PEM); else those here."),
    ] = None,
    trust_timestamps: Annotated[
        list[Path] | None, typer.Option(metavar="CERT", help="Whose timestamps are believed (PEM).")
    ] = None,
    session: Annotated[str | None, typer.Option(help="Instead of files: a session whose history is checked.")] = None,
    organisation: Annotated[str | None, typer.Option(help="The organisation whose session it is.")] = None,
    as_json: AsJson = False,
) -> None:
    """Say what holds of sealed PDFs, and what does not. Works offline.

    Documents that are named beside their certificate of completion are
    checked against it. With --session, operators check the history that
    the database has of a session, against itself and the workflow, and
    its signed PDFs against what the recipients entered.

    Ends with 0 if all holds, 1 if something does not, and 2 if a file
    cannot be read or the command makes no sense.
    """
    if (session is None) == (not files) or (session is None) != (organisation is None):
        raise typer.BadParameter("Name files, or a session with --session and --organisation.")
    if session is not None and organisation is not None:
        raise typer.Exit(_verify_session(organisation, session, as_json=as_json))
    from cli.verify import read_trusted_certificates, verify_files  # noqa: PLC0415  # slow to load

    raise typer.Exit(
        verify_files(files or [], read_trusted_certificates(trust or [], trust_timestamps or []), as_json=as_json)
    )


def _verify_session(organisation: str, session: str, *, as_json: bool) -> int:
    from cli.verify import print_findings  # noqa: PLC0415  # as above
    from cli.verify_session import check_session  # noqa: PLC0415

    settings = with_running_service(read_settings())
    found = check_session(settings, OrganisationId(organisation.lower()), SessionId(session.lower()))
    return print_findings(found, as_json=as_json)


def run() -> int:
    """Does what the command line says; the exit code. What goes wrong is one line."""
    try:
        code = app(prog_name="undersign", standalone_mode=False)
    except SystemExit as stop:
        code = stop.code
    except CommandFailed as failure:
        _complain(str(failure))
        return failure.code
    except TyperException as mistake:
        params = getattr(mistake, "ctx", None)
        wrong = " ".join(mistake.format_message().split())
        if wrong:  # nothing is when nothing was params for, and the help was shown
            _complain(
                (wrong if wrong.endswith((".", "?")) else f"{wrong}.")
                + (f" See {params.command_path} --help." if params else "")
            )
        return mistake.exit_code
    except typer.Abort:
        return 1
    if code is None:
        return 0
    return code if isinstance(code, int) else 1


def _show_warning(_logger: WrappedLogger, _method: str, event: EventDict) -> str:
    """What a log of a service says, as the line of a command."""
    return f"undersign: {event['event']}"


def _complain(lines: str) -> None:
    for line in lines.splitlines():
        Console(stderr=True).print(Text(f"undersign: {line}"), soft_wrap=True)


def main() -> None:
    """The entry point."""
    structlog.configure(processors=[_show_warning], logger_factory=structlog.PrintLoggerFactory(sys.stderr))
    code = run()
    sys.stdout.flush()
    sys.stderr.flush()
    # Not a plain return: threads of a library must not be able to crash the interpreter while it takes itself apart.
    os._exit(code)


if __name__ == "__main__":
    main()
