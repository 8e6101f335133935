"""Signing in to the app, from the mail on."""

import re
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path

_LINK = re.compile(r"https?://\S+/app/sign-in/\S+")


def sign_in_link(outbox: Path) -> str | None:
    """The link in the latest mail that signs in; None when there is none yet."""
    for path in sorted(outbox.glob("*.eml"), reverse=True):
        content = path.read_bytes()
        if b"<sign-in." not in content:  # its Message-ID
            continue
        message = message_from_bytes(content, policy=default)
        assert isinstance(message, EmailMessage)
        body = message.get_body(("plain",))
        found = _LINK.search(body.get_content()) if body else None
        if found:
            return found.group()
    return None
