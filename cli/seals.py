"""`undersign seal`: the key that seals documents, and the certificates that others need to verify its seals."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.backends import key_directory, key_errors, read_settings
from cli.output import AsJson, InvalidInput, JsonObject, print_list, print_result
from domain.shared.object_names import digest
from domain.shared.times import rfc3339

if TYPE_CHECKING:
    from cryptography import x509

app = typer.Typer(help="The key that seals documents.", no_args_is_help=True)

_COLUMNS = {"name": "NAME", "state": "STATE", "since": "SINCE", "until": "UNTIL", "sha256": "SHA-256"}


@app.command(name="list")
def list_(as_json: AsJson = False) -> None:
    """List the trusted certificates: of the current seal key and of former ones."""
    from adapters.sealing.keys.local_ca import read_local_certificate
    from adapters.sealing.trust_store import read_trusted

    folder = key_directory("seal")
    with key_errors():
        own = None if read_settings().seal_key else read_local_certificate(folder)
        trusted = read_trusted(folder).seals
    before = "sealed before" if own else "is trusted"
    rows = [*([_row("seals", own)] if own else []), *(_row(before, der) for der in trusted if der != own)]
    print_list("certificates", rows, _COLUMNS, as_json=as_json)


@app.command()
def certificate(
    output: Annotated[Path | None, typer.Option(help="The file to write; without it, the output is printed.")] = None,
) -> None:
    """Print the certificates (PEM) of the current and former seal keys. They are public.

    A PDF reader that trusts them, or "undersign verify --trust", accepts
    the seals of these keys and of no other. Publish them again after a
    rotation.
    """
    from adapters.sealing.trust_store import read_trusted

    with key_errors():
        pem = "".join(map(_pem, read_trusted(key_directory("seal")).seals))
    if output is None:
        print(pem, end="")
        return
    try:
        output.write_text(pem, encoding="ascii")
    except OSError as error:
        raise InvalidInput(f"{output}: {error.strerror}. Name a file that can be written.") from error


@app.command()
def rotate(as_json: AsJson = False) -> None:
    """Seal with a new key from now on. Earlier seals stay valid, and no restart is needed.

    The former private key is deleted at once.
    """
    from adapters.sealing.keys.local_ca import rotate_local_key

    if read_settings().seal_key:
        raise InvalidInput(
            "UNDERSIGN_SEAL_KEY names an external key. Create a new one where it is stored, set UNDERSIGN_SEAL_KEY "
            "to it, and restart the service: earlier seals stay valid."
        )
    with key_errors():
        row = _row("seals", rotate_local_key(key_directory("seal")).certificate)
    print_result(row, f"{row['name']} seals from now on, until {row['until']} at the latest.", as_json=as_json)


def _row(state: str, der: bytes) -> JsonObject:
    certificate = _load(der)
    return {
        "name": certificate.subject.rfc4514_string(),
        "state": state if certificate.not_valid_after_utc > datetime.now(UTC) else f"{state}, has expired",
        "since": rfc3339(certificate.not_valid_before_utc),
        "until": rfc3339(certificate.not_valid_after_utc),
        "sha256": digest(der),
    }


def _pem(der: bytes) -> str:
    from cryptography.hazmat.primitives.serialization import Encoding

    return _load(der).public_bytes(Encoding.PEM).decode()


def _load(der: bytes) -> "x509.Certificate":
    from cryptography import x509

    return x509.load_der_x509_certificate(der)
