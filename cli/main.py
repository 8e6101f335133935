"""`undersign`: the entry point of the command line."""

import asyncio
import os
import sys
from pathlib import Path
from typing import Annotated

import structlog
import typer
from rich.console import Console
from rich.text import Text
from typer.exceptions import TyperException

from cli import api_clients, installation, keys, layout, organisations, receipts, seals, sessions, users, webhooks
from cli.backends import Repositories, on_database, read_settings, read_settings_to_run
from cli.data_directory import with_running_service
from cli.demo.examples import Example
from cli.dev.command import run_service
from cli.output import AsJson, CommandFailed, Progress
from domain.shared.ids import OrganisationId, SessionId
from domain.shared.printable import printable
from domain.shared.version import VERSION

app = typer.Typer(
    name="undersign",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.add_typer(installation.app, name="installation")
app.add_typer(organisations.app, name="organisation")
app.add_typer(sessions.app, name="session")
app.add_typer(api_clients.app, name="client")
app.add_typer(users.app, name="user")
app.add_typer(keys.app, name="key")
app.add_typer(keys.payload_app, name="payload-key")
app.add_typer(keys.operator_app, name="operator")
app.add_typer(seals.app, name="seal")
app.add_typer(receipts.app, name="receipt")
app.add_typer(webhooks.app, name="webhook")
app.add_typer(layout.app, name="layout")


def _print_version(is_given: bool) -> None:  # as Typer calls it
    if is_given:
        typer.echo(f"undersign {VERSION}")
        raise typer.Exit


@app.callback()
def undersign(
    version: Annotated[  # its callback prints it
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Open, self-hostable document signing."""


@app.command()
def dev() -> None:
    """Run the whole service on this machine until Ctrl-C: Temporal server, worker and API.

    The data directory is UNDERSIGN_DATA_DIR (.undersign). UNDERSIGN_API_PORT (8080), UNDERSIGN_TEMPORAL_PORT (7233) and
    UNDERSIGN_TEMPORAL_UI_PORT (8233) set the ports; 0 chooses a free port.
    """
    asyncio.run(run_service(read_settings_to_run(), Progress()))


@app.command()
def demo(
    output: Annotated[Path, typer.Option(help="The directory for the signed documents and the certificate.")] = Path(
        "demo-output"
    ),
    example: Annotated[Example, typer.Option(help="The document that they sign.")] = Example.AGREEMENT,
) -> None:
    """Create, send and sign an example with two recipients, on the service that `undersign dev` runs."""
    from cli.demo.command import run_demo

    run_demo(read_settings().data_dir, output, Progress(), example)


@app.command("mcp")
def assistant() -> None:
    """Serve the assistant tools of a running service (MCP) over standard input and output.

    UNDERSIGN_URL is the address of the service; UNDERSIGN_TOKEN, or UNDERSIGN_CLIENT_ID and UNDERSIGN_CLIENT_SECRET,
    are the credentials. Without UNDERSIGN_URL, the service that `undersign dev` runs on this machine is used.
    """
    from cli.mcp_stdio import read_credentials, serve

    asyncio.run(serve(read_credentials()))


@app.command()
def doctor(
    send_to: Annotated[str | None, typer.Option(metavar="ADDRESS", help="Send a test mail to this address.")] = None,
    as_json: AsJson = False,
) -> None:
    """Check everything that the service needs.

    Settings, keys, the seal, fonts, a document laid out, sealed and verified, database, storage, Temporal, workers,
    mail, timestamps, clock. Nothing is changed; one object is stored and deleted.

    Ends with 0 if nothing failed, 1 if a check failed, and 2 if the settings are invalid.
    """
    from cli.doctor.command import examine

    raise typer.Exit(examine(read_settings(), send_to, as_json=as_json))


@app.command()
def settings() -> None:
    """Describe all settings, in the form of docs/settings.md."""
    from cli.settings_reference import reference

    print(reference(), end="")


@app.command()
@on_database
async def migrate(database: Repositories) -> None:
    """Migrate the database to this version, before its processes are started.

    Every process migrates the database when it starts; use this command to do it first, with a PostgreSQL user that
    may change tables. The schema of a newer version is left unchanged.
    """
    newer = "A newer version has migrated the database; it is left unchanged. This version works with it."
    print(newer if await database.is_newer() else "The database is up to date.")


@app.command()
def replay(
    limit: Annotated[int, typer.Option(min=1, help="The largest number of sessions, newest first.")] = 1000,
) -> None:
    """Check that this version can continue the running sessions, before it is deployed.

    Replays their histories from the Temporal server at UNDERSIGN_TEMPORAL_ADDRESS and changes nothing. Ends with 1 if
    this version cannot continue one of them.
    """
    from cli.repair import check_running_sessions

    asyncio.run(check_running_sessions(with_running_service(read_settings()), limit))


@app.command()
def repair(
    apply: Annotated[bool, typer.Option("--apply", help="Repair them; without it, nothing is changed.")] = False,
    all_lost: Annotated[
        bool, typer.Option("--all-lost", help="Repair them even if most sessions have no run: Temporal was lost.")
    ] = False,
) -> None:
    """Find sessions that differ between the database and Temporal, as after a restore of one of them.

    A row that is missing or outdated is written from the history in Temporal. A run that was stopped or is
    missing is started again from the row. Data that neither store has is reported as lost.

    Nothing is repaired if the namespace, the keys or the store are not those of this installation, nor if most
    sessions have no run, unless --all-lost says that Temporal was lost.

    Ends with 0 if they agree or all were repaired, and with 1 otherwise.
    """
    from cli.repair import repair as repair_sessions

    not_repaired = asyncio.run(repair_sessions(with_running_service(read_settings()), apply=apply, all_lost=all_lost))
    raise typer.Exit(1 if not_repaired else 0)


@app.command()
def verify(  # noqa: PLR0913, PLR0917  # options, not arguments
    files: Annotated[list[Path] | None, typer.Argument(help="PDFs: signed documents and certificates.")] = None,
    trust: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="CERT", help="Trusted certificates of seals (PEM); by default those of this installation."
        ),
    ] = None,
    trust_timestamps: Annotated[
        list[Path] | None, typer.Option(metavar="CERT", help="Trusted certificates of timestamp authorities (PEM).")
    ] = None,
    session: Annotated[str | None, typer.Option(help="A session to check, instead of files.")] = None,
    organisation: Annotated[str | None, typer.Option(help="The organisation that the session belongs to.")] = None,
    as_json: AsJson = False,
) -> None:
    """Verify sealed PDFs, offline.

    Documents that are given with their certificate of completion are
    checked against it. With --session, operators check a session in the
    database: the hash chain of its audit trail, the audit trail against
    the workflow, and its signed PDFs against the recipients' entries.

    Ends with 0 if all checks pass, 1 if one fails, and 2 if a file
    cannot be read or the command is invalid.
    """
    if (session is None) == (not files) or (session is None) != (organisation is None):
        raise typer.BadParameter("Give files, or a session with --session and --organisation.")
    from cli.verify.command import print_findings, read_trusted_certificates, verify_files

    if session is not None and organisation is not None:
        from cli.verify.session import check_session

        named = OrganisationId(organisation.lower()), SessionId(session.lower())
        findings = asyncio.run(check_session(with_running_service(read_settings()), *named))
        raise typer.Exit(print_findings(findings, as_json=as_json))
    trusted = read_trusted_certificates(trust or [], trust_timestamps or [])
    raise typer.Exit(verify_files(files or [], trusted, as_json=as_json))


def run() -> int:
    """Runs the command line; returns the exit code. An error is one line on standard error."""
    try:
        code = app(prog_name="undersign", standalone_mode=False)
    except SystemExit as stop:
        code = stop.code
    except CommandFailed as failure:
        _print_error(str(failure))
        return failure.code
    except TyperException as mistake:
        context = getattr(mistake, "ctx", None)
        if message := " ".join(mistake.format_message().split()):  # it is empty if the help was shown
            full_stop = "" if message.endswith((".", "?")) else "."
            _print_error(f"{message}{full_stop}" + (f" See {context.command_path} --help." if context else ""))
        return mistake.exit_code
    except typer.Abort:
        return 1
    return code if isinstance(code, int) else int(code is not None)


def _print_error(lines: str) -> None:
    for line in lines.splitlines():
        Console(stderr=True).print(Text(f"undersign: {printable(line)}"), soft_wrap=True)


def main() -> None:
    """Runs the command line and ends the process."""
    structlog.configure(
        processors=[lambda _logger, _method, event: f"undersign: {event['event']}"],
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    code = run()
    sys.stdout.flush()
    sys.stderr.flush()
    # Not a plain return: threads of a library can crash the interpreter during its shutdown.
    os._exit(code)


if __name__ == "__main__":
    main()
