"""Making the CMS of a seal from a hash, with a key of any kind."""

from asn1crypto import algos, cms, x509
from pyhanko.sign.signers.pdf_cms import PdfCMSSignedAttributes, Signer
from pyhanko_certvalidator.registry import SimpleCertificateStore

from adapters.sealing.port import SealKey

DIGEST = "sha256"


async def make_cms(key: SealKey, digest: bytes) -> cms.ContentInfo:
    """A CAdES signature over `digest`, the SHA-256 of a document, with the whole chain of certificates in it.

    Raises:
        SealKeyFailed: the key did not sign.
    """
    return await _KeySigner(key).async_sign(
        data_digest=digest, digest_algorithm=DIGEST, use_pades=True, signed_attr_settings=PdfCMSSignedAttributes()
    )


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

    def __init__(self, key: SealKey) -> None:
        certificates = SimpleCertificateStore()
        for certificate in key.identity.chain:
            certificates.register(x509.Certificate.load(certificate))
        certificate = x509.Certificate.load(key.identity.certificate)
        super().__init__(
            signing_cert=certificate,
            cert_registry=certificates,
            signature_mechanism=algos.SignedDigestAlgorithm({"algorithm": f"{DIGEST}_{_kind(certificate)}"}),
            embed_roots=True,
        )
        self._key = key

    async def async_sign_raw(self, data: bytes, digest_algorithm: str, dry_run: bool = False) -> bytes:  # noqa: ARG002
        return await self._key.sign(data)


def _kind(certificate: x509.Certificate) -> str:
    return "ecdsa" if certificate.public_key.algorithm == "ec" else "rsa"
