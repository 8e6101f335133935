"""Parses `UNDERSIGN_SMTP_URL`, the mail server."""

from dataclasses import dataclass
from urllib.parse import SplitResult, unquote, urlsplit

_PORTS = {"smtp": 587, "smtps": 465, "smtp-plain": 25}


class SmtpUrlInvalid(ValueError):
    """`UNDERSIGN_SMTP_URL` is invalid. The message does not repeat the value, which may hold a password."""


@dataclass(frozen=True, slots=True)
class SmtpServer:
    """The mail server and how the connection is encrypted.

    `scheme`: `smtp` requires STARTTLS, `smtps` uses TLS from the start, `smtp-plain` is never encrypted.
    """

    scheme: str
    host: str
    port: int
    user: str | None = None
    password: str | None = None

    @staticmethod
    def at(url: str) -> "SmtpServer":
        """Parses a URL like `smtp://user:password@mail.example.com:587`. Raises `SmtpUrlInvalid`."""
        try:
            parts = urlsplit(url)
            port = parts.port or _PORTS[parts.scheme]
        except (ValueError, KeyError) as error:
            raise SmtpUrlInvalid(
                "UNDERSIGN_SMTP_URL must be smtp://host, smtps://host or smtp-plain://host, with a port if it is not "
                "the usual one"
            ) from error
        _check(parts)
        user, password = (unquote(text) if text else None for text in (parts.username, parts.password))
        return SmtpServer(parts.scheme, parts.hostname or "", port, user, password)


def _check(parts: SplitResult) -> None:
    if not parts.hostname or parts.path.strip("/") or parts.query or parts.fragment:
        raise SmtpUrlInvalid("UNDERSIGN_SMTP_URL must name a host and nothing after it; escape / ? # @ in a password")
    if bool(parts.username) != bool(parts.password):
        raise SmtpUrlInvalid("UNDERSIGN_SMTP_URL must hold both a user and a password, or neither")
    if parts.scheme == "smtp-plain" and parts.username:
        raise SmtpUrlInvalid("UNDERSIGN_SMTP_URL: a password goes by smtp:// or smtps:// only")
