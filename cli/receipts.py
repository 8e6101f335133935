"""`undersign receipt`: proof that a session which was deleted for ever is gone."""

import asyncio
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.errors import KeyNotUsable, ReceiptInvalid, ReceiptNotFound
from cli.load_settings import read_settings
from cli.repositories import open_repositories
from domain.shared.ids import OrganisationId, SessionId
from ports.database import SessionRows
from settings import Settings

if TYPE_CHECKING:
    from domain.audit.deletion_receipts import Facts

# Loading what signs and checks takes longer than most commands, which need none of it: hence the imports inside.

app = typer.Typer(help="Receipts of sessions that were deleted for ever.", no_args_is_help=True)


@app.command()
def show(
    session_id: Annotated[str, typer.Argument(help="The session that was deleted for ever.")],
    organisation: Annotated[str, typer.Option(help="The organisation whose session it was.")],
    as_json: Annotated[bool, typer.Option("--json", help="Answer as JSON.")] = False,
) -> None:
    """Show the receipt of a session that was deleted for ever, after checking its signature.

    The last line is the receipt itself, to be handed on: whoever has the public key can check it.
    """
    settings = read_settings()
    receipt = asyncio.run(_find(settings, OrganisationId(organisation), SessionId(session_id)))
    facts = _checked(_key(settings), receipt)
    if (facts.get("organisationId"), facts.get("sessionId")) != (organisation, session_id):
        raise ReceiptInvalid("The receipt that is kept is another session's. Restore the database from a backup.")
    if as_json:
        print(json.dumps({**facts, "receipt": receipt}))
    else:
        _print(facts)
        print(receipt)


@app.command()
def check(
    receipt: Annotated[str, typer.Argument(help="A file with the receipt in it; - reads it from the standard input.")],
    key: Annotated[Path | None, typer.Option(help="The public key (PEM); left out, that of this machine.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Answer as JSON.")] = False,
) -> None:
    """Check a receipt that somebody handed on. Ends with 1 if it was changed or is not signed with that key."""
    signed_with = _read(key) if key else _key(read_settings())
    facts = _checked(signed_with, _text(receipt))
    if as_json:
        print(json.dumps(facts))
    else:
        _print(facts)


@app.command(name="key")
def public_key() -> None:
    """Print the public key (PEM) with which anybody can check receipts of this installation."""
    from domain.audit.deletion_receipts import public_key_of  # noqa: PLC0415

    print(public_key_of(_key(read_settings())).decode(), end="")


async def _find(settings: Settings, organisation_id: OrganisationId, session_id: SessionId) -> str:
    async with open_repositories(settings) as repositories:
        receipt = await repositories.sessions.find_receipt(organisation_id, session_id)
        if receipt is None:
            raise ReceiptNotFound(await _why(repositories.sessions, organisation_id, session_id))
        return receipt


async def _why(rows: SessionRows, organisation_id: OrganisationId, session_id: SessionId) -> str:
    if await rows.is_erased(organisation_id, session_id):
        return (
            "The session is out of sight, and being erased still; its receipt comes last. "
            f"See erasure/{session_id} in the Temporal UI."
        )
    return "That organisation has no session of that id that was deleted for ever."


def _checked(key: bytes, receipt: str) -> "Facts":
    from domain.audit.deletion_receipts import ReceiptNotValid, read_receipt  # noqa: PLC0415

    try:
        return read_receipt(key, receipt)
    except ReceiptNotValid as error:
        raise ReceiptInvalid(str(error)) from error


def _key(settings: Settings) -> bytes:
    from adapters.keys.secret_keys import KeysUnusable, read_receipt_key  # noqa: PLC0415

    try:
        return read_receipt_key(settings.data_dir / "keys")
    except KeysUnusable as error:
        raise KeyNotUsable(str(error)) from error


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise KeyNotUsable(f"{path}: {error.strerror}.") from error


def _text(receipt: str) -> str:
    if receipt == "-":
        return sys.stdin.read().strip()
    try:
        return Path(receipt).read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ReceiptInvalid(f"{receipt} cannot be read as a receipt: one line of letters, digits and dots.") from error


def _print(facts: "Facts") -> None:
    print("The signature is good.")
    for label, member in (
        ("session", "sessionId"),
        ("organisation", "organisationId"),
        ("out of sight since", "erasedAt"),
        ("erased completely", "completedAt"),
        ("objects deleted", "objects"),
        ("workflow runs deleted", "workflowRuns"),
    ):
        print(f"  {label:<22} {facts.get(member, '-')}")
