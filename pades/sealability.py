"""Checks whether a PDF can be sealed, and whether the signatures in it then stay valid.

Runs in a limited child process, as PDFs are untrusted. Nothing is signed: the check appends a revision with a seal
placeholder and reads the file again. `application.uploads.validate_pdf` refuses encrypted files. ISO 32000-2: 12.8.2
signature reference dictionaries, 12.8.4 permissions.
"""

from collections.abc import Container, Iterator
from io import BytesIO

from cryptography.exceptions import UnsupportedAlgorithm
from pyhanko.pdf_utils.misc import PdfError
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.fields import MDPPerm, SigSeedSubFilter, enumerate_sig_fields
from pyhanko.sign.validation.pdf_embedded import EmbeddedPdfSignature

from domain.ports.seals import NotSealable
from domain.ports.uploads import PRINT_AGAIN
from domain.seal.seal import Sample
from pades.prepare_seal import prepare_seal
from pades.signatures import is_of_this_file
from pades.updates.grammar import MAX_REVISIONS

_ROOM = 32_768
"""Bytes of the placeholder: more than any seal takes. The number does not affect the result."""

_ROOM_FOR_SEAL = 10
"""Revisions that are reserved for sealing, augmentation and a few renewals."""

MAX_SIGNATURES = 40
"""Limit for one file, as each signature is compared with every later revision."""

_NOTHING_CAN_BE_ADDED = f"The PDF is written in a way to which a seal cannot be added. {PRINT_AGAIN}"
_NOTHING_MAY_BE_ADDED = (
    "The PDF is signed or certified in a way that forbids every change, including the seal. Upload a copy that allows "
    "more signatures, or print it to a new PDF, which leaves the signature out."
)
_SIGNATURE_BROKEN = (
    "The PDF was changed after it was signed, so that a signature in it does not hold. Upload it as it was signed."
)
_SIGNATURE_UNKNOWN = (
    "A signature in the PDF is of a kind that cannot be checked any more. Print it to a new PDF, which leaves the "
    "signature out, and upload that."
)
_TOO_MANY = f"The PDF has more than {MAX_SIGNATURES} signatures. {PRINT_AGAIN}"
_TOO_MANY_REVISIONS = f"The PDF has more than {MAX_REVISIONS - _ROOM_FOR_SEAL} revisions. {PRINT_AGAIN}"
_USAGE_RIGHTS = f"The PDF has rights for Adobe Reader, which end when a seal is added. {PRINT_AGAIN}"

_UNREADABLE = (
    PdfError, UnsupportedAlgorithm, ValueError, LookupError, TypeError, AttributeError, ArithmeticError, AssertionError,
    RecursionError, NotImplementedError,
)  # fmt: skip
"""Exceptions that pyHanko raises for files and signatures that it does not support; its own are subclasses of these."""

_KINDS = {kind.value for kind in SigSeedSubFilter}


def check_sealable(pdf: bytes) -> int:
    """Returns the number of signatures in `pdf`.

    Raises `NotSealable`, with advice, if it cannot be sealed or a signature in it would become invalid.
    """
    try:
        old = _read(pdf)
        if "/Perms" in old.root and any(name in old.root["/Perms"] for name in ("/UR", "/UR3")):
            raise NotSealable(_USAGE_RIGHTS)
        if old.xrefs.total_revisions > MAX_REVISIONS - _ROOM_FOR_SEAL:
            raise NotSealable(_TOO_MANY_REVISIONS)
        signatures = list(_signatures(old))
        if len(signatures) > MAX_SIGNATURES:
            raise NotSealable(_TOO_MANY)
        sealed = prepare_seal(pdf, _ROOM, Sample()).pdf
        new = _read(sealed)
    except _UNREADABLE as error:
        raise NotSealable(_NOTHING_CAN_BE_ADDED) from error
    names = {signature.field_name for signature in signatures}
    for signature in signatures:
        _check_holds(signature)
    try:
        stay = all(map(_is_untouched, _signatures(new, names)))
    except _UNREADABLE as error:
        raise NotSealable(_NOTHING_MAY_BE_ADDED) from error
    if not stay:
        raise NotSealable(_NOTHING_MAY_BE_ADDED)
    return len(signatures)


def _read(pdf: bytes) -> PdfFileReader:
    """Reads the file in strict mode: readers agree on an appended revision only if it conforms. Raises `PdfError`."""
    reader = PdfFileReader(BytesIO(pdf), strict=True)
    if reader.xrefs.hybrid_xrefs_present:
        raise PdfError("It has two tables of its objects, one for old readers and one for new ones.")
    return reader


def _signatures(reader: PdfFileReader, names: Container[str] | None = None) -> Iterator[EmbeddedPdfSignature]:
    """Yields the signatures and timestamps in the file; only those in the fields `names`, if given."""
    for name, value, field in enumerate_sig_fields(reader, filled_status=True):
        if names is not None and name not in names:
            continue
        if value.get_object().get("/SubFilter") not in _KINDS:
            raise NotSealable(_SIGNATURE_UNKNOWN)
        yield EmbeddedPdfSignature(reader, field, name)


def _check_holds(signature: EmbeddedPdfSignature) -> None:
    """Raises `NotSealable` if a signature is broken, forbids changes or cannot be checked.

    The identity of its signer is not checked.
    """
    try:
        holds = is_of_this_file(signature) and _is_untouched(signature)
    except _UNREADABLE as error:
        raise NotSealable(_SIGNATURE_UNKNOWN) from error
    if not holds:
        raise NotSealable(_SIGNATURE_BROKEN)
    if signature.docmdp_level is MDPPerm.NO_CHANGES:
        raise NotSealable(_NOTHING_MAY_BE_ADDED)


def _is_untouched(signature: EmbeddedPdfSignature) -> bool:
    """Whether the signature permits all additions after it."""
    signature.compute_integrity_info()
    return bool(signature.summarise_integrity_info()["docmdp_ok"])
