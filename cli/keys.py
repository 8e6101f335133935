"""`undersign key`: the keys of the service. Those of access tokens change at once, the others with a restart."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.errors import CommandFailed, KeyNotUsable
from cli.load_settings import read_settings
from cli.output import AsJson, Members, tell, tell_list
from cli.repositories import open_registry
from domain.shared.times import rfc3339

if TYPE_CHECKING:
    from ports.access_keys import KeyRing

# Loading what signs and checks takes longer than most commands, which need none of it: hence the imports inside.

app = typer.Typer(help="Keys of access tokens, links, cookies, downloads, drafts, ...", no_args_is_help=True)

_TOKENS = "access-token"
_NAME = "access-token (as is without a name), cookie, download, draft, link, operator, receipt or webhook."

_COLUMNS = {"keyId": "KEY", "state": "STATE", "since": "SIGNS SINCE", "until": "VERIFIES UNTIL"}


@app.command(name="list")
def list_(as_json: AsJson = False) -> None:
    """List the key that signs, and those of before whose tokens may still be valid."""
    from adapters.keys.secret_keys import KeysUnusable  # noqa: PLC0415
    from adapters.keys.token_signing import read_keys  # noqa: PLC0415

    try:
        _tell(read_keys(_folder()), as_json=as_json)
    except KeysUnusable as error:
        raise _unusable(error) from error


@app.command()
def rotate(
    name: Annotated[str, typer.Argument(metavar="[NAME]", help=_NAME)] = _TOKENS, as_json: AsJson = False
) -> None:
    """Sign and encrypt with a new key. What the former one signed or encrypted stays valid.

    Access tokens: nothing has to be restarted. The key of before is
    published until its last token is over, an hour from now and a little
    more; its private part is deleted at once. Processes that share the
    data directory follow with their next request.

    All others: API and workers take the new key after a restart. The
    former keys are taken until `undersign key retire NAME`.
    """
    if name != _TOKENS:
        _change(name, as_json=as_json, retires=False)
        return
    from adapters.keys.secret_keys import KeysUnusable  # noqa: PLC0415
    from adapters.keys.token_signing import rotate_keys  # noqa: PLC0415
    from application.oauth.access_tokens import KEPT_FOR  # noqa: PLC0415

    try:
        _tell(rotate_keys(_folder(), datetime.now(UTC), KEPT_FOR), as_json=as_json)
    except KeysUnusable as error:
        raise _unusable(error) from error


# One key in sixty-four has an id that begins with a dash, and is no option for that.
@app.command(context_settings={"ignore_unknown_options": True})
def retire(
    key: Annotated[
        str,
        typer.Argument(metavar="KEY", help="A name, or the id of a key of access tokens; see `list`."),
    ],
    as_json: AsJson = False,
) -> None:
    """End a former key and all that it signed: for a key that has leaked.

    Of access tokens, one key by its id, at once. Of a name, all former
    keys, after a restart of API and workers.

    The key that signs cannot be retired: rotate first.
    """
    if key in _names():
        _change(key, as_json=as_json, retires=True)
        return
    from adapters.keys.secret_keys import KeysUnusable  # noqa: PLC0415
    from adapters.keys.token_signing import retire_key  # noqa: PLC0415
    from ports.access_keys import KeySigns, NoSuchKey  # noqa: PLC0415

    try:
        _tell(retire_key(_folder(), key), as_json=as_json)
    except KeySigns as error:
        raise KeyNotUsable("This key signs tokens now. Have another one do so first: undersign key rotate") from error
    except NoSuchKey as error:
        raise KeyNotUsable(f"There is no key {key}. See undersign key list.") from error
    except KeysUnusable as error:
        raise _unusable(error) from error


def _names() -> tuple[str, ...]:
    from adapters.keys.rotation import ROTATIONS  # noqa: PLC0415

    return tuple(sorted(ROTATIONS))


def _change(name: str, *, as_json: bool, retires: bool) -> None:
    from adapters.keys.rotation import retire_file, rotate_file  # noqa: PLC0415
    from adapters.keys.secret_keys import KeysUnusable  # noqa: PLC0415

    if name not in _names():
        raise KeyNotUsable(f"There is no key {name}. Name one of {_TOKENS}, {', '.join(_names())}.")
    folder = _folder()
    try:
        if retires and name == "webhook":
            asyncio.run(_encrypt_secrets_again(folder))
        former = retire_file(folder, name) if retires else rotate_file(folder, name)
    except KeysUnusable as error:
        raise _unusable(error) from error
    tell({"name": name, "formerKeys": former, "restart": True}, _told(name, former), as_json=as_json)


def _told(name: str, former: int) -> str:
    kept = "no former key is" if not former else "1 former key is" if former == 1 else f"{former} former keys are"
    return f"{name}: {kept} taken beside the newest. Restart API and workers, everywhere, with these keys."


async def _encrypt_secrets_again(folder: Path) -> None:
    from adapters.keys.secret_keys import read_key  # noqa: PLC0415

    async with open_registry(read_settings()) as registry:
        await registry.webhook_secrets(read_key(folder, "webhook.key")).reencrypt()


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
