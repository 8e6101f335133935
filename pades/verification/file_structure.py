"""The file as programs open it that follow other rules than a PDF reader of today, or that read other formats.

Readers of linearised PDFs compare a length at the start with that of the file, old readers ignore cross-reference
streams, and unpackers look for an archive at the end. A file must be the same document to all of them.
"""

import re
from collections.abc import Iterator

from pyhanko.pdf_utils.reader import PdfFileReader

from domain.audit.verification_report import Check, Finding, Outcome

WHOLE = "The file is one complete PDF, with nothing before or after it."
_BEGINNING = re.compile(rb"%PDF-\d\.\d")
_SEARCHED = 1024
"""Bytes at the start and end of a file that readers search for its markers. ISO 32000-1, annex H."""

_END = re.compile(rb"%%EOF[\r\n \t\0]*\Z")
_NAME = re.compile(rb"/((?:[^\0\t\n\f\r ()<>\[\]{}/%#]|#[0-9A-Fa-f]{2}|#)*)")
_HEXADECIMAL = re.compile(rb"#([0-9A-Fa-f]{2})")
_SPACE = rb"(?:[\0\t\n\f\r ]|%[^\r\n]*(?:[\r\n]|\Z))*"
_NUMBER = re.compile(_SPACE + rb"(?=[0-9.+-])")
_LENGTH = re.compile(_SPACE + rb"(\d{1,15})" + _SPACE + rb"(?=/|>>)")
_AFTER_MARK = 4096
"""Bytes around the mark of a linearised PDF in which its length is searched."""

_LINEARISED = (
    "It begins like a PDF that is arranged for the web, with a length that it does not have, or that it gets when "
    "something is added: some readers show another document in it."
)
_HYBRID = "It has two tables of its objects, one for old readers and one for new ones: they may show other documents."
_SECOND_HEADER = "The PDF begins twice: readers may differ in what they show."
_ARCHIVE = "The file is a ZIP archive as well: other programs find other content in it."

_DIRECTORY_END, _DIRECTORY_END_64, _LOCATOR_64 = b"PK\x05\x06", b"PK\x06\x06", b"PK\x06\x07"
_DIRECTORY = b"PK\x01\x02"
_DIRECTORY_END_SIZE, _DIRECTORY_END_SIZE_64, _LOCATOR_SIZE_64 = 22, 56, 20
_MAX_TAIL = _DIRECTORY_END_SIZE + 65_535 + 1_024
"""Bytes at the end of a file that programs search for the end of an archive: the longest comment, and some more."""


def is_pdf(file: bytes) -> bool:
    """Whether PDF readers would open `file`."""
    return _BEGINNING.search(file, 0, _SEARCHED) is not None


def structure_findings(
    file: bytes, sealed_size: int | None = None, reader: PdfFileReader | None = None
) -> tuple[Finding, ...]:
    """Returns a finding for each way in which some programs open the file as another document; or that there is none.

    `sealed_size` is the number of bytes that the seal covers, if there is one.
    """
    problems = list(_problems(file))
    if sealed_size is not None and has_wrong_length(file, sealed_size):
        problems.append(_LINEARISED)
    if reader is not None and reader.xrefs.hybrid_xrefs_present:
        problems.append(_HYBRID)
    if not problems:
        return (Finding(check=Check.FILE, outcome=Outcome.HOLDS, text=WHOLE),)
    return tuple(Finding(check=Check.FILE, outcome=Outcome.FAILS, text=text) for text in problems)


def _problems(file: bytes) -> Iterator[str]:
    beginning = _BEGINNING.search(file, 0, _SEARCHED)
    if beginning is not None and beginning.start():
        yield f"{beginning.start()} bytes stand before the start of the PDF: it may be another kind of file as well."
    if beginning is not None and file.find(b"%PDF-", beginning.end(), _SEARCHED) >= 0:
        yield _SECOND_HEADER
    if not _END.search(file, max(0, len(file) - _SEARCHED)):
        yield "The PDF does not end where the file ends: it is cut off, or other bytes follow it."
    if is_archive(file):
        yield _ARCHIVE


def has_wrong_length(file: bytes, sealed_size: int) -> bool:
    """Whether a mark of linearisation gives a length that is not below `sealed_size`, or that cannot be told.

    A smaller length is that of the PDF before it was sealed, and harmless: no reader finds the file to have it. The
    mark counts in any spelling, in the first bytes where a lenient reader would search for it. ISO 32000-2, annex F.
    """
    marks = [at for at, name in _names(file, 0, 2 * _SEARCHED) if name == b"Linearized"]
    if not marks:
        return False
    lengths = [at for at, name in _names(file, 0, marks[-1] + _AFTER_MARK) if name == b"L"]
    for at in lengths:
        if not _NUMBER.match(file, at):
            continue  # no reader takes an array or a string for a length
        found = _LENGTH.match(file, at)
        if found is None or int(found[1]) >= sealed_size:
            return True
    return False


def _names(file: bytes, start: int, end: int) -> Iterator[tuple[int, bytes]]:
    """Yields the end of each name between two offsets, and the name without its `#` escapes."""
    for found in _NAME.finditer(file, start, end):
        yield found.end(), _HEXADECIMAL.sub(lambda code: bytes.fromhex(code[1].decode()), found[1])


def is_archive(file: bytes) -> bool:
    """Whether programs find a ZIP archive at the end of `file`, other bytes after it included. APPNOTE, 4.3.

    The end of an archive counts if it leads to a directory of files, or to none in an empty archive: in compressed
    data the four bytes of its mark occur by chance.
    """
    at = file.rfind(_DIRECTORY_END, max(0, len(file) - _MAX_TAIL))
    while at >= 0:
        if _leads_to_directory(file, at):
            return True
        at = file.rfind(_DIRECTORY_END, max(0, len(file) - _MAX_TAIL), at)
    return False


def _leads_to_directory(file: bytes, at: int) -> bool:
    end = file[at : at + _DIRECTORY_END_SIZE]
    if len(end) < _DIRECTORY_END_SIZE:
        return False
    size, offset = (int.from_bytes(end[start : start + 4], "little") for start in (12, 16))
    if not any(end[4:20]):
        return True
    starts = [at - size, offset]
    locator = at - _LOCATOR_SIZE_64
    if locator >= 0 and file.startswith(_LOCATOR_64, locator):
        starts += [locator - _DIRECTORY_END_SIZE_64, int.from_bytes(file[locator + 8 : locator + 16], "little")]
    return any(
        start >= 0 and (file.startswith(_DIRECTORY, start) or file.startswith(_DIRECTORY_END_64, start))
        for start in starts
    )
