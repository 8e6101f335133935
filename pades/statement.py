"""Reading what the seal of a PDF states. Runs in child processes."""

from io import BytesIO

from pyhanko.pdf_utils.reader import PdfFileReader

from domain.seal.statement import Statement
from pades.cms import statement_of
from pades.seal_validation import PARSE_ERRORS


def read_seal_statement(pdf: bytes) -> Statement | None:
    """What the newest seal of `pdf` states; None if there is no seal, or nothing in it can be understood.

    Whether the seal holds, and whose it is, is not checked: the caller knows by its hash that the service made `pdf`.
    """
    try:
        signatures = PdfFileReader(BytesIO(pdf), strict=False).embedded_signatures
        seals = [one for one in signatures if one.sig_object_type == "/Sig"]
        return statement_of(seals[-1].signer_info) if seals else None
    except PARSE_ERRORS:
        return None
