"""A file as a client sent it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Upload:
    """A file as a client sent it."""

    file_name: str
    content: bytes
