"""`undersign key`, `undersign payload-key`, `undersign operator`: keys of the service, and tokens for operators.

Keys of access tokens change at once, other keys with a restart.
"""

import asyncio
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from cli.backends import key_directory, key_errors, open_repositories, read_settings, refuse_differences
from cli.output import AsJson, InvalidInput, JsonObject, print_list, print_result
from domain.shared.times import rfc3339
from workflows.sdk.payload_keys_setting import new_payload_key

if TYPE_CHECKING:
    from domain.ports.keys import KeyRing

app = typer.Typer(help="Keys of access tokens, links, cookies, downloads, drafts, ...", no_args_is_help=True)
payload_app = typer.Typer(help="Keys that encrypt the payloads that Temporal stores.", no_args_is_help=True)
operator_app = typer.Typer(help="Tokens for operators, who read payloads of every organisation.", no_args_is_help=True)

T = TypeVar("T")

MAX_HOURS = 30 * 24

_TOKENS = "access-token"
_NAME = "access-token (the default), cookie, download, draft, link, operator, receipt or webhook."

_COLUMNS = {"keyId": "KEY", "state": "STATE", "since": "SIGNS SINCE", "until": "VERIFIES UNTIL"}


@app.command(name="list")
def list_(as_json: AsJson = False) -> None:
    """List the key that signs access tokens, and former keys whose tokens may still be valid."""
    from adapters.keys.access_token_keys import read_keys

    with key_errors():
        _print_keys(read_keys(key_directory()), as_json=as_json)


@app.command()
def rotate(
    name: Annotated[str, typer.Argument(metavar="[NAME]", help=_NAME)] = _TOKENS, as_json: AsJson = False
) -> None:
    """Sign and encrypt with a new key. Signatures and data of the former key stay valid.

    Access tokens: no restart is needed. The former public key is
    published until its last token has expired, a little more than an
    hour from now; its private key is deleted at once. Processes that
    share the data directory use the new key from their next request on.

    Other keys: the API and the workers use the new key after a restart.
    Former keys are accepted until `undersign key retire NAME`.
    """
    if name != _TOKENS:
        _change(name, as_json=as_json, retires=False)
        return
    from adapters.keys.access_token_keys import rotate_keys
    from application.tokens.access_tokens import KEPT_FOR

    folder = key_directory()
    _print_keys(_record(lambda: rotate_keys(folder, datetime.now(UTC), KEPT_FOR)), as_json=as_json)


# One key in sixty-four has an id that begins with a dash; it must not be read as an option.
@app.command(context_settings={"ignore_unknown_options": True})
def retire(
    key: Annotated[str, typer.Argument(metavar="KEY", help="A name, or the id of an access token key; see `list`.")],
    as_json: AsJson = False,
) -> None:
    """Stop accepting a former key, for example because it has leaked.

    Access tokens: retires one key by its id, at once. Other keys: retires
    all former keys of that name, after a restart of the API and the workers.

    The key that signs cannot be retired: rotate first.
    """
    if key in _names():
        _change(key, as_json=as_json, retires=True)
        return
    from adapters.keys.access_token_keys import retire_key
    from domain.ports.keys import KeyInUse, KeyNotFound

    try:
        with key_errors():
            _print_keys(retire_key(key_directory(), key), as_json=as_json)
    except KeyInUse as error:
        raise InvalidInput("This key signs tokens now. Replace it first: undersign key rotate") from error
    except KeyNotFound as error:
        raise InvalidInput(f"There is no key {key}. See undersign key list.") from error


def _names() -> tuple[str, ...]:
    from adapters.keys.secret_keys import ROTATIONS

    return tuple(sorted(ROTATIONS))


def _change(name: str, *, as_json: bool, retires: bool) -> None:
    from adapters.keys.secret_keys import retire_file, rotate_file

    if name not in _names():
        raise InvalidInput(f"There is no key {name}. Name one of {_TOKENS}, {', '.join(_names())}.")
    folder = key_directory()
    if retires and name == "webhook":
        with key_errors():
            asyncio.run(_reencrypt_secrets(folder))
    former = _record(lambda: retire_file(folder, name) if retires else rotate_file(folder, name))
    count = "no former key is" if not former else "1 former key is" if former == 1 else f"{former} former keys are"
    print_result(
        {"name": name, "formerKeys": former, "restart": True},
        f"{name}: {count} accepted beside the newest. Restart the API and all workers with these keys.",
        as_json=as_json,
    )


def _record(change: Callable[[], T]) -> T:
    """Changes a key file and records its fingerprint, by which processes know the keys of their installation."""
    from config.installation import find_fingerprints

    async def changed() -> T:
        settings = read_settings()
        async with open_repositories(settings) as database:  # before the change: without the database, nothing changes
            known = await database.installation.read()
            with key_errors():
                refuse_differences(known, find_fingerprints(settings))
                result = change()
                found = find_fingerprints(settings)
            await database.installation.replace({name: value for name, value in found.items() if name in known})
            return result

    return asyncio.run(changed())


async def _reencrypt_secrets(folder: Path) -> None:
    from adapters.keys.secret_keys import read_key

    async with open_repositories(read_settings()) as database:
        await database.webhook_secrets(read_key(folder, "webhook.key")).reencrypt()


def _print_keys(ring: "KeyRing", *, as_json: bool) -> None:
    now = datetime.now(UTC)
    keys: list[JsonObject] = [
        {"keyId": ring.signing.key_id, "state": "signs", "since": rfc3339(ring.signing.since), "until": None},
        *(
            {"keyId": key.key_id, "state": "verifies", "since": rfc3339(key.since), "until": rfc3339(key.until)}
            for key in ring.former
            if now < key.until
        ),
    ]
    print_list("keys", keys, _COLUMNS, as_json=as_json)


@payload_app.command(name="new")
def new_key() -> None:
    """Print a new key. It is used once UNDERSIGN_PAYLOAD_KEYS of every worker and API contains it.

    To rotate: add it at the end of the list and restart everything; then
    move it to the front and restart again. Keep the former key in the list
    for as long as Temporal stores sessions that it encrypted.
    """
    print(new_payload_key())


@payload_app.command(name="list")
def list_payload_keys(as_json: AsJson = False) -> None:
    """List the ids of the keys in UNDERSIGN_PAYLOAD_KEYS, as payloads name them. The keys are not shown."""
    keys: list[JsonObject] = [
        {"keyId": key.key_id, "state": "decrypts" if number else "encrypts"}
        for number, key in enumerate(read_settings().temporal.payload_keys)
        if key.secret
    ]
    print_list("keys", keys, {"keyId": "KEY", "state": "STATE"}, as_json=as_json)


@operator_app.callback()
def _group() -> None:
    """`undersign operator token`."""


@operator_app.command()
def token(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The operator's name, shown on the sign-in page.")],
    hours: Annotated[int, typer.Option(min=1, max=MAX_HOURS, help="Hours until the token expires.")] = 12,
    as_json: AsJson = False,
) -> None:
    """Print a token for the codec endpoint: for its sign-in page, or --codec-auth of the Temporal command line.

    Logs contain the token's id, which is printed too, and no name.

    The token gives access to the payloads of every organisation. To revoke
    all tokens: undersign key rotate operator, and key retire operator.
    """
    from adapters.keys.secret_keys import ensure_key
    from application.operator_tokens import Operator, Operators, token_id

    with key_errors():
        operators = Operators(ensure_key(read_settings().data_dir / "keys", "operator.key"))
    until = datetime.now(UTC) + timedelta(hours=hours)
    issued = operators.token(Operator(name, until))
    print_result({"token": issued, "tokenId": token_id(issued), "until": rfc3339(until)}, issued, as_json=as_json)
    if not as_json:
        print(f"Its id in logs is {token_id(issued)}.", file=sys.stderr)
