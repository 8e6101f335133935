"""Passwords that whoever breaks in tries first."""

from urllib.parse import parse_qs, unquote, urlsplit

SHORTEST = 8
"""Characters."""

_DIFFERENT = 16
"""Of 32 random bytes, about 30 are different; fewer than this are so in none of 10^15 keys."""

_KNOWN = frozenset(
    {
        *("12345678", "123456789", "1234567890", "administrator", "changeit", "changeme", "change-me", "default"),
        *("development", "letmein1", "password", "password1", "passw0rd", "placeholder", "postgres", "postgresql"),
        *("qwertyuiop", "secret123", "supersecret", "temporal", "undersign", "your-password", "yourpassword"),
    }
)


def is_weak(secret: str) -> bool:
    """Whether it is short, known to everybody, or the same sign again and again."""
    return len(secret) < SHORTEST or secret.lower() in _KNOWN or len(set(secret)) < 4


def is_weak_key(key: bytes) -> bool:
    """Whether these 32 bytes cannot have come about by chance: hardly any are all different, but few are alike."""
    return 0 < len(set(key)) < _DIFFERENT


def has_weak_password(address: str) -> bool:
    """Whether a password in an address like `scheme://user:password@host/path?password=...` is weak, or is the user."""
    try:
        parts = urlsplit(address)
        user, password = (unquote(text or "") for text in (parts.username, parts.password))
    except ValueError:
        return False
    given = [password, *parse_qs(parts.query).get("password", ())]
    return any(is_weak(one) or one == user for one in given if one)
