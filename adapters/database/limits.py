"""How much of the database one process may take, and for how long."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DatabaseLimits:
    """Limits of one process. Times are in seconds; 0 leaves them to the server.

    SQLite has no time for statements: a file has one writer, and none that could wait for another machine.
    """

    connections: int
    """All idle connections are kept: connecting takes longer than most queries."""

    wait: int
    """How long a request waits for a connection that is free."""

    statement: int
    """After which PostgreSQL gives up a statement, and a transaction in which nothing happens any more."""


UNLIMITED = DatabaseLimits(connections=1, wait=30, statement=0)
"""For migrations, which may have an index to build."""
