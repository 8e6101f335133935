"""The vocabulary of reports: pages that the service itself writes, such as the certificate of completion.

Clients cannot write these parts. They are laid out by the engine of block documents, so a report looks like one.
"""

from dataclasses import dataclass
from enum import Enum, auto

from layout.pdf.attachments import Attachment


class TextRole(Enum):
    """How a text of a report is set."""

    TEXT = auto()  # as running text
    LEAD = auto()  # what the page says in one line
    STRONG = auto()  # bold, in tables
    PLAIN = auto()  # in tables
    MUTED = auto()  # grey, in tables
    FINE = auto()  # small and grey: hashes and identifiers


@dataclass(frozen=True, slots=True)
class Entry:
    """A text in a cell; it wraps."""

    text: str
    look: TextRole = TextRole.PLAIN


@dataclass(frozen=True, slots=True)
class Heading:
    """Opens a section."""

    text: str


@dataclass(frozen=True, slots=True)
class Note:
    """A paragraph."""

    text: str
    look: TextRole = TextRole.TEXT


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells, each cell with texts below one another. `widths` are shares of the room.

    `head` names the columns; without it the first cell of a row says what the row is about.
    """

    widths: tuple[float, ...]
    rows: tuple[tuple[tuple[Entry, ...], ...], ...]
    head: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TableWithQrCode:
    """A table with a QR code at its right, which holds `address`. `caption` stands under the code."""

    table: Table
    address: str
    caption: str


Part = Heading | Note | Table | TableWithQrCode


@dataclass(frozen=True, slots=True)
class Report:
    """Pages under a title. The texts may be anybody's: what cannot be drawn comes out as a question mark."""

    title: str
    subtitle: str
    footer: str
    parts: tuple[Part, ...]
    attachments: tuple[Attachment, ...] = ()
