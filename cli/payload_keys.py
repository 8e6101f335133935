"""`undersign payload-key`: the keys under which Temporal is given what it keeps."""

import typer

from cli.load_settings import read_settings
from cli.output import AsJson, JsonObject, print_list
from workflows.sdk.payload_keys import new_payload_key

app = typer.Typer(help="Keys that encrypt what Temporal keeps.", no_args_is_help=True)

_COLUMNS = {"keyId": "KEY", "state": "STATE"}


@app.command()
def new() -> None:
    """Print a new key. Nothing uses it until UNDERSIGN_PAYLOAD_KEYS of every worker and API has it.

    To rotate: add it at the end of the list and restart everything; then
    move it to the front and restart again. The key of before stays in the
    list for as long as sessions that it encrypted are kept by Temporal.
    """
    print(new_payload_key())


@app.command(name="list")
def list_(as_json: AsJson = False) -> None:
    """List the names of the keys in UNDERSIGN_PAYLOAD_KEYS, as payloads refer to them. The keys are not shown."""
    keys: list[JsonObject] = [
        {"keyId": key.key_id, "state": "decrypts" if number else "encrypts"}
        for number, key in enumerate(read_settings().temporal.payload_keys)
        if key.secret
    ]
    print_list("keys", keys, _COLUMNS, as_json=as_json)
