"""The message of `undersign dev` after the start: addresses, and calls that create a first session."""

import shlex
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

from cli.data_directory import FILE_NAME, DevInfo
from cli.demo.examples import Example

_AFTER = "The invitation is in the outbox. `make demo` (`undersign demo`) does all of this, and signs too."
_AFTER_MAIL = "Your mail server sends the invitation. Replace the email addresses in the example first."


def welcome(console: Console, data_dir: Path, dev_info: DevInfo, *, mail_leaves: bool) -> None:
    """Prints the addresses and the calls. With `mail_leaves`, a mail server is used instead of the outbox."""
    addresses = {
        "App": dev_info.app_url,
        "API": dev_info.api_url,
        "Reference": f"{dev_info.api_url}/docs",
        **({} if mail_leaves else {"Outbox": dev_info.outbox_url}),
        "Temporal UI": dev_info.temporal_ui_url,
        "Credentials": str(data_dir / FILE_NAME),
    }
    lines = Text("\nUndersign is running.\n\n", style="bold")
    for name, address in addresses.items():
        lines.append(f"  {name:<13}", style="dim").append(f"{address}\n", style="default")
    lines.append("\nTo sign in to the app, give ", style="default").append(dev_info.user_email, style="bold")
    lines.append(" as your address; the link is ", style="default")
    lines.append("sent there by mail.\n" if mail_leaves else "in the outbox.\n", style="default")
    lines.append("\nA first session, in three calls (paste them into another terminal):\n\n", style="default")
    console.print(lines, soft_wrap=True, end="")
    console.print(Text(curl_calls(data_dir, dev_info)), soft_wrap=True)
    console.print(
        Text(f"{_AFTER_MAIL if mail_leaves else _AFTER}\nCtrl-C stops the service; its data is kept."), soft_wrap=True
    )


def curl_calls(data_dir: Path, dev_info: DevInfo) -> str:
    """Returns shell commands that get a token, create a session and send it. The secret stays in its file."""
    python, access = shlex.quote(sys.executable), shlex.quote(str(data_dir / FILE_NAME))
    auth = '-H "Authorization: Bearer $token"'
    return f"""\
  member() {{ {python} -c "import json, sys; print(json.load(sys.stdin)['$1'])"; }}
  api={dev_info.api_url}

  token=$(curl -sS $api/oidc/token -d grant_type=client_credentials \\
    -u "$(member clientId < {access}):$(member clientSecret < {access})" | member access_token)

  session=$(curl -sS $api/api/v1/Session {auth} \\
    -H "Content-Type: application/json" -d @{shlex.quote(str(Example.AGREEMENT.request))} | member sessionId)

  curl -sS -X POST $api/api/v1/Session/$session/Send {auth}
"""
