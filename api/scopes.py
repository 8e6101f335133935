"""What an access token may allow (contract 2)."""

from enum import StrEnum


class Scope(StrEnum):
    READ_SESSIONS = "read:sessions"
    WRITE_SESSIONS = "write:sessions"
    READ_TEMPLATES = "read:templates"
    WRITE_TEMPLATES = "write:templates"
    WRITE_FILES = "write:files"


MEANINGS: dict[str, str] = {
    Scope.READ_SESSIONS: "read sessions, signed documents and certificates",
    Scope.WRITE_SESSIONS: "create, send, archive, restore and delete sessions",
    Scope.READ_TEMPLATES: "read templates",
    Scope.WRITE_TEMPLATES: "create and activate templates",
    Scope.WRITE_FILES: "upload images and PDFs",
}
