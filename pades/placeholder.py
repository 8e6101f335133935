"""Writing the revision of a PDF that will hold the seal. Runs in child processes: the PDF may be anybody's."""

from datetime import UTC, datetime
from io import BytesIO

from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.pdf_utils.misc import PdfError
from pyhanko.sign.fields import MDPPerm, SigFieldSpec, SigSeedSubFilter, enumerate_sig_fields
from pyhanko.sign.general import SigningError
from pyhanko.sign.signers.cms_embedder import PdfCMSEmbedder, SigIOSetup, SigMDPSetup, SigObjSetup
from pyhanko.sign.signers.pdf_byterange import PdfSignedData, PreparedByteRangeDigest, SignatureObject

from domain.seal.statement import Statement
from ports.sealing import NotSealable, PreparedPdf

FIELD = "Seal"
"""The name of the invisible field that holds the seal; with a number where a PDF has such a field already."""


def prepare_seal(pdf: bytes, reserved_bytes: int, statement: Statement) -> PreparedPdf:
    """A new revision of `pdf` with an invisible field for a seal of up to `reserved_bytes` bytes.

    PDF readers show the text of `statement` as the reason. The statement itself is signed with the seal (`signing`).

    The seal certifies the document: no change is allowed after it (DocMDP 1). In a PDF that somebody has signed before
    it approves only, because a certification must come first, and every byte of theirs stays.

    Raises:
        NotSealable: the PDF cannot be read or takes no more signatures.
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
    """The next revision, with a field of that name and room for what goes into it."""
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
    """Adds a revision and leaves the title, dates and metadata of the file as they are, however they are written."""

    def _update_meta(self) -> None:
        """Nothing. The library would note the time and itself, and stops at metadata that is none."""


def unused_name(wanted: str, taken: set[str | None]) -> str:
    """`wanted`, with the first number that makes it a name of its own if it is taken."""
    numbered = (f"{wanted}{number}" for number in range(2, len(taken) + 3))
    return wanted if wanted not in taken else next(name for name in numbered if name not in taken)
