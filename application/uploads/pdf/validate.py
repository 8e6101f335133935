"""An uploaded PDF, looked through within limits before anybody opens it: whole, open to read, and without programs.

Runs in a child process: what comes is anybody's. Nothing is repaired: what one reader repairs so and another
otherwise is nothing to sign by. What is sound, but written in a way to which no seal can be added, is written anew.
"""

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from itertools import chain

import pikepdf
from pikepdf import Array, Dictionary, Name, Object, Pdf, Stream

from application.uploads.pdf.acroforms import check_annotations, check_form
from application.uploads.pdf.active_content import is_program, is_program_name, runs_program
from application.uploads.pdf.errors import PdfRefused
from application.uploads.pdf.stream_limits import check_stream
from pades.attached_files import attached_files

MAX_PAGES = 2_000
"""Pages of one file."""

MAX_REVISIONS = 1_000
"""Times that a file was added to. What seals it reads them all."""

_DEEPEST = 100
"""Levels of a tree of pages, and of arrays within arrays; those that programs write have a handful."""

_BEGINNING = re.compile(rb"%PDF-[12]\.\d")
_END = re.compile(rb"%%EOF[\s\0]*\Z")

_NOT_A_PDF = "This is no PDF: it does not begin as one."
_CUT_OFF = "The PDF is cut off, or something else follows its end. Save it again, and upload the new file."
_DAMAGED = "The PDF is damaged. Print it to a new PDF, and upload that."
_ENCRYPTED = "The PDF is encrypted. Save it without a password and without restrictions, and upload the new file."
_NO_PAGES = "The PDF has no pages."
_TOO_MANY_REVISIONS = f"The PDF was added to more than {MAX_REVISIONS:,} times. Print it to a new PDF, and upload that."
_TOO_MANY_PAGES = f"The PDF has more than {MAX_PAGES:,} pages. Divide it."

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
"""What the library makes of bad files."""


@dataclass(frozen=True, slots=True)
class ValidatedPdf:
    """A PDF that is taken: as it is, or `rewritten` where no seal could be added to it otherwise."""

    page_count: int
    rewritten: bytes | None = None


def validate_pdf(upload: bytes) -> ValidatedPdf:
    """Returns the page count, and other bytes if they are needed for a seal.

    Raises:
        PdfRefused: `upload` is not accepted.
    """
    if not _BEGINNING.match(upload):
        raise PdfRefused(_NOT_A_PDF)
    if not _END.search(upload, max(0, len(upload) - 1024)):
        raise PdfRefused(_CUT_OFF)
    if upload.count(b"startxref") > MAX_REVISIONS:
        raise PdfRefused(_TOO_MANY_REVISIONS)
    try:
        with pikepdf.open(BytesIO(upload), attempt_recovery=False, inherit_page_attributes=False) as pdf:
            if pdf.is_encrypted:
                raise PdfRefused(_ENCRYPTED)
            page_count = _count_pages(pdf)
            is_signed = _look_through(pdf)
            _check_attached(pdf)
            check_form(pdf)
            if pdf.get_warnings():
                raise PdfRefused(_DAMAGED)
            return ValidatedPdf(page_count, _sealable(upload, pdf, is_signed=is_signed))
    except pikepdf.PasswordError as error:
        raise PdfRefused(_ENCRYPTED) from error
    except _DAMAGES as error:
        raise PdfRefused(_DAMAGED) from error


def _sealable(upload: bytes, pdf: Pdf, *, is_signed: bool) -> bytes | None:
    """Another file of the same content if a seal cannot be added to this one; never of one that others have signed."""
    # Half a second to load, which children do ahead; the main process has no use for it.
    from pades.sealability import check_sealable  # noqa: PLC0415
    from ports.seals import NotSealable  # noqa: PLC0415

    try:
        check_sealable(upload)
    except NotSealable as error:
        if is_signed:
            raise PdfRefused(str(error)) from error
    else:
        return None
    rewritten = BytesIO()
    pdf.save(
        rewritten,
        object_stream_mode=pikepdf.ObjectStreamMode.generate,
        stream_decode_level=pikepdf.StreamDecodeLevel.none,
        deterministic_id=True,
    )
    try:
        check_sealable(rewritten.getvalue())
    except NotSealable as error:
        raise PdfRefused(str(error)) from error
    return rewritten.getvalue()


def _count_pages(pdf: Pdf) -> int:
    """How many pages the tree of pages has. Every node has one parent, so a tree that leads back to itself is none."""
    root = pdf.Root.Pages
    seen = {root.objgen}
    levels = [iter([root])]
    count = 0
    while levels:
        node = next(levels[-1], None)
        if node is None:
            levels.pop()
            continue
        if "/Kids" not in node:
            count += 1
            if count > MAX_PAGES:
                raise PdfRefused(_TOO_MANY_PAGES)
            check_annotations(node)
            continue
        if len(levels) > _DEEPEST:
            raise PdfRefused(_DAMAGED)
        levels.append(_kids(node, seen))
    if not count:
        raise PdfRefused(_NO_PAGES)
    if root.Count != count:
        raise PdfRefused(_DAMAGED)
    return count


def _kids(node: Object, seen: set[tuple[int, int]]) -> Iterator[Object]:
    for kid in node.Kids:
        if not kid.is_indirect or kid.objgen in seen:
            raise PdfRefused(_DAMAGED)
        seen.add(kid.objgen)
        yield kid


def _look_through(pdf: Pdf) -> bool:
    """Every object, whether anything leads to it or not. Whether one of them is a signature."""
    inflated = 0
    is_signed = False
    for number in chain([pdf.trailer], pdf.objects):
        for thing in _parts(number):
            if isinstance(thing, Dictionary | Stream):
                _check_dictionary(thing)
                is_signed = is_signed or Name.ByteRange in thing
            if isinstance(thing, Stream):
                inflated = check_stream(thing, inflated)
    return is_signed


def _check_attached(pdf: Pdf) -> None:
    """Refuses what could be taken for a certificate of ours: it would be sealed like one."""
    for attached in attached_files(pdf):
        if attached.contents is None:
            raise PdfRefused(_ATTACHMENT_UNREADABLE)
        if attached.reads_as_certificate or attached.is_named_as_certificate:
            raise PdfRefused(_CERTIFICATE)


def _parts(whole: Object) -> Iterator[Object]:
    """`whole` and all that is written inside it; what it refers to stands elsewhere."""
    waiting = [(whole, 0)]
    while waiting:
        thing, depth = waiting.pop()
        yield thing
        if not isinstance(thing, Array | Dictionary | Stream):
            continue
        if depth >= _DEEPEST:
            raise PdfRefused(_DAMAGED)
        inner = thing if isinstance(thing, Array) else (value for _, value in thing.items())
        waiting += [
            (part, depth + 1)
            for part in inner
            if isinstance(part, Array | Dictionary | Stream) and not part.is_indirect
        ]


def _check_dictionary(thing: Dictionary | Stream) -> None:
    reason = runs_program(thing)
    if reason is None and isinstance(thing, Stream) and thing.get(Name.Type) == Name.EmbeddedFile and is_program(thing):
        reason = "a program as an attachment"
    if reason is None and Name.EF in thing and is_program_name(thing):
        reason = "a program as an attachment"
    if reason is not None:
        raise PdfRefused(
            f"The PDF holds {reason}. Print it to a new PDF, which leaves that out, and upload the new file."
        )
