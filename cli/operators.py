"""`undersign operator`: tokens with which people read in the Temporal UI what is encrypted there."""

import sys
from datetime import UTC, datetime, timedelta
from typing import Annotated

import typer

from cli.errors import KeyNotUsable
from cli.load_settings import read_settings
from cli.output import AsJson, print_result
from domain.shared.times import rfc3339

# Loading what signs takes longer than most commands, which need none of it: hence the imports inside.

app = typer.Typer(help="Tokens for operators, who read payloads of every organisation.", no_args_is_help=True)

MOST_HOURS = 30 * 24


@app.callback()
def _group() -> None:
    """`undersign operator token`."""


@app.command()
def token(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Whom it is for, as the sign-in page greets them.")],
    hours: Annotated[int, typer.Option(min=1, max=MOST_HOURS, help="How long it lets in.")] = 12,
    as_json: AsJson = False,
) -> None:
    """Print a token for the codec endpoint: for its sign-in page, or --codec-auth of the Temporal command line.

    Logs name no people: what is read with the token is there under its id, which is told beside it.

    Whoever has it reads what Temporal keeps of every organisation. To end
    all tokens: undersign key rotate operator, and key retire operator.
    """
    from adapters.keys.secret_keys import KeysUnusable, ensure_operator_key  # noqa: PLC0415
    from application.operator_tokens import Operator, Operators, token_id  # noqa: PLC0415

    try:
        operators = Operators(ensure_operator_key(read_settings().data_dir / "keys"))
    except KeysUnusable as error:
        raise KeyNotUsable(str(error)) from error
    until = datetime.now(UTC) + timedelta(hours=hours)
    made = operators.token(Operator(name, until))
    print_result({"token": made, "tokenId": token_id(made), "until": rfc3339(until)}, made, as_json=as_json)
    if not as_json:
        print(f"In logs it is {token_id(made)}.", file=sys.stderr)
