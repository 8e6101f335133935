"""Passwords in settings that are easy to guess: short, common, or equal to their user."""

from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, unquote, urlsplit

if TYPE_CHECKING:
    from config.settings import Settings

_COMMON_PASSWORDS = frozenset(
    {
        *("12345678", "123456789", "1234567890", "administrator", "changeit", "changeme", "change-me", "default"),
        *("development", "letmein1", "password", "password1", "passw0rd", "placeholder", "postgres", "postgresql"),
        *("qwertyuiop", "secret123", "supersecret", "temporal", "undersign", "your-password", "yourpassword"),
    }
)


def find_weak_passwords(settings: "Settings") -> Iterator[str]:
    """Yields the names of the settings with a password that is easy to guess."""
    is_pin = (settings.seal_key or "").startswith("pkcs11:")  # PINs are short
    if settings.seal_passphrase and not is_pin and _is_weak(settings.seal_passphrase.get_secret_value()):
        yield "SEAL_PASSPHRASE"
    urls = {
        "DATABASE_URL": settings.database_url,
        "RATE_LIMIT_STORAGE": settings.rate_limit_storage,
        "SMTP_URL": settings.mail_server,
        "TIMESTAMP_URL": settings.seal.timestamps,
    }
    yield from (name for name, url in urls.items() if _has_weak_password(url))


def _is_weak(secret: str) -> bool:
    return len(secret) < 8 or secret.lower() in _COMMON_PASSWORDS or len(set(secret)) < 4


def _has_weak_password(url: str | None) -> bool:
    """Returns whether a password in `scheme://user:password@host/path?password=...` is weak, or equals the user."""
    try:
        parts = urlsplit(url or "")
        user, password = (unquote(text or "") for text in (parts.username, parts.password))
    except ValueError:
        return False
    passwords = [password, *parse_qs(parts.query).get("password", ())]
    return any(_is_weak(one) or one == user for one in passwords if one)
