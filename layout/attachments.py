"""Files that travel inside a PDF, for programs to read."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Attachment:
    """One file in a PDF. `name` is ASCII, `type` its media type, `at` when what it says came to be."""

    name: str
    type: str
    description: str
    contents: bytes
    at: datetime
