"""CMS of seals: creation from a hash with any kind of key, and the canonical form. RFC 5652, 5; RFC 5280, 4.2.

The statement of the seal is a signed attribute, so only the holder of the key can set it. The container stands in a
part of the file that its signature does not cover, so only one encoding of it is accepted. This detects every changed
byte of a file.
"""

import asyncio
import re
from collections.abc import Iterable

from asn1crypto import algos, cms, core, x509
from cryptography.x509 import InvalidVersion, load_der_x509_certificate
from pyhanko.sign.attributes import CMSAttributeProvider
from pyhanko.sign.signers.pdf_cms import CAdESSignedAttributeProviderSpec, PdfCMSSignedAttributes, Signer
from pyhanko_certvalidator.registry import SimpleCertificateStore

from domain.seal.seal import Statement, read_statement, write_statement
from pades.certificates import is_issued_by
from ports.seals import SealKey

DIGEST = "sha256"

STATEMENT = "2.25.209337004729116104459115589282128561932"
"""Type of the statement attribute: an object identifier made from a UUID (ITU-T X.667)."""

_ROOM = re.compile(rb"<([0-9a-f]*|[0-9A-F]*)>")
_SIGNED_PARTS = ("version", "digest_algorithms", "encap_content_info")
_SIGNER_PARTS = ("version", "sid", "digest_algorithm", "signed_attrs", "signature_algorithm", "signature")


async def make_cms(key: SealKey, digest: bytes, statement: Statement) -> cms.ContentInfo:
    """Returns a CAdES signature over `digest` and `statement`, with the whole chain. Raises `SealKeyFailed`."""

    async def sign() -> cms.ContentInfo:
        return await _KeySigner(key, statement).async_sign(data_digest=digest, digest_algorithm=DIGEST, use_pades=True)

    # Encoding the CMS takes 10 ms of processor time: in a thread it does not block the event loop.
    return await asyncio.to_thread(asyncio.run, sign())


def read_signed_statement(signer: cms.SignerInfo) -> Statement | None:
    """Returns the statement of a signature; None if there is none or it is invalid."""
    attributes = [attribute for attribute in signer["signed_attrs"] if attribute["type"].dotted == STATEMENT]
    try:
        ((value,),) = (attribute["values"] for attribute in attributes)
        return read_statement(value.parse(spec=core.OctetString).native)
    except ValueError:
        return None


def with_signature_timestamp(signature: cms.ContentInfo, token: cms.ContentInfo) -> cms.ContentInfo:
    """Returns the signature with `token`, a timestamp of its value, as an unsigned attribute."""
    info = signature["content"]["signer_infos"][0]
    info["unsigned_attrs"] = cms.CMSAttributes(
        [cms.CMSAttribute({"type": "signature_time_stamp_token", "values": [token]})]
    )
    return cms.ContentInfo({"content_type": "signed_data", "content": signature["content"]})


def timestamp_tokens(signer: cms.SignerInfo) -> list[cms.ContentInfo]:
    """Returns the signature timestamps, which are unsigned attributes."""
    attributes = signer["unsigned_attrs"]
    return [
        token
        for attribute in (attributes if isinstance(attributes, cms.CMSAttributes) else ())
        if attribute["type"].native == "signature_time_stamp_token"
        for token in attribute["values"]
    ]


def signature_value(signature: cms.ContentInfo) -> bytes:
    """Returns the signature value, which a signature timestamp covers."""
    value: bytes = signature["content"]["signer_infos"][0]["signature"].native
    return value


class _KeySigner(Signer):
    """Adapts `SealKey` to pyHanko's signer."""

    def __init__(self, key: SealKey, statement: Statement) -> None:
        certificates = SimpleCertificateStore()
        for certificate in key.certificate_chain.issuers:
            certificates.register(x509.Certificate.load(certificate))
        certificate = x509.Certificate.load(key.certificate_chain.certificate)
        kind = "ecdsa" if certificate.public_key.algorithm == "ec" else "rsa"
        super().__init__(
            signing_cert=certificate,
            cert_registry=certificates,
            signature_mechanism=algos.SignedDigestAlgorithm({"algorithm": f"{DIGEST}_{kind}"}),
            embed_roots=True,
        )
        self.signed_attr_prov_spec = _Attributes(certificate, statement)
        self._key = key

    async def async_sign_raw(self, data: bytes, digest_algorithm: str, dry_run: bool = False) -> bytes:  # noqa: ARG002
        return await self._key.sign(data)


class _Attributes(CAdESSignedAttributeProviderSpec):
    """The signed attributes of PAdES, with the statement added."""

    def __init__(self, certificate: x509.Certificate, statement: Statement) -> None:
        super().__init__(PdfCMSSignedAttributes(), certificate, is_pades=True, timestamper=None)
        self._statement = statement

    def signed_attr_providers(self, data_digest: bytes, digest_algorithm: str) -> Iterable[CMSAttributeProvider]:
        yield from super().signed_attr_providers(data_digest, digest_algorithm)
        yield _StatementProvider(self._statement)


class _StatementProvider(CMSAttributeProvider):
    attribute_type = STATEMENT

    def __init__(self, statement: Statement) -> None:
        self._statement = statement

    async def build_attr_value(self, dry_run: bool = False) -> core.OctetString:  # noqa: ARG002
        return core.OctetString(write_statement(self._statement))


def is_canonical_cms(reserved_region: bytes, trusted: tuple[bytes, ...]) -> bool:
    """Whether `reserved_region`, angle brackets included, holds one canonical container, padded with zeros.

    `trusted` are certificates (DER) that may have issued those in the container.
    """
    digits = _ROOM.fullmatch(reserved_region)
    if digits is None or len(digits[1]) % 2:
        return False
    decoded = bytes.fromhex(digits[1].decode("ascii"))
    try:
        content = cms.ContentInfo.load(decoded)
        length = len(content.dump())
        return not any(decoded[length:]) and _is_canonical(content, trusted)
    except (ValueError, TypeError, KeyError, AttributeError, InvalidVersion):
        return False


def _is_canonical(content: cms.ContentInfo, trusted: tuple[bytes, ...], *, is_token: bool = False) -> bool:
    signed = content["content"]
    (signer,) = signed["signer_infos"]
    digests = [algorithm.dump() for algorithm in signed["digest_algorithms"]]
    return (
        signed["version"].native == ("v3" if is_token else "v1")
        and signer["version"].native == "v1"
        and digests == [signer["digest_algorithm"].dump()]
        and _is_der(content)
        and all(choice.name == "certificate" for choice in signed["certificates"])
        and (is_token or _are_issued([choice.chosen for choice in signed["certificates"]], trusted))
        and all(_is_canonical(token, trusted, is_token=True) for token in timestamp_tokens(signer))
    )


def _is_der(content: cms.ContentInfo) -> bool:
    """Whether encoding the parsed values gives the same bytes. Certificates are left out: their issuers signed them."""
    signed = content["content"]
    (signer,) = signed["signer_infos"]
    parts = [*(signed[name] for name in _SIGNED_PARTS), *(signer[name] for name in _SIGNER_PARTS)]
    outer = cms.ContentInfo({"content_type": content["content_type"].native, "content": signed.copy()})
    for part in parts:
        copy = part.copy()
        _ = copy.native  # reads all of it
        if copy.dump(force=True) != part.dump():
            return False
    return bool(outer.dump() == content.dump())


def _are_issued(certificates: list[x509.Certificate], trusted: tuple[bytes, ...]) -> bool:
    """Whether each certificate was issued by another of them, by a trusted one or by itself."""
    own = [load_der_x509_certificate(certificate.dump()) for certificate in certificates]
    issuers = [*own, *map(load_der_x509_certificate, trusted)]
    whole = all(certificate["signature_value"].contents[:1] == b"\0" for certificate in certificates)
    return whole and all(any(is_issued_by(certificate, issuer) for issuer in issuers) for certificate in own)
