"""`undersign receipt`: signed proof that a session was deleted permanently."""

import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.errors import KeyNotUsable, ReceiptInvalid, ReceiptNotFound, key_errors
from cli.load_settings import read_settings
from cli.output import AsJson, print_result
from cli.repositories import open_repositories
from domain.shared.ids import OrganisationId, SessionId

if TYPE_CHECKING:
    from domain.audit.deletion_receipts import Facts

# Modules that sign and verify are slow to load, and most commands need none of them: hence the imports inside.

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
def show(
    session_id: Annotated[str, typer.Argument(help="The session that was deleted permanently.")],
    organisation: Annotated[str, typer.Option(help="The organisation that the session belonged to.")],
    as_json: AsJson = False,
) -> None:
    """Show the receipt of a permanently deleted session, after checking its signature.

    The last line is the receipt itself: anybody who has the public key can check it.
    """
    receipt = asyncio.run(_find(OrganisationId(organisation), SessionId(session_id)))
    facts = _verify(_read_own_key(), receipt)
    if (facts.get("organisationId"), facts.get("sessionId")) != (organisation, session_id):
        raise ReceiptInvalid("The stored receipt belongs to another session. Restore the database from a backup.")
    print_result({**facts, "receipt": receipt}, *_lines(facts), receipt, as_json=as_json)


@app.command()
def check(
    receipt: Annotated[str, typer.Argument(help="A file with the receipt; - reads standard input.")],
    key: Annotated[Path | None, typer.Option(help="The public key (PEM); without it, this machine's key.")] = None,
    as_json: AsJson = False,
) -> None:
    """Check a receipt. Ends with 1 if it was changed or is not signed with that key."""
    facts = _verify(_read_key(key) if key else _read_own_key(), _read_receipt(receipt))
    print_result(facts, *_lines(facts), as_json=as_json)


@app.command(name="key")
def public_key() -> None:
    """Print the public key (PEM) that verifies receipts of this installation."""
    from domain.audit.deletion_receipts import public_key_of  # noqa: PLC0415

    print(public_key_of(_read_own_key()).decode(), end="")


async def _find(organisation_id: OrganisationId, session_id: SessionId) -> str:
    async with open_repositories(read_settings()) as repositories:
        receipt = await repositories.sessions.find_receipt(organisation_id, session_id)
        if receipt is not None:
            return receipt
        if await repositories.sessions.is_erased(organisation_id, session_id):
            raise ReceiptNotFound(
                "The session is deleted, and its data is still being erased; the receipt comes last. "
                f"See erasure/{session_id} in the Temporal UI."
            )
    raise ReceiptNotFound("That organisation has no permanently deleted session of that id.")


def _verify(key: bytes, receipt: str) -> "Facts":
    from domain.audit.deletion_receipts import InvalidReceipt, read_receipt  # noqa: PLC0415

    try:
        return read_receipt(key, receipt)
    except InvalidReceipt as error:
        raise ReceiptInvalid(str(error)) from error


def _read_own_key() -> bytes:
    from adapters.keys.secret_keys import read_key  # noqa: PLC0415

    with key_errors():
        return read_key(read_settings().data_dir / "keys", "receipt.pem")


def _read_key(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise KeyNotUsable(f"{path}: {error.strerror}.") from error


def _read_receipt(receipt: str) -> str:
    if receipt == "-":
        return sys.stdin.read().strip()
    try:
        return Path(receipt).read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ReceiptInvalid(f"{receipt} cannot be read as a receipt: one line of letters, digits and dots.") from error


def _lines(facts: "Facts") -> list[str]:
    return ["The signature is good.", *(f"  {label:<22} {facts.get(name, '-')}" for name, label in _LABELS.items())]
