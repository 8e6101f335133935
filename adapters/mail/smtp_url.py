"""Where mail is handed over, as `UNDERSIGN_SMTP_URL` says it."""

from dataclasses import dataclass
from urllib.parse import SplitResult, unquote, urlsplit

_PORTS = {"smtp": 587, "smtps": 465, "smtp-plain": 25}


class SmtpUrlInvalid(ValueError):
    """What `UNDERSIGN_SMTP_URL` holds is not understood. The message does not repeat it: it may hold a password."""


@dataclass(frozen=True, slots=True)
class SmtpServer:
    """Where mail is handed over, and how the connection is kept secret.

    `scheme`: `smtp` begins plainly and must become TLS (STARTTLS), `smtps` is TLS from the first byte, `smtp-plain` is
    never encrypted.
    """

    scheme: str
    host: str
    port: int
    user: str | None = None
    password: str | None = None

    @staticmethod
    def at(url: str) -> "SmtpServer":
        """The server of an address like `smtp://user:password@mail.example.com:587`.

        Raises:
            SmtpUrlInvalid: it is not such an address.
        """
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
