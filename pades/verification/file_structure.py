"""A file as bytes, before anybody parses it."""

import re
from collections.abc import Iterator

from domain.audit.verification import Check, Finding, Outcome

_BEGINNING = re.compile(rb"%PDF-\d\.\d")
_SEARCHED = 1024
"""So many bytes at the begin and the end of a file are where readers look for its marks. ISO 32000-1, annex H."""

_END = re.compile(rb"%%EOF[\r\n \t\0]*\Z")
_RANGE = re.compile(rb"/ByteRange\s*\[\s*0\s+(\d{1,10})\s+(\d{1,10})\s+(\d{1,10})\s*\]")
_MARKS_OF_SEALS = (b"/ByteRange", b"/DocMDP", b"/ETSI.CAdES.detached")
_ARCHIVE_END = b"PK\x05\x06"
_ARCHIVE_END_SIZE = 22
_LONGEST_COMMENT = 65535

WHOLE = "It is one whole PDF, with nothing before its begin or after its end."


def is_pdf(file: bytes) -> bool:
    """Whether readers would take `file` for a PDF."""
    return _BEGINNING.search(file, 0, _SEARCHED) is not None


def structure_findings(file: bytes) -> Iterator[Finding]:
    """What is odd about the bytes; or that nothing is."""
    oddities = list(_oddities(file))
    if oddities:
        yield from (Finding(check=Check.FILE, outcome=Outcome.FAILS, text=text) for text in oddities)
    else:
        yield Finding(check=Check.FILE, outcome=Outcome.HOLDS, text=WHOLE)


def _oddities(file: bytes) -> Iterator[str]:
    beginning = _BEGINNING.search(file, 0, _SEARCHED)
    if beginning is not None and beginning.start():
        yield f"{beginning.start()} bytes stand before the begin of the PDF: it may be another kind of file as well."
    if not _END.search(file, max(0, len(file) - _SEARCHED)):
        yield "The PDF does not end where the file ends: it is cut off, or something else follows it."
    if is_archive(file):
        yield "The file is a ZIP archive as well: other programs find other content in it."


def is_archive(file: bytes) -> bool:
    """Whether `file` ends as a ZIP archive does, whatever it begins with. PKWARE APPNOTE, 4.3.16."""
    at = file.rfind(_ARCHIVE_END, max(0, len(file) - _ARCHIVE_END_SIZE - _LONGEST_COMMENT))
    while at >= 0:
        comment = int.from_bytes(file[at + 20 : at + _ARCHIVE_END_SIZE], "little")
        if at + _ARCHIVE_END_SIZE + comment == len(file):
            return True
        at = file.rfind(_ARCHIVE_END, 0, at)
    return False


def has_seal_remnants(file: bytes) -> bool:
    """Whether something in it looks like a signature, even though no reader finds one."""
    return any(mark in file for mark in _MARKS_OF_SEALS)


def sealed_revision(file: bytes) -> bytes | None:
    """What the file was when it was sealed, if more stands after that; the longest of several."""
    ends = (int(found[2]) + int(found[3]) for found in _RANGE.finditer(file))
    end = max((end for end in ends if end < len(file)), default=0)
    return file[:end] if end else None
