"""Limits of the database connections of one process."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """Limits of one process. Times are in seconds.

    SQLite has no statement timeout and ignores `statement`.
    """

    connections: int
    """Maximum number of connections. Idle ones stay open, because connecting takes longer than most queries."""

    wait: int
    """How long a request waits for a free connection."""

    statement: int
    """Timeout of a PostgreSQL statement, and of an idle transaction; 0 means the server's own."""
