"""Passwords that whoever breaks in tries first."""

from urllib.parse import unquote, urlsplit

SHORTEST = 8
"""Characters."""

_KNOWN = frozenset(
    {
        *("12345678", "123456789", "1234567890", "administrator", "changeit", "changeme", "change-me", "default"),
        *("development", "letmein1", "password", "password1", "passw0rd", "placeholder", "postgres", "postgresql"),
        *("qwertyuiop", "secret123", "supersecret", "undersign", "your-password", "yourpassword"),
    }
)


def is_weak(secret: str) -> bool:
    """Whether it is short, known to everybody, or the same sign again and again."""
    return len(secret) < SHORTEST or secret.lower() in _KNOWN or len(set(secret)) < 4


def password_of(address: str) -> str | None:
    """The password in an address like `scheme://user:password@host`, if there is one."""
    try:
        password = urlsplit(address).password
    except ValueError:
        return None
    return unquote(password) if password else None
