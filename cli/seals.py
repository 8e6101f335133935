"""`undersign seal`: the key that documents are sealed with, and what others need to believe it."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.errors import KeyNotUsable
from cli.load_settings import read_settings
from cli.output import AsJson, JsonObject, print_list, print_result
from domain.shared.times import rfc3339

if TYPE_CHECKING:
    from cryptography import x509

# Loading what reads certificates takes longer than most commands, which need none of it: hence the imports inside.

app = typer.Typer(help="The key that documents are sealed with.", no_args_is_help=True)

_COLUMNS = {"name": "NAME", "state": "STATE", "since": "SINCE", "until": "UNTIL", "sha256": "SHA-256"}


@app.command(name="list")
def list_(as_json: AsJson = False) -> None:
    """List the certificates whose seals are believed: the one that seals, and those that sealed before."""
    from adapters.keys.secret_keys import KeysUnusable  # noqa: PLC0415
    from adapters.sealing.keys.local_ca import read_local_certificate  # noqa: PLC0415
    from adapters.sealing.trust_store import read_trusted  # noqa: PLC0415

    folder = _folder()
    try:
        own = None if read_settings().seal_key else read_local_certificate(folder)
        trusted = read_trusted(folder).seals
    except KeysUnusable as error:
        raise KeyNotUsable(str(error)) from error
    before = "sealed before" if own else "is believed"
    rows = [("seals", own)] if own else []
    rows += [(before, der) for der in trusted if der != own]
    print_list("certificates", [_row(state, der) for state, der in rows], _COLUMNS, as_json=as_json)


@app.command()
def certificate(
    output: Annotated[Path | None, typer.Option(help="The file to write; else it is printed.")] = None,
) -> None:
    """Print the certificates (PEM) of the keys that seal and sealed here. They are public.

    A PDF reader that trusts them, or "undersign verify --trust", believes
    the seals of these keys and of no other. Publish them again after a
    rotation.
    """
    from adapters.keys.secret_keys import KeysUnusable  # noqa: PLC0415
    from adapters.sealing.trust_store import read_trusted  # noqa: PLC0415

    try:
        pem = "".join(map(_pem, read_trusted(_folder()).seals))
    except KeysUnusable as error:
        raise KeyNotUsable(str(error)) from error
    if output is None:
        print(pem, end="")
        return
    try:
        output.write_text(pem, encoding="ascii")
    except OSError as error:
        raise KeyNotUsable(f"{output}: {error.strerror}. Name a file that can be written.") from error


@app.command()
def rotate(as_json: AsJson = False) -> None:
    """Seal with a new key from now on. What was sealed before stays valid, and nothing has to be restarted.

    The private part of the key of before is deleted at once.
    """
    from adapters.keys.secret_keys import KeysUnusable  # noqa: PLC0415
    from adapters.sealing.keys.local_ca import rotate_local_key  # noqa: PLC0415

    if read_settings().seal_key:
        raise KeyNotUsable(
            "UNDERSIGN_SEAL_KEY names a key of your own. Make a new one where it is kept, have the setting name "
            "that, and start the service again: what was sealed before stays valid."
        )
    try:
        row = _row("seals", rotate_local_key(_folder()).certificate)
    except KeysUnusable as error:
        raise KeyNotUsable(str(error)) from error
    print_result(row, f"{row['name']} seals from now on, until {row['until']} at the latest.", as_json=as_json)


def _folder() -> Path:
    folder = read_settings().data_dir / "keys" / "seal"
    if not folder.is_dir():
        raise KeyNotUsable(
            f"There are no keys in {folder}. Start the service once, or set UNDERSIGN_DATA_DIR to its data directory."
        )
    return folder


def _row(state: str, der: bytes) -> JsonObject:
    from domain.shared.object_names import digest  # noqa: PLC0415

    found = _certificate(der)
    return {
        "name": found.subject.rfc4514_string(),
        "state": state if found.not_valid_after_utc > datetime.now(UTC) else f"{state}, has ended",
        "since": rfc3339(found.not_valid_before_utc),
        "until": rfc3339(found.not_valid_after_utc),
        "sha256": digest(der),
    }


def _pem(der: bytes) -> str:
    from cryptography.hazmat.primitives.serialization import Encoding  # noqa: PLC0415

    return _certificate(der).public_bytes(Encoding.PEM).decode()


def _certificate(der: bytes) -> "x509.Certificate":
    from cryptography import x509  # noqa: PLC0415

    return x509.load_der_x509_certificate(der)
