"""The revision of a PDF that reserves space for the seal. Runs in child processes, as PDFs are untrusted.

`adapters.sealing.sealer` estimates the space.
"""

from datetime import UTC, datetime
from io import BytesIO

from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.pdf_utils.misc import PdfError
from pyhanko.sign.fields import MDPPerm, SigFieldSpec, SigSeedSubFilter, enumerate_sig_fields
from pyhanko.sign.general import SigningError
from pyhanko.sign.signers.cms_embedder import PdfCMSEmbedder, SigIOSetup, SigMDPSetup, SigObjSetup
from pyhanko.sign.signers.pdf_byterange import PdfSignedData, PreparedByteRangeDigest, SignatureObject

from domain.ports.seals import NotSealable, PreparedPdf
from domain.seal.seal import Statement

FIELD = "Seal"
"""Name of the invisible seal field; a number follows if the PDF already has a field of this name."""


def prepare_seal(pdf: bytes, reserved_bytes: int, statement: Statement) -> PreparedPdf:
    """Appends a revision to `pdf` with an invisible field for a seal of at most `reserved_bytes`.

    PDF readers show the text of `statement` as the reason. The statement itself becomes a signed attribute
    (`pades.cms`).

    The seal is a certification signature that permits no changes (DocMDP 1). In a PDF that has signatures it is an
    approval signature, as a certification must come first. Existing bytes are never changed. Raises `NotSealable` if
    the PDF cannot be read or does not permit another signature.
    """
    try:
        writer = SealWriter(BytesIO(pdf), strict=False)
        taken = {name for name, _, _ in enumerate_sig_fields(writer)}
        signed = any(value is not None for _, value, _ in enumerate_sig_fields(writer))
        placeholder = SignatureObject(
            timestamp=datetime.now(UTC),
            subfilter=SigSeedSubFilter.PADES,
            reason=statement.text,
            bytes_reserved=2 * reserved_bytes,
        )
        mdp = SigMDPSetup("sha256", certify=not signed, docmdp_perms=None if signed else MDPPerm.NO_CHANGES)
        return write_placeholder(writer, unused_name(FIELD, taken), placeholder, mdp)
    except (PdfError, SigningError, ValueError, KeyError, TypeError, IndexError, RecursionError) as error:
        raise NotSealable(f"The PDF cannot be sealed: {error}") from error


def write_placeholder(
    writer: IncrementalPdfFileWriter, name: str, placeholder: PdfSignedData, mdp: SigMDPSetup | None = None
) -> PreparedPdf:
    """Appends a revision with a signature field called `name` and the reserved space for its contents."""
    steps = PdfCMSEmbedder(SigFieldSpec(name)).write_cms(name, writer)
    next(steps)
    steps.send(SigObjSetup(sig_placeholder=placeholder, mdp_setup=mdp))
    prepared: PreparedByteRangeDigest
    prepared, output = steps.send(SigIOSetup(md_algorithm="sha256", in_place=True))
    return PreparedPdf(
        pdf=output.getvalue(),
        digest=prepared.document_digest,
        start=prepared.reserved_region_start,
        end=prepared.reserved_region_end,
    )


class SealWriter(IncrementalPdfFileWriter):
    """Appends a revision without touching title, dates and metadata of the file."""

    def _update_meta(self) -> None:
        """Does nothing: pyHanko would record the time and its name, and fails on invalid metadata."""


def unused_name(name: str, taken: set[str | None]) -> str:
    """Returns `name`, followed by a number if it is `taken`."""
    numbered = (f"{name}{number}" for number in range(2, len(taken) + 3))
    return name if name not in taken else next(other for other in numbered if other not in taken)
