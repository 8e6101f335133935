"""Validates uploaded PDFs: complete, not encrypted, without active content, within limits (Specification 2.13).

Runs in a child process, because uploads are untrusted. Damaged files are refused, because readers repair them in
different ways. A valid file without signatures is written in canonical form; one with signatures must be plain already.

Active content: ISO 32000-2: 12.6.4 action types, 12.7.8 XFA, 13.6 3D artwork, 13.7 rich media, 7.11 file
specifications.
"""

import re
import zlib
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from itertools import chain
from pathlib import PurePosixPath

import pikepdf
from pikepdf import Array, Dictionary, Name, Object, Pdf, Stream, StreamDecodeLevel, String

from application.uploads.canonical_pdf import CanonicalPdf, canonical_form
from application.uploads.pdf_limits import MAX_REVISIONS, PdfRefused, check_form, check_stream
from application.uploads.plain_fonts import FONT_PROGRAMS
from application.uploads.plain_pages import DAMAGED
from application.uploads.signed_form import check_signed_form
from application.uploads.truetype_program import TRUETYPE, forget_programs
from domain.ports.uploads import PRINT_AGAIN
from pades.attached_files import attached_files

_MAX_DEPTH = 100
"""Maximum depth of the page tree and of nested objects; real files have a handful."""

_BEGINNING = re.compile(rb"%PDF-[12]\.\d")
_SEARCHED = 1024
"""Bytes at the start of a file in which readers search for its header. ISO 32000-1, annex H."""

_OBJECT = re.compile(rb"(?<!\d)(\d{1,10})\s+(\d{1,5})\s+obj\b(?!\s*null\b)")
_SPACES = b"\0\t\n\x0c\r "

_NOT_A_PDF = "This is no PDF: it does not begin as one."
_CUT_OFF = "The PDF is cut off, or other bytes follow its end. Save it again, and upload the new file."
_ENCRYPTED = "The PDF is encrypted. Save it without a password and without restrictions, and upload the new file."
_TOO_MANY_REVISIONS = f"The PDF has more than {MAX_REVISIONS:,} revisions. {PRINT_AGAIN}"
_SIGNATURE_LEFT_OUT = "The new PDF leaves the signature out."
_EXTERNAL = f"The contents of the PDF stand in other files. {PRINT_AGAIN}"

_CERTIFICATE = (
    "The PDF holds a file in the format of our certificates of completion, or of their name. Only certificates that "
    "this service makes may hold one. Remove that attachment, or print the PDF to a new PDF, and upload that."
)
_ATTACHMENT_UNREADABLE = (
    "The PDF holds an attached file that cannot be read. Remove that attachment, or print the PDF to a new PDF, and "
    "upload that."
)

_DAMAGES = (
    pikepdf.PdfError, zlib.error, ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError,
    RecursionError, RuntimeError, NotImplementedError,
)  # fmt: skip
"""Errors that pikepdf raises for invalid files."""

_ACTIVE_KEYS = {
    Name.JS: "JavaScript",
    Name.JavaScript: "JavaScript",
    Name.OnInstantiate: "JavaScript",
    Name.XFA: "an XFA form",
    Name.RichMediaContent: "rich media, which can run programs",
}
_ACTIVE_ACTIONS = {
    Name.JavaScript: "JavaScript",
    Name.Launch: "an action that starts a program",
    Name.ImportData: "an action that reads files",
    Name.RichMediaExecute: "rich media, which can run programs",
}
_SCRIPT_SCHEMES = ("javascript:", "vbscript:")

_PROGRAM_SUFFIXES = frozenset({
    ".apk", ".app", ".bat", ".bin", ".cmd", ".com", ".cpl", ".deb", ".dll", ".dmg", ".elf", ".exe", ".hta", ".jar",
    ".js", ".jse", ".lnk", ".msi", ".msp", ".pif", ".pkg", ".ps1", ".py", ".rpm", ".scr", ".sh", ".so", ".vbe", ".vbs",
    ".wsf", ".wsh",
})  # fmt: skip
_WEB_SUFFIXES = frozenset({".htm", ".html", ".mht", ".mhtml", ".shtml", ".svg", ".svgz", ".xht", ".xhtml"})
_PROGRAM, _WEB_PAGE = "a program as an attachment", "a web page as an attachment, which can run programs"
_PROGRAM_SIGNATURES = (
    b"MZ", b"\x7fELF", b"#!", b"\xca\xfe\xba\xbe", b"\xfe\xed\xfa\xce", b"\xfe\xed\xfa\xcf", b"\xce\xfa\xed\xfe",
    b"\xcf\xfa\xed\xfe", b"\x4c\x00\x00\x00\x01\x14\x02\x00",
)  # fmt: skip
"""The first bytes of Windows, Linux, Java and macOS programs, of scripts, and of Windows shortcuts."""


@dataclass(frozen=True, slots=True)
class ValidatedPdf:
    """An accepted PDF. `rewritten` is its canonical form; None if the upload has that form, or is signed."""

    page_count: int
    rewritten: bytes | None = None


def validate_pdf(upload: bytes) -> ValidatedPdf:
    """Validates a PDF and writes it in canonical form. Raises `PdfRefused`."""
    try:
        return _validate(upload)
    except PdfRefused as refused:
        if PRINT_AGAIN in str(refused) and b"/ByteRange" in upload:
            raise PdfRefused(f"{refused} {_SIGNATURE_LEFT_OUT}") from refused
        raise


def _validate(upload: bytes) -> ValidatedPdf:
    begins = _BEGINNING.search(upload, 0, _SEARCHED)
    if begins is None:
        raise PdfRefused(_NOT_A_PDF)
    content = upload[begins.start() :].rstrip(_SPACES)
    if not content.endswith(b"%%EOF"):
        raise PdfRefused(_CUT_OFF)
    if content.count(b"startxref") > MAX_REVISIONS:
        raise PdfRefused(_TOO_MANY_REVISIONS)
    try:
        with pikepdf.open(
            BytesIO(content), attempt_recovery=False, inherit_page_attributes=False, suppress_warnings=True
        ) as pdf:
            if pdf.is_encrypted:
                raise PdfRefused(_ENCRYPTED)
            has_signatures = (_check_objects(pdf) or Name.Perms in pdf.Root) and _count_signatures(upload)
            _check_attached(pdf)
            check_form(pdf)
            _check_readable(pdf, content)
            if has_signatures:
                has_warnings = bool(pdf.get_warnings())
                programs = set(_truetype_programs(pdf))
                signed = CanonicalPdf(pdf)
                check_signed_form(upload, signed, programs, has_warnings=has_warnings)
                return ValidatedPdf(signed.page_count)
            written, page_count = canonical_form(pdf)
    except pikepdf.PasswordError as error:
        raise PdfRefused(_ENCRYPTED) from error
    except _DAMAGES as error:
        raise PdfRefused(DAMAGED) from error
    finally:
        forget_programs()  # the process goes on to files of others
    _count_signatures(written)
    return ValidatedPdf(page_count, None if written == upload else written)


def _count_signatures(pdf: bytes) -> int:
    """Returns the number of signatures in a PDF. Raises `PdfRefused` if it cannot be sealed or one does not hold."""
    # takes half a second to load; the main process does not need it
    from domain.ports.seals import NotSealable  # noqa: PLC0415
    from pades.sealability import check_sealable  # noqa: PLC0415

    try:
        return check_sealable(pdf)
    except NotSealable as error:
        raise PdfRefused(str(error)) from error


def _check_objects(pdf: Pdf) -> bool:
    """Checks all objects, also unreferenced ones. Returns whether one of them is a signature."""
    inflated = 0
    is_signed = False
    for whole in chain([pdf.trailer], pdf.objects):
        for thing in _parts(whole):
            if isinstance(thing, Dictionary | Stream):
                _check_dictionary(thing)
                is_signed = is_signed or Name.ByteRange in thing
            if isinstance(thing, Stream):
                if Name.F in thing:
                    raise PdfRefused(_EXTERNAL)
                inflated = check_stream(thing, inflated)
    return is_signed


def _truetype_programs(pdf: Pdf) -> Iterator[bytes]:
    for thing in chain.from_iterable(map(_parts, pdf.objects)):
        for key in FONT_PROGRAMS if isinstance(thing, Dictionary) else ():
            program = thing.get(key)
            if isinstance(program, Stream):
                data = program.read_bytes(StreamDecodeLevel.specialized)
                if data.startswith(TRUETYPE):
                    yield data


def _check_readable(pdf: Pdf, content: bytes) -> None:
    """Refuses a file with an object that qpdf reads as null because it is damaged."""
    known: list[int] = []
    gaps: set[int] = set()
    for thing in pdf.objects:
        if thing is None:
            gaps.add(len(known))
        elif isinstance(thing, Object):
            known.append(thing.objgen[0])
    for match in _OBJECT.finditer(content) if gaps else ():
        number, generation = int(match[1]), int(match[2])
        if bisect_left(known, number) in gaps and pdf.get_object(number, generation) is None:
            raise PdfRefused(DAMAGED)


def _check_attached(pdf: Pdf) -> None:
    """Refuses attachments that could be mistaken for the data of a certificate of completion."""
    for attached in attached_files(pdf):
        if attached.contents is None:
            raise PdfRefused(_ATTACHMENT_UNREADABLE)
        if attached.reads_as_certificate or attached.is_named_as_certificate:
            raise PdfRefused(_CERTIFICATE)


def _parts(whole: Object) -> Iterator[Object]:
    """Yields `whole` and the objects nested in it, without indirect ones."""
    waiting = [(whole, 0)]
    while waiting:
        thing, depth = waiting.pop()
        yield thing
        if not isinstance(thing, Array | Dictionary | Stream):
            continue
        if depth >= _MAX_DEPTH:
            raise PdfRefused(DAMAGED)
        inner = thing if isinstance(thing, Array) else (value for _, value in thing.items())
        waiting += [
            (part, depth + 1)
            for part in inner
            if isinstance(part, Array | Dictionary | Stream) and not part.is_indirect
        ]


def _check_dictionary(thing: Dictionary | Stream) -> None:
    content = _active_content(thing) or _program_in(thing)
    if content is not None:
        raise PdfRefused(
            f"The PDF holds {content}. Print it to a new PDF, which leaves that out, and upload the new file."
        )


def _active_content(thing: Dictionary | Stream) -> str | None:
    """Returns the active content of this dictionary, in words."""
    for key, content in _ACTIVE_KEYS.items():
        if key in thing:
            return content
    action = thing.get(Name.S)
    if isinstance(action, Name) and action in _ACTIVE_ACTIONS:
        return _ACTIVE_ACTIONS[action]
    address = thing.get(Name.URI)
    if isinstance(address, String) and "".join(str(address).split()).lower().startswith(_SCRIPT_SCHEMES):
        return "JavaScript"
    return None


def _program_in(thing: Dictionary | Stream) -> str | None:
    """Returns the kind of an attachment that can run, in words, by its first bytes or its name; None for others."""
    is_file = isinstance(thing, Stream) and thing.get(Name.Type) == Name.EmbeddedFile
    if is_file and thing.read_bytes().startswith(_PROGRAM_SIGNATURES):
        return _PROGRAM
    names = (thing.get(key) for key in (Name.UF, Name.F)) if Name.EF in thing else ()
    suffixes = {PurePosixPath(str(name).rstrip(" .")).suffix.lower() for name in names if name}
    if suffixes & _PROGRAM_SUFFIXES:
        return _PROGRAM
    return _WEB_PAGE if suffixes & _WEB_SUFFIXES else None
