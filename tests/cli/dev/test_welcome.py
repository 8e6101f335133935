from io import StringIO
from pathlib import Path

from rich.console import Console

from cli.dev.welcome import welcome
from tests.cli.dev.dev_info import DEV_INFO


def said(*, mail_leaves: bool) -> str:
    output = StringIO()
    welcome(Console(file=output, width=200), Path("/data"), DEV_INFO, mail_leaves=mail_leaves)
    return output.getvalue()


def test_without_a_mail_server_the_outbox_is_named() -> None:
    text = said(mail_leaves=False)

    assert DEV_INFO.outbox_url in text
    assert "the link is in the outbox" in text
    assert "The invitation is in the outbox" in text


def test_with_a_mail_server_the_outbox_is_not_named() -> None:
    text = said(mail_leaves=True)

    assert "outbox" not in text.lower()
    assert f"give {DEV_INFO.user_email} as your address; the link is sent there by mail" in text
    assert "Your mail server sends the invitation" in text
