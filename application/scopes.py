"""The scopes of access tokens (Specification 5.2)."""

from enum import StrEnum


class Scope(StrEnum):
    READ_SESSIONS = "read:sessions"
    WRITE_SESSIONS = "write:sessions"
    DELETE_SESSIONS = "delete:sessions"
    READ_TEMPLATES = "read:templates"
    WRITE_TEMPLATES = "write:templates"
    WRITE_FILES = "write:files"
    READ_VALUES = "read:values"
    WRITE_SIGNING_URLS = "write:signing-urls"
    WRITE_ORGANISATION = "write:organisation"


MEANINGS: dict[str, str] = {
    Scope.READ_SESSIONS: "read sessions, signed documents and certificates",
    Scope.WRITE_SESSIONS: "create, send, archive and restore sessions",
    Scope.DELETE_SESSIONS: "delete sessions permanently",
    Scope.READ_TEMPLATES: "read templates",
    Scope.WRITE_TEMPLATES: "create and activate templates",
    Scope.WRITE_FILES: "upload images and PDFs",
    Scope.READ_VALUES: "read what recipients entered",
    Scope.WRITE_SIGNING_URLS: "open documents for recipients whom the program has identified",
    Scope.WRITE_ORGANISATION: "change which pages may frame signing pages",
}

EXPLICIT = frozenset({Scope.READ_VALUES, Scope.WRITE_SIGNING_URLS, Scope.WRITE_ORGANISATION})
"""The scopes that must be requested explicitly."""

USUAL = tuple(scope for scope in Scope if scope not in EXPLICIT)
"""The scopes of a token request that names no scope."""

PROPOSED = frozenset(USUAL) - {Scope.DELETE_SESSIONS}
"""The scopes that the consent page preselects, and of a client that the command line adds without naming scopes."""

DEFAULT_SCOPES = (Scope.READ_SESSIONS, Scope.READ_TEMPLATES)
"""The scopes that the page for a new client preselects."""


def keep_known(names: str) -> str:
    """Returns the known ones of the space-separated scopes `names`."""
    return " ".join(name for name in names.split() if name in set(Scope))
