"""Making the CMS of a seal from a hash, with a key of any kind.

What the seal is put on is an attribute that the signature covers: only the key can write it, whatever the PDF holds.
"""

import asyncio
from collections.abc import Iterable

from asn1crypto import algos, cms, core, x509
from pyhanko.sign.attributes import CMSAttributeProvider
from pyhanko.sign.signers.pdf_cms import CAdESSignedAttributeProviderSpec, PdfCMSSignedAttributes, Signer
from pyhanko_certvalidator.registry import SimpleCertificateStore

from domain.seal.statement import Statement, read_statement, write_statement
from ports.sealing import SealKey

DIGEST = "sha256"

STATEMENT = "2.25.209337004729116104459115589282128561932"
"""The type of the attribute: an object identifier of our own, made from a UUID (ITU-T X.667)."""


async def make_cms(key: SealKey, digest: bytes, statement: Statement) -> cms.ContentInfo:
    """A CAdES signature over `digest`, the SHA-256 of a document, and over `statement`, with all certificates in it.

    Raises:
        SealKeyFailed: the key did not sign.
    """

    async def sign() -> cms.ContentInfo:
        return await _KeySigner(key, statement).async_sign(data_digest=digest, digest_algorithm=DIGEST, use_pades=True)

    # Encoding the CMS takes 10 ms of processor time: in a thread it does not block the event loop.
    return await asyncio.to_thread(asyncio.run, sign())


def read_signed_statement(signer: cms.SignerInfo) -> Statement | None:
    """What the signature states; None if it states nothing that can be understood."""
    found = [attribute for attribute in signer["signed_attrs"] if attribute["type"].dotted == STATEMENT]
    try:
        ((value,),) = (attribute["values"] for attribute in found)
        return read_statement(value.parse(spec=core.OctetString).native)
    except ValueError:
        return None


def with_signature_timestamp(signature: cms.ContentInfo, token: cms.ContentInfo) -> cms.ContentInfo:
    """The signature with a timestamp over its value, which is no signed attribute and so changes nothing else."""
    info = signature["content"]["signer_infos"][0]
    info["unsigned_attrs"] = cms.CMSAttributes(
        [cms.CMSAttribute({"type": "signature_time_stamp_token", "values": [token]})]
    )
    return cms.ContentInfo({"content_type": "signed_data", "content": signature["content"]})


def token_of(signer: cms.SignerInfo) -> cms.ContentInfo | None:
    """The timestamp in a signature, if it has one."""
    attributes = signer["unsigned_attrs"]
    for attribute in attributes if isinstance(attributes, cms.CMSAttributes) else ():
        if attribute["type"].native == "signature_time_stamp_token":
            return attribute["values"][0]
    return None


def signature_value(signature: cms.ContentInfo) -> bytes:
    """What a timestamp over the signature is about."""
    value: bytes = signature["content"]["signer_infos"][0]["signature"].native
    return value


class _KeySigner(Signer):
    """A signer of the library over a key of ours."""

    def __init__(self, key: SealKey, statement: Statement) -> None:
        certificates = SimpleCertificateStore()
        for certificate in key.certificate_chain.issuers:
            certificates.register(x509.Certificate.load(certificate))
        certificate = x509.Certificate.load(key.certificate_chain.certificate)
        super().__init__(
            signing_cert=certificate,
            cert_registry=certificates,
            signature_mechanism=algos.SignedDigestAlgorithm({"algorithm": f"{DIGEST}_{_kind(certificate)}"}),
            embed_roots=True,
        )
        self.signed_attr_prov_spec = _Attributes(certificate, statement)
        self._key = key

    async def async_sign_raw(self, data: bytes, digest_algorithm: str, dry_run: bool = False) -> bytes:  # noqa: ARG002
        return await self._key.sign(data)


class _Attributes(CAdESSignedAttributeProviderSpec):
    """The signed attributes of PAdES, and the statement."""

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


def _kind(certificate: x509.Certificate) -> str:
    return "ecdsa" if certificate.public_key.algorithm == "ec" else "rsa"
