"""`undersign key`: the keys that access tokens are signed and verified with."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from api.cli.answers import AsJson, Members, tell_list
from api.cli.failures import CommandFailed, KeyNotUsable
from api.cli.reading import read_settings
from domain.times import rfc3339

if TYPE_CHECKING:
    from adapters.access_keys import KeyRing

# Loading what signs and checks takes longer than most commands, which need none of it: hence the imports inside.

app = typer.Typer(help="Keys that access tokens are signed and verified with.", no_args_is_help=True)

_COLUMNS = {"keyId": "KEY", "state": "STATE", "since": "SIGNS SINCE", "until": "VERIFIES UNTIL"}


@app.command(name="list")
def list_(as_json: AsJson = False) -> None:
    """List the key that signs, and those of before whose tokens may still be valid."""
    from adapters.access_keys import read_keys  # noqa: PLC0415
    from adapters.keys import KeysUnusable  # noqa: PLC0415

    try:
        _tell(read_keys(_folder()), as_json=as_json)
    except KeysUnusable as error:
        raise _unusable(error) from error


@app.command()
def rotate(as_json: AsJson = False) -> None:
    """Sign with a new key from now on. No token ends, and nothing has to be restarted.

    The key of before is published until its last token is over, an hour
    from now and a little more; its private part is deleted at once.
    Processes that share the data directory follow with their next request.
    """
    from adapters.access_keys import rotate_keys  # noqa: PLC0415
    from adapters.keys import KeysUnusable  # noqa: PLC0415
    from api.oidc.tokens import KEPT_FOR  # noqa: PLC0415

    try:
        _tell(rotate_keys(_folder(), datetime.now(UTC), KEPT_FOR), as_json=as_json)
    except KeysUnusable as error:
        raise _unusable(error) from error


# One key in sixty-four has an id that begins with a dash, and is no option for that.
@app.command(context_settings={"ignore_unknown_options": True})
def retire(
    key: Annotated[str, typer.Argument(metavar="KEY", help="The id of a key that signs no more; see `list`.")],
    as_json: AsJson = False,
) -> None:
    """End a former key and every token that it signed, at once: for a key that has leaked.

    The key that signs cannot be retired: rotate first.
    """
    from adapters.access_keys import KeySigns, NoSuchKey, retire_key  # noqa: PLC0415
    from adapters.keys import KeysUnusable  # noqa: PLC0415

    try:
        _tell(retire_key(_folder(), key), as_json=as_json)
    except KeySigns as error:
        raise KeyNotUsable("This key signs tokens now. Have another one do so first: undersign key rotate") from error
    except NoSuchKey as error:
        raise KeyNotUsable(f"There is no key {key}. See undersign key list.") from error
    except KeysUnusable as error:
        raise _unusable(error) from error


def _folder() -> Path:
    folder = read_settings().data_dir / "keys"
    if not folder.is_dir():
        raise KeyNotUsable(
            f"There are no keys in {folder}. Start the service once, or set UNDERSIGN_DATA_DIR to its data directory."
        )
    return folder


def _unusable(error: Exception) -> CommandFailed:
    return KeyNotUsable(str(error))


def _tell(ring: "KeyRing", *, as_json: bool) -> None:
    now = datetime.now(UTC)
    signing: Members = {
        "keyId": ring.signing.key_id,
        "state": "signs",
        "since": rfc3339(ring.signing.since),
        "until": None,
    }
    former: list[Members] = [
        {"keyId": key.key_id, "state": "verifies", "since": rfc3339(key.since), "until": rfc3339(key.until)}
        for key in ring.former
        if now < key.until
    ]
    tell_list("keys", [signing, *former], _COLUMNS, as_json=as_json)
