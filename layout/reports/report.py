"""The model of reports: pages that the service itself writes, such as the certificate of completion."""

from dataclasses import dataclass
from enum import Enum, auto

from layout.pdf.document_catalog import Attachment


class TextRole(Enum):
    """Role of a text in a report, which determines its style."""

    TEXT = auto()  # body text
    LEAD = auto()  # summary of the page in one line
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
    """The heading of a section."""

    text: str


@dataclass(frozen=True, slots=True)
class Note:
    """A paragraph."""

    text: str
    look: TextRole = TextRole.TEXT


@dataclass(frozen=True, slots=True)
class Table:
    """A table of texts. `widths` are relative column widths, `head` has the column headings.

    Without `head`, the first cell of each row is its heading.
    """

    widths: tuple[float, ...]
    rows: tuple[tuple[tuple[Entry, ...], ...], ...]
    head: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TableWithQrCode:
    """A table with a QR code of `address` at its right. `caption` stands below the code."""

    table: Table
    address: str
    caption: str


Part = Heading | Note | Table | TableWithQrCode


@dataclass(frozen=True, slots=True)
class Report:
    """Pages under a title. Texts are untrusted: characters that cannot be drawn become their code points."""

    title: str
    subtitle: str
    footer: str
    parts: tuple[Part, ...]
    attachments: tuple[Attachment, ...] = ()
    language: str = "en"
