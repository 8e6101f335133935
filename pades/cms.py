"""CMS of seals: creation from a hash with any kind of key. RFC 5652, 5.

The statement of the seal is a signed attribute, so only the holder of the key can set it. So is the promise, which
names what the container may hold besides the signature, as no signature covers that part of a file. `pades.containers`
checks it.
"""

import asyncio
import json
from collections.abc import Iterable
from dataclasses import dataclass

import rfc8785
from asn1crypto import algos, cms, core, x509
from cryptography import x509 as cryptography_x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature, encode_dss_signature
from pyhanko.sign.attributes import CMSAttributeProvider
from pyhanko.sign.signers.pdf_cms import CAdESSignedAttributeProviderSpec, PdfCMSSignedAttributes, Signer
from pyhanko_certvalidator.registry import SimpleCertificateStore

from domain.ports.seals import SealKey
from domain.seal.seal import SealLevel, Statement, read_statement, write_statement
from domain.shared.object_names import digest as sha256_hex

DIGEST = "sha256"

STATEMENT = "2.25.209337004729116104459115589282128561932"
"""Type of the statement attribute: an object identifier made from a UUID (ITU-T X.667)."""

PROMISE = "2.25.191047279977305413624520401337261315239"
"""Type of the promise attribute. Seals of version 0.1.0 have none."""

_MAX_ROOTS = 16
"""A promise names no roots if the operator trusts more, as it would be too long."""


@dataclass(frozen=True, slots=True)
class Promise:
    """The signed part of a seal that names the rest of its container.

    `goal` is the level that the service wanted. `issuers` are the SHA-256 (hex) of the certificates above that of the
    seal, from the direct issuer up. `timestamp_roots` are those of the roots that a signature timestamp may have; None
    stands for any.
    """

    goal: SealLevel
    issuers: tuple[str, ...]
    timestamp_roots: tuple[str, ...] | None

    def write(self) -> bytes:
        """Returns canonical JSON (RFC 8785)."""
        roots = None if self.timestamp_roots is None else list(self.timestamp_roots)
        return rfc8785.dumps({"goal": self.goal.value, "issuers": list(self.issuers), "timestampRoots": roots})

    @staticmethod
    def read(written: bytes) -> "Promise":
        """Parses a promise. Raises `ValueError`, `TypeError` or `KeyError`."""
        members = json.loads(written)
        roots = members["timestampRoots"]
        return Promise(
            SealLevel(members["goal"]), tuple(members["issuers"]), None if roots is None else tuple(map(str, roots))
        )


def new_promise(key: SealKey, goal: SealLevel = SealLevel.B_B, roots: tuple[bytes, ...] | None = None) -> Promise:
    """Returns the promise of a seal of `key`. `roots` (DER) are those of its timestamp authority; None allows any."""
    named = None if roots is None or len(roots) > _MAX_ROOTS else tuple(map(sha256_hex, roots))
    return Promise(goal, tuple(map(sha256_hex, key.certificate_chain.issuers)), named)


async def make_cms(
    key: SealKey, digest: bytes, statement: Statement, promise: Promise | None = None
) -> cms.ContentInfo:
    """Returns a CAdES signature over `digest`, `statement` and `promise`, with the chain. Raises `SealKeyFailed`."""
    signer = _KeySigner(key, {STATEMENT: write_statement(statement), PROMISE: (promise or new_promise(key)).write()})

    async def sign() -> cms.ContentInfo:
        return await signer.async_sign(data_digest=digest, digest_algorithm=DIGEST, use_pades=True)

    # Encoding the CMS takes 10 ms of processor time: in a thread it does not block the event loop.
    return await asyncio.to_thread(asyncio.run, sign())


def read_signed_statement(signer: cms.SignerInfo) -> Statement | None:
    """Returns the statement of a signature; None if there is none or it is invalid."""
    try:
        return read_statement(_signed_value(signer, STATEMENT))
    except ValueError:
        return None


def read_promise(signer: cms.SignerInfo) -> Promise | None:
    """Returns the promise of a signature; None if there is none. Raises `ValueError` if it is invalid."""
    if PROMISE not in {attribute["type"].dotted for attribute in signer["signed_attrs"]}:
        return None
    try:
        return Promise.read(_signed_value(signer, PROMISE))
    except (TypeError, KeyError) as error:
        raise ValueError("The promise of the seal cannot be read.") from error


def _signed_value(signer: cms.SignerInfo, kind: str) -> bytes:
    """Returns the octets of the one signed attribute of that type. Raises `ValueError`."""
    attributes = [attribute for attribute in signer["signed_attrs"] if attribute["type"].dotted == kind]
    ((value,),) = (attribute["values"] for attribute in attributes)
    octets: bytes = value.parse(spec=core.OctetString).native
    return octets


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


def low_s(signature: bytes, curve: ec.EllipticCurve) -> bytes:
    """Returns the one of the two equivalent forms of an ECDSA signature (DER) with the lower s. Raises `ValueError`."""
    r, s = decode_dss_signature(signature)
    return encode_dss_signature(r, min(s, curve.group_order - s))


class _KeySigner(Signer):
    """Adapts `SealKey` to pyHanko's signer. `attributes` are signed octets by type."""

    def __init__(self, key: SealKey, attributes: dict[str, bytes]) -> None:
        certificates = SimpleCertificateStore()
        for certificate in key.certificate_chain.issuers:
            certificates.register(x509.Certificate.load(certificate))
        certificate = x509.Certificate.load(key.certificate_chain.certificate)
        public = cryptography_x509.load_der_x509_certificate(key.certificate_chain.certificate).public_key()
        self._curve = public.curve if isinstance(public, ec.EllipticCurvePublicKey) else None
        kind = "rsa" if self._curve is None else "ecdsa"
        super().__init__(
            signing_cert=certificate,
            cert_registry=certificates,
            signature_mechanism=algos.SignedDigestAlgorithm({"algorithm": f"{DIGEST}_{kind}"}),
            embed_roots=True,
        )
        self.signed_attr_prov_spec = _Attributes(certificate, attributes)
        self._key = key

    async def async_sign_raw(self, data: bytes, digest_algorithm: str, dry_run: bool = False) -> bytes:  # noqa: ARG002
        signature = await self._key.sign(data)
        return signature if self._curve is None else low_s(signature, self._curve)


class _Attributes(CAdESSignedAttributeProviderSpec):
    """The signed attributes of PAdES, with those of the service added."""

    def __init__(self, certificate: x509.Certificate, attributes: dict[str, bytes]) -> None:
        super().__init__(PdfCMSSignedAttributes(), certificate, is_pades=True, timestamper=None)
        self._attributes = attributes

    def signed_attr_providers(self, data_digest: bytes, digest_algorithm: str) -> Iterable[CMSAttributeProvider]:
        yield from super().signed_attr_providers(data_digest, digest_algorithm)
        for kind, octets in self._attributes.items():
            yield _OctetsProvider(kind, octets)


class _OctetsProvider(CMSAttributeProvider):
    def __init__(self, kind: str, octets: bytes) -> None:
        self.attribute_type = kind
        self._octets = octets

    async def build_attr_value(self, dry_run: bool = False) -> core.OctetString:  # noqa: ARG002
        return core.OctetString(self._octets)
