"""The signatures of a PDF, as far as they can be read, and the certificates in them.

A PDF may bring signatures of others, of any program and age. One that cannot be read does not hide the rest.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import new as hasher
from hashlib import sha1

from asn1crypto import cms
from pyhanko.pdf_utils.reader import HistoricalResolver, PdfFileReader
from pyhanko.sign.fields import enumerate_sig_fields
from pyhanko.sign.validation.generic_cms import validate_sig_integrity
from pyhanko.sign.validation.pdf_embedded import EmbeddedPdfSignature

from pades import der
from pades.cms import read_promise, timestamp_tokens
from pades.containers import certificates_of, issuers_in, signer_certificate
from pades.evidence import Evidence, Signers
from pades.parse_errors import PARSE_ERRORS

TIMESTAMP = "/DocTimeStamp"
_STORE = ("/Certs", "/CRLs", "/OCSPs")


@dataclass(frozen=True, slots=True)
class Embedded:
    """The signatures and document timestamps that can be read, oldest first, and the number of the others."""

    readable: tuple[EmbeddedPdfSignature, ...]
    unreadable: int

    @property
    def seal_and_later(self) -> tuple[EmbeddedPdfSignature, ...]:
        """The newest signature that is no timestamp, and the timestamps after it; none without such a signature."""
        seals = [number for number, one in enumerate(self.readable) if one.sig_object_type != TIMESTAMP]
        return self.readable[seals[-1] :] if seals else ()


def embedded_signatures(reader: PdfFileReader) -> Embedded:
    """Reads the signatures of a PDF. Raises one of `PARSE_ERRORS` if its form cannot be read."""
    readable, unreadable = [], 0
    for name, _, field in enumerate_sig_fields(reader, filled_status=True):
        try:
            one = EmbeddedPdfSignature(reader, field, name)
            _ = one.signer_cert, one.sig_object_type, one.signed_revision, [int(number) for number in one.byte_range]
            readable.append(one)
        except PARSE_ERRORS:
            unreadable += 1
    return Embedded(tuple(sorted(readable, key=lambda one: one.signed_revision)), unreadable)


def is_of_this_file(signature: EmbeddedPdfSignature) -> bool:
    """Whether a signature is valid for the bytes that it covers. Raises one of `PARSE_ERRORS` if that cannot be told.

    The identity of its signer is not checked. Upload and verification use the same test.
    """
    digest, kind = signature.compute_digest(), "data"
    if signature.sig_object_type == TIMESTAMP:
        content = signature.signed_data["encap_content_info"]["content"]
        imprint = content.parsed["message_imprint"]
        if imprint["hashed_message"].native != signature.compute_digest(imprint["hash_algorithm"]["algorithm"].native):
            return False
        kind = "tst_info"
        algorithm = signature.signer_info["digest_algorithm"]["algorithm"].native
        digest = hasher(algorithm, bytes(content), usedforsecurity=False).digest()
    intact, valid = validate_sig_integrity(signature.signer_info, signature.signer_cert, kind, digest)
    return bool(intact and valid)


def signers_of(signatures: Iterable[EmbeddedPdfSignature], tokens: Iterable[bytes]) -> Signers:
    """Returns the certificates of `signatures`, of the timestamps in them, and of `tokens` (DER)."""
    signers = Signers()
    for signature in signatures:
        # Files may hold signatures that cannot be read. They do not prevent the validation of the others.
        with suppress(*PARSE_ERRORS):
            signers = signers.merged_with(_signers_in(signature.signed_data))
            for token in timestamp_tokens(signature.signer_info):
                signers = signers.merged_with(_signers_in(token["content"]))
    for written in tokens:
        # As with signatures above.
        with suppress(*PARSE_ERRORS):
            signers = signers.merged_with(_signers_in(cms.ContentInfo.load(written)["content"]))
    return signers


def _signers_in(signed: cms.SignedData) -> Signers:
    (signer,) = signed["signer_infos"]
    own, certificates = signer_certificate(signed), certificates_of(signed)
    promise = read_promise(signer)
    path = issuers_in(certificates, promise) if promise else None
    if path is not None:
        return Signers(paths=(own, *path))
    return Signers(ends=(own,), beside=tuple(certificates))


def store_keys(contents: Sequence[bytes]) -> set[str]:
    """Returns the names that entries of a security store may have for signatures with these contents.

    ISO 32000-2, 12.8.4.4 hashes the contents; programs differ in whether padding counts, and in digits.
    """
    keys = set()
    for one in contents:
        whole = one[: der.first_length(one)]
        for form in (one, whole, one.hex().encode(), whole.hex().encode(), one.hex().upper().encode()):
            keys.add(sha1(form, usedforsecurity=False).hexdigest().upper())
    return keys


def read_store(handler: PdfFileReader | HistoricalResolver) -> tuple[Evidence, bool]:
    """Returns the items of the document security store in their bytes, and whether all of it can be read.

    `handler` is a reader, or a revision of one.
    """
    found: dict[str, tuple[bytes, ...]] = {}
    try:
        store = handler.root["/DSS"]
    except KeyError:
        return Evidence(), True
    except PARSE_ERRORS:
        return Evidence(), False
    is_whole = True
    for key in _STORE:
        items = []
        try:
            listed = list(store[key]) if key in store else []
        except PARSE_ERRORS:
            listed, is_whole = [], False
        for item in listed:
            try:
                items.append(bytes(item.get_object().data))
            except PARSE_ERRORS:
                is_whole = False
        found[key] = tuple(dict.fromkeys(items))
    return Evidence(*(found[key] for key in _STORE)), is_whole
