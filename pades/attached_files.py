"""Reads the files embedded in a PDF, and detects files that look like the data of a certificate of completion.

Every embedded file counts: those of the catalog, a page, an annotation or a portfolio, and unreferenced ones. Runs in
child processes, as PDFs are untrusted. ISO 32000-2: 7.11.4 embedded file streams, 14.13 associated files.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import pikepdf
from pikepdf import Array, Dictionary, Name, Object, Pdf, Stream, String

from domain.audit.certificate_schema import FILE_NAME, FORMAT
from domain.texts.combining_marks import normalized

_NAMES = (Name.UF, Name.F, Name.Unix, Name.Mac, Name.DOS)
_PIXELS = frozenset({"/DCTDecode", "/DCT", "/JPXDecode", "/JBIG2Decode", "/CCITTFaxDecode", "/CCF"})
_ESCAPE = re.compile(rb"\\u00([0-7][0-9a-f])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class AttachedFile:
    """An embedded file: its names, and its contents, or None if they cannot be decoded."""

    names: tuple[str, ...]
    contents: bytes | None

    @property
    def reads_as_certificate(self) -> bool:
        """Whether the contents have the format name of certificates, in UTF-8, UTF-16 or UTF-32, escaped or not."""
        if self.contents is None:
            return False
        plain = _ESCAPE.sub(lambda match: bytes.fromhex(match[1].decode()), self.contents.replace(b"\0", b""))
        return FORMAT.encode() in plain.lower()

    @property
    def is_named_as_certificate(self) -> bool:
        """Whether a program could take the name for that of the certificate's data."""
        return any(_plain(name) == FILE_NAME for name in self.names)


def attached_files(pdf: Pdf) -> Iterator[AttachedFile]:
    """Yields the files in `pdf`, some of them repeatedly. Reads their contents completely."""
    for whole in pdf.objects:
        for thing in _parts(whole):
            if isinstance(thing, Stream) and thing.get(Name.Type) == Name.EmbeddedFile:
                yield AttachedFile((), _contents(thing))
            if isinstance(thing, Dictionary | Stream):
                yield from _specified(thing)


def _specified(thing: Dictionary | Stream) -> Iterator[AttachedFile]:
    """Yields the files of a file specification, or the names in a name tree, without contents."""
    if Name.EF in thing or Name.RF in thing:
        names = tuple(str(thing.get(key)) for key in _NAMES if isinstance(thing.get(key), String))
        for files in (thing.get(Name.EF), thing.get(Name.RF)):
            values = [value for _, value in files.items()] if isinstance(files, Dictionary) else []
            for value in values:  # in an array: related files
                for part in value if isinstance(value, Array) else [value]:
                    if isinstance(part, Stream):
                        yield AttachedFile(names, _contents(part))
        yield AttachedFile(names, b"")
    tree = thing.get(Name.Names)
    if isinstance(tree, Array):
        yield AttachedFile(tuple(str(key) for key in tree if isinstance(key, String)), b"")


def _contents(stream: Stream) -> bytes | None:
    filters = stream.get(Name.Filter, Array())
    names = {str(name) for name in (filters if isinstance(filters, Array) else [filters])}
    if names & _PIXELS:
        return None  # image data could also decode to text
    try:
        return stream.read_bytes(pikepdf.StreamDecodeLevel.specialized)
    except pikepdf.PdfError:
        return None


def _parts(whole: Object) -> Iterator[Object]:
    """Yields `whole` and the direct objects inside it."""
    waiting = [whole]
    while waiting:
        thing = waiting.pop()
        yield thing
        if isinstance(thing, Dictionary | Stream):
            inner: Iterable[Object] = (value for _, value in thing.items())
        else:
            inner = thing if isinstance(thing, Array) else ()
        waiting += [part for part in inner if isinstance(part, Array | Dictionary) and not part.is_indirect]


def _plain(name: str) -> str:
    """Returns the last segment of a path, normalised for case, width and invisible characters."""
    shown = (sign for sign in normalized("NFKC", name) if unicodedata.category(sign)[0] not in "CZ")
    return re.split(r"[/\\:]", "".join(shown).casefold())[-1].rstrip(".")
