"""`undersign operator`: tokens with which operators read encrypted payloads in the Temporal UI."""

import sys
from datetime import UTC, datetime, timedelta
from typing import Annotated

import typer

from cli.errors import key_errors
from cli.load_settings import read_settings
from cli.output import AsJson, print_result
from domain.shared.times import rfc3339

app = typer.Typer(help="Tokens for operators, who read payloads of every organisation.", no_args_is_help=True)

MAX_HOURS = 30 * 24


@app.callback()
def _group() -> None:
    """`undersign operator token`."""


@app.command()
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
    # Modules that sign are slow to load, and other commands need none.
    from adapters.keys.secret_keys import ensure_key  # noqa: PLC0415
    from application.operator_tokens import Operator, Operators, token_id  # noqa: PLC0415

    with key_errors():
        operators = Operators(ensure_key(read_settings().data_dir / "keys", "operator.key"))
    until = datetime.now(UTC) + timedelta(hours=hours)
    made = operators.token(Operator(name, until))
    print_result({"token": made, "tokenId": token_id(made), "until": rfc3339(until)}, made, as_json=as_json)
    if not as_json:
        print(f"Its id in logs is {token_id(made)}.", file=sys.stderr)
