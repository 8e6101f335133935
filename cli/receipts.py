"""`undersign receipt`: signed proof that a session was deleted permanently."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.backends import Repositories, key_errors, on_database, read_settings
from cli.output import AsJson, CommandFailed, InvalidInput, print_result
from domain.shared.ids import OrganisationId, SessionId

if TYPE_CHECKING:
    from domain.audit.deletion_receipts import Facts

app = typer.Typer(help="Receipts of permanently deleted sessions.", no_args_is_help=True)

_LABELS = {
    "sessionId": "session",
    "organisationId": "organisation",
    "erasedAt": "deleted at",
    "completedAt": "erased completely",
    "objects": "objects deleted",
    "workflowRuns": "workflow runs deleted",
}


@app.command()
@on_database
async def show(
    database: Repositories,
    session_id: Annotated[str, typer.Argument(help="The session that was deleted permanently.")],
    organisation: Annotated[str, typer.Option(help="The organisation that the session belonged to.")],
    as_json: AsJson = False,
) -> None:
    """Show the receipt of a permanently deleted session, after checking its signature.

    The last line is the receipt itself: anyone with the public key can check it.
    """
    stored = OrganisationId(organisation), SessionId(session_id)
    receipt = await database.sessions.find_receipt(*stored)
    if receipt is None and await database.sessions.is_erased(*stored):
        raise CommandFailed(
            "The session is deleted, and its data is still being erased; the receipt comes last. "
            f"See erasure/{session_id} in the Temporal UI."
        )
    if receipt is None:
        raise CommandFailed("That organisation has no permanently deleted session of that id.")
    facts = _verify(_read_own_key(), receipt)
    if (facts.get("organisationId"), facts.get("sessionId")) != (organisation, session_id):
        raise CommandFailed("The stored receipt belongs to another session. Restore the database from a backup.")
    print_result({**facts, "receipt": receipt}, *_lines(facts), receipt, as_json=as_json)


@app.command()
def check(
    receipt: Annotated[str, typer.Argument(help="A file with the receipt; - reads standard input.")],
    key: Annotated[Path | None, typer.Option(help="The public key (PEM); without it, this machine's key.")] = None,
    as_json: AsJson = False,
) -> None:
    """Check a receipt. Ends with 1 if it was changed or is not signed with that key."""
    try:
        public_key = key.read_bytes() if key else _read_own_key()
    except OSError as error:
        raise InvalidInput(f"{key}: {error.strerror}.") from error
    try:
        text = sys.stdin.read() if receipt == "-" else Path(receipt).read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError) as error:
        raise CommandFailed(f"{receipt} cannot be read as a receipt: one line of letters, digits and dots.") from error
    facts = _verify(public_key, text.strip())
    print_result(facts, *_lines(facts), as_json=as_json)


@app.command(name="key")
def public_key() -> None:
    """Print the public key (PEM) that verifies receipts of this installation."""
    from domain.audit.deletion_receipts import public_key_of

    print(public_key_of(_read_own_key()).decode(), end="")


def _verify(key: bytes, receipt: str) -> "Facts":
    from domain.audit.deletion_receipts import InvalidReceipt, read_receipt

    try:
        return read_receipt(key, receipt)
    except InvalidReceipt as error:
        raise CommandFailed(str(error)) from error


def _read_own_key() -> bytes:
    from adapters.keys.secret_keys import read_key

    with key_errors():
        return read_key(read_settings().data_dir / "keys", "receipt.pem")


def _lines(facts: "Facts") -> list[str]:
    return ["The signature is good.", *(f"  {label:<22} {facts.get(name, '-')}" for name, label in _LABELS.items())]
