"""Uploads with signatures that hold cannot be written anew, so they must be plain already (Specification 2.13)."""

import re
from collections.abc import Iterable, Iterator

from application.uploads.canonical_pdf import CanonicalPdf
from application.uploads.charstrings import OddProgram
from application.uploads.pdf_limits import PdfRefused
from application.uploads.pdf_syntax import NotPlain
from application.uploads.signed_structure import check_structure

_SEARCHED = 1024
_ESCAPE = re.compile(rb"#([0-9A-Fa-f]{2})")
_LENGTH = re.compile(rb"/L[\0\t\n\x0c\r ]+(\d{1,10})[\0\t\n\x0c\r ]*+(?=[/>])")
"""The length of a linearised file, as a plain integer: not a reference, and without a sign or a comment."""

_FREE = re.compile(rb"(\d{10}) \d{5} f")
_OBJECT = re.compile(rb"[\0\t\n\x0c\r ]*\d{1,10}[\0\t\n\x0c\r ]+\d{1,5}[\0\t\n\x0c\r ]+obj")

_INSTRUCTIONS = "fonts with instructions that may draw other glyphs"
_LENGTH_WRONG = "a mark of arrangement for the web (linearisation) that does not apply, or may cease to"
_ONE_GIVES_WAY = (
    "The PDF is signed, and it has {found}, which PDF readers show in different ways. To write it plainly would end "
    "the signature, so one of the two has to give way: print it to a new PDF, which leaves the signature out, or ask "
    "for a plainly written PDF to be signed."
)


def check_signed_form(upload: bytes, canonical: CanonicalPdf, programs: Iterable[bytes], *, has_warnings: bool) -> None:
    """Raises `PdfRefused` if readers may differ about a signed PDF.

    `programs`: its TrueType programs, as they were. `has_warnings`: qpdf read it with warnings.
    """
    found = sorted({*canonical.found, *_of_structure(upload)})
    if has_warnings:
        found.append("mistakes in its tables or objects")
    try:
        if not check_structure(upload) and len(upload) in (_lengths(upload) or []):
            found.append(_LENGTH_WRONG)
    except NotPlain as differs:
        found.append(str(differs))
    if not found and not _has_fitting_glyphs(programs):
        found.append(_INSTRUCTIONS)
    if found:
        raise PdfRefused(_ONE_GIVES_WAY.format(found=found[0]))


def _has_fitting_glyphs(programs: Iterable[bytes]) -> bool:
    from application.uploads.glyph_instructions import check_instructions  # noqa: PLC0415  # loads FreeType

    try:
        for program in programs:
            check_instructions(program)
    except OddProgram:
        return False
    return True


def _of_structure(upload: bytes) -> Iterator[str]:
    if not upload.startswith(b"%PDF-"):
        yield "bytes before its beginning"
    if not upload.rstrip(b"\r\n").endswith(b"%%EOF"):
        yield "bytes after its end"
    lengths = _lengths(upload)
    if lengths is not None and (len(lengths) != 1 or lengths[0] > len(upload)):
        yield _LENGTH_WRONG
    for free in _FREE.finditer(upload):
        if int(free[1]) and _OBJECT.match(upload, int(free[1])):
            yield "objects that are marked as deleted but stand in the file"


def _lengths(upload: bytes) -> list[int] | None:
    """Returns the lengths that a file says to have if it is arranged for the web; None if it is not."""
    head = _ESCAPE.sub(lambda code: bytes.fromhex(code[1].decode()), upload[:_SEARCHED])
    return [int(length) for length in _LENGTH.findall(head)] if b"/Linearized" in head else None
