"""Parses `UNDERSIGN_DATABASE_URL` into an address for SQLAlchemy."""

import os
from pathlib import Path

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

_POSTGRESQL, _SQLITE = "postgresql+asyncpg", "sqlite+aiosqlite"
_DRIVERS = {
    **dict.fromkeys((_POSTGRESQL, "postgresql", "postgres"), _POSTGRESQL),
    **dict.fromkeys((_SQLITE, "sqlite"), _SQLITE),
}
_ENCRYPTED = ("require", "verify-ca", "verify-full")
_WORDS = {
    "ssl": ("disable", "allow", "prefer", *_ENCRYPTED),
    "target_session_attrs": ("any", "primary", "standby", "read-write", "read-only", "prefer-standby"),
}
_KNOWN = {"database", "host", "passfile", "password", "port", "prepared_statement_cache_size", "user", *_WORDS}
"""Parameters of a PostgreSQL URL that asyncpg and SQLAlchemy accept as text."""

_FORM = (
    "it must be postgresql://host:5432/database, with user:password@ before the host, or sqlite:////path/of/the/file; "
    "in a user or a password write / ? # @ : % as %2F %3F %23 %40 %3A %25"
)


def read_address(text: str) -> str:
    """Returns the address with the driver of the service (asyncpg or aiosqlite). Raises `ValueError`."""
    scheme, _, rest = text.partition("://")
    if scheme not in _DRIVERS:
        raise ValueError(_FORM)
    address = f"{_DRIVERS[scheme]}://{rest}"
    try:
        url = make_url(address)
    except (ArgumentError, ValueError):
        raise ValueError(_FORM) from None
    if url.get_backend_name() == "sqlite":
        if url.host or url.database in {None, "", ":memory:"}:
            raise ValueError("a database of SQLite needs a file, which all processes open: sqlite:////path/of/the/file")
    else:
        _check_postgresql(url)
    return address


def find_plain_hosts(address: str) -> tuple[str, ...]:
    """Returns the hosts that are connected to without TLS. None are on a socket of this machine, or with SQLite."""
    url = make_url(address)
    mode = url.query.get("ssl") or os.environ.get("PGSSLMODE")  # as asyncpg
    if url.get_backend_name() == "sqlite" or mode in _ENCRYPTED:
        return ()
    named = url.query.get("host") or url.host or os.environ.get("PGHOST") or ()
    hosts = named if isinstance(named, tuple) else (named,)
    return tuple(host if host.count(":") > 1 else host.partition(":")[0] for host in hosts if not host.startswith("/"))


def _check_postgresql(url: URL) -> None:
    if "@" in (url.host or "") or not 0 < (5432 if url.port is None else url.port) < 65536:
        raise ValueError(_FORM)
    if "sslmode" in url.query:
        raise ValueError("asyncpg has no sslmode; write ssl= in its place, which takes the same words: ?ssl=require")
    if "sslrootcert" in url.query:
        raise ValueError("asyncpg has no sslrootcert; name that file in PGSSLROOTCERT")
    if not url.query.keys() <= _KNOWN:
        raise ValueError(f"after the ? only these are understood: {', '.join(sorted(_KNOWN))}")
    for name, words in _WORDS.items():
        if url.query.get(name, words[0]) not in words:
            raise ValueError(f"{name} is one of {', '.join(words)}")
    if not str(url.query.get("prepared_statement_cache_size", "0")).isdecimal():
        raise ValueError("prepared_statement_cache_size is a number")
    roots = os.environ.get("PGSSLROOTCERT") or Path.home() / ".postgresql" / "root.crt"  # as asyncpg looks for them
    if str(url.query.get("ssl")).startswith("verify-") and not os.access(roots, os.R_OK):
        raise ValueError(
            "ssl=verify-... needs the root certificates that verify the server: name a file that can be read in "
            "PGSSLROOTCERT (/etc/ssl/certs/ca-certificates.crt for public ones)"
        )
