"""Validation data in a document security store: each item must lead to a signature in the file.

A certificate leads if it is on the path of a signer, by verified signatures, or signed a revocation list or an OCSP
response that one of these issued. Names prove nothing, as anyone can create certificates with any name. What leads
nowhere, and what validation does not need, is a rider.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from asn1crypto import algos, core
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519, padding, rsa
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import ExtendedKeyUsageOID

from pades import der
from pades.certificate_form import certificate_riders, extension_riders, outer
from pades.certificates import is_issued_by, is_root_or_lower, is_self_issued
from pades.parse_errors import PARSE_ERRORS

_MAX_ITEMS = 400
_MAX_ENTRY = 512
"""Bytes of one entry of a revocation list."""

_MAX_RESPONSE = 16 * 1024
"""Bytes of the signed part of an OCSP response."""

_RESPONSE_EXTENSIONS = 0xA1
_HELD = [der.EXPLICIT_0, der.SEQUENCE]
"""The tags around the certificates of a response."""

_BASIC = core.ObjectIdentifier("1.3.6.1.5.5.7.48.1.1").contents
_UNRELATED = "a certificate that leads to no signature in the file"
_STRANGE_LIST = "a revocation list or OCSP response that no authority of a signature in the file signed"
_FORM = "something else than a certificate, a revocation list or an OCSP response in DER"
_TWICE = "the same validation data twice"
_MANY = f"more than {_MAX_ITEMS} certificates, revocation lists and OCSP responses"


@dataclass(frozen=True, slots=True)
class Evidence:
    """Certificates, CRLs and OCSP responses (DER)."""

    certificates: tuple[bytes, ...] = ()
    crls: tuple[bytes, ...] = ()
    ocsps: tuple[bytes, ...] = ()

    @property
    def items(self) -> tuple[bytes, ...]:
        return (*self.certificates, *self.crls, *self.ocsps)


@dataclass(frozen=True, slots=True)
class Signers:
    """The certificates (DER) from which validation data may lead.

    `paths` are complete: nothing leads above them. `ends` are signing certificates whose issuers are unknown. `beside`
    are certificates that stand in signatures.
    """

    paths: tuple[bytes, ...] = ()
    ends: tuple[bytes, ...] = ()
    beside: tuple[bytes, ...] = ()

    def merged_with(self, other: "Signers") -> "Signers":
        return Signers(self.paths + other.paths, self.ends + other.ends, self.beside + other.beside)


def evidence_riders(added: Evidence, before: Evidence, signers: Signers) -> tuple[str, ...]:
    """Returns what `added` holds that is not validation data of the `signers`. `before` was in the store already."""
    if len(added.items) + len(before.items) > _MAX_ITEMS:
        return (_MANY,)
    try:
        return tuple(dict.fromkeys(_riders(added, before, signers)))
    except PARSE_ERRORS:
        return (_FORM,)


def _riders(added: Evidence, before: Evidence, signers: Signers) -> Iterator[str]:
    if len(set(added.items)) != len(added.items) or set(added.items) & set(before.items):
        yield _TWICE
    responses = [_Response.read(one) for one in added.ocsps]
    known = _Authorities(signers, (*added.certificates, *before.certificates))
    known.add_responders(responses)
    for response in responses:
        yield from response.riders()
        signer = known.signer_of(response)
        if signer is None or not set(response.certificates) <= known.certificates:
            yield _STRANGE_LIST
    for one in added.crls:
        yield from _list_riders(one)
        if not known.issued_list(one):
            yield _STRANGE_LIST
    for one in added.certificates:
        yield from certificate_riders(one, is_verified=known.is_verified(one))
    if not set(added.certificates) <= known.certificates:
        yield _UNRELATED


def revocations_by(issuers: Sequence[bytes], evidence: Evidence) -> Evidence:
    """Returns those CRLs and OCSP responses that one of `issuers` (DER) signed, or a responder that it appointed."""
    known = _Authorities(Signers(paths=tuple(issuers)), evidence.certificates)
    responses = []
    for one in evidence.ocsps:
        # A response that cannot be read proves nothing. The others still count.
        with suppress(*PARSE_ERRORS):
            responses.append((one, _Response.read(one)))
    known.add_responders([response for _, response in responses])
    crls = []
    for one in evidence.crls:
        # As with responses above.
        with suppress(*PARSE_ERRORS):
            if known.issued_list(one):
                crls.append(one)
    ocsps = tuple(one for one, response in responses if known.signer_of(response) is not None)
    return Evidence(evidence.certificates, tuple(crls), ocsps)


def _list_riders(crl: bytes) -> Iterator[str]:
    fields = outer(crl).children()
    entries = [one for one in fields if one.tag == der.SEQUENCE][2:]
    extensions = [one.children()[0].children() for one in fields if one.tag == der.EXPLICIT_0]
    yield from extension_riders(extensions[0] if extensions else [])
    if any(len(entry.written) > _MAX_ENTRY for one in entries for entry in one.children()):
        yield "a long entry of a revocation list"


@dataclass(frozen=True, slots=True)
class _Response:
    """A successful basic OCSP response, taken apart."""

    signed: der.Element
    algorithm: bytes
    signature: bytes
    certificates: tuple[bytes, ...]

    @staticmethod
    def read(written: bytes) -> "_Response":
        """Raises `ValueError` unless `written` is a basic response in DER, and nothing else."""
        status, held = der.read(written).children()
        (content,) = held.children()
        kind, octets = content.children()
        basic = der.read(octets.content).children()
        certificates = tuple(one.written for one in basic[3].children()[0].children()) if basic[3:] else ()
        tags = (der.read(written).tag, content.tag, kind.tag, octets.tag, der.read(octets.content).tag)
        if tags != (der.SEQUENCE, der.SEQUENCE, der.OBJECT_IDENTIFIER, der.OCTET_STRING, der.SEQUENCE):
            raise der.NotDer(_FORM)
        if any(
            (one.tag, [held.tag for held in one.children()]) != (der.EXPLICIT_0, [der.SEQUENCE]) for one in basic[3:]
        ):
            raise der.NotDer(_FORM)
        is_basic = status.written == b"\x0a\x01\x00" and kind.content == _BASIC
        has_form = [one.tag for one in basic[:3]] == [der.SEQUENCE, der.SEQUENCE, der.BIT_STRING] and len(basic) <= 4
        if not (is_basic and has_form and basic[2].content[:1] == b"\0" and held.tag == der.EXPLICIT_0):
            raise der.NotDer(_FORM)
        der.expect_der(basic[1].written)
        if any(one.content for one in basic[1].children()[1:] if one.tag != der.SEQUENCE):
            raise der.NotDer(_FORM)
        return _Response(basic[0], basic[1].written, basic[2].content[1:], certificates)

    def riders(self) -> Iterator[str]:
        if len(set(self.certificates)) != len(self.certificates):
            yield _TWICE
        for one in self.certificates:
            yield from certificate_riders(one)
        *_, before, last = self.signed.children()
        if (before.tag, last.tag) == (der.SEQUENCE, _RESPONSE_EXTENSIONS):
            yield from extension_riders(last.children()[0].children())
        if len(self.signed.written) > _MAX_RESPONSE:
            yield "an OCSP response that is too long"

    def is_signed_by(self, certificate: x509.Certificate) -> bool:
        return _verifies(certificate, self.signature, self.signed.written, self.algorithm)


@dataclass(slots=True)
class _Authorities:
    """The certificates that lead to a signature, and those that these appointed."""

    signers: Signers
    pool: tuple[bytes, ...]
    _loaded: dict[bytes, x509.Certificate] = field(init=False, default_factory=dict)
    _candidates: list[x509.Certificate] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        self._candidates = list(_loaded((*self.signers.beside, *self.pool)).values())
        self._loaded = _loaded((*self.signers.paths, *self.signers.ends, *self.signers.beside))
        for one in list(_loaded(self.signers.ends).values()):
            self._climb(one)

    @property
    def certificates(self) -> set[bytes]:
        return set(self._loaded)

    def is_verified(self, certificate: bytes) -> bool:
        """Whether the issuer of a certificate (DER) is known, or a signer vouches for it."""
        loaded = x509.load_der_x509_certificate(certificate)
        is_named = certificate in (*self.signers.paths, *self.signers.ends)
        return is_named or any(is_issued_by(loaded, one) for one in (*self._loaded.values(), *self._candidates))

    def _climb(self, certificate: x509.Certificate) -> None:
        """Adds the issuers of `certificate`. If one of them is a root, others of the same key are not needed."""
        if _is_root(certificate):
            return
        issuers = [one for one in self._candidates if is_issued_by(certificate, one) and is_root_or_lower(one)]
        for issuer in [one for one in issuers if _is_root(one)] or issuers:
            if self._keep(issuer):
                self._climb(issuer)

    def _keep(self, certificate: x509.Certificate) -> bool:
        """Adds a certificate; returns whether it is new."""
        written = certificate.public_bytes(Encoding.DER)
        is_new = written not in self._loaded
        self._loaded[written] = certificate
        return is_new

    def add_responders(self, responses: Iterable[_Response]) -> None:
        """Adds the certificates of OCSP responders that signed one of `responses` and that a known authority issued."""
        authorities = list(self._loaded.values())
        for response in responses:
            for one in _loaded((*response.certificates, *self.pool)).values():
                if _answers(one) and response.is_signed_by(one) and any(is_issued_by(one, by) for by in authorities):
                    self._keep(one)

    def signer_of(self, response: _Response) -> x509.Certificate | None:
        """Returns the known certificate that signed an OCSP response."""
        known = (one for one in self._loaded.values() if _answers(one) or _is_authority(one))
        return next((one for one in known if response.is_signed_by(one)), None)

    def issued_list(self, crl: bytes) -> bool:
        """Whether a known authority signed a revocation list. If it appointed the signer, that is known afterwards."""
        parsed = x509.load_der_x509_crl(crl)
        for one in (*self._loaded.values(), *self._candidates):
            if one.subject == parsed.issuer and _signed_list(one, parsed):
                authorities = [by for by in self._loaded.values() if _is_authority(by)]
                if one in authorities or any(is_issued_by(one, by) for by in authorities):
                    self._keep(one)
                    return True
        return False


def readable_certificates(certificates: Iterable[bytes]) -> tuple[bytes, ...]:
    """Returns those of the certificates (DER) that can be parsed, without duplicates."""
    return tuple(_loaded(certificates))


def _loaded(certificates: Iterable[bytes]) -> dict[bytes, x509.Certificate]:
    loaded = {}
    for one in certificates:
        # Files may embed certificates that cannot be read; such a certificate issued nothing.
        with suppress(*PARSE_ERRORS):
            loaded[one] = x509.load_der_x509_certificate(one)
    return loaded


def _is_root(certificate: x509.Certificate) -> bool:
    return certificate.subject == certificate.issuer and is_self_issued(certificate.public_bytes(Encoding.DER))


def _is_authority(certificate: x509.Certificate) -> bool:
    try:
        return certificate.extensions.get_extension_for_class(x509.BasicConstraints).value.ca
    except PARSE_ERRORS:
        return _is_root(certificate)


def _answers(certificate: x509.Certificate) -> bool:
    """Whether the certificate is for OCSP responses."""
    try:
        named = certificate.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    except PARSE_ERRORS:
        return False
    return ExtendedKeyUsageOID.OCSP_SIGNING in named


def _signed_list(certificate: x509.Certificate, crl: x509.CertificateRevocationList) -> bool:
    try:
        return crl.is_signature_valid(certificate.public_key())  # type: ignore[arg-type]  # others raise TypeError
    except PARSE_ERRORS:
        return False


def _verifies(certificate: x509.Certificate, signature: bytes, data: bytes, written: bytes) -> bool:
    """Whether the key of `certificate` signed `data` with the algorithm that is `written` (DER)."""
    try:
        algorithm = algos.SignedDigestAlgorithm.load(written)
        public = certificate.public_key()
        if isinstance(public, ed25519.Ed25519PublicKey | ed448.Ed448PublicKey):
            public.verify(signature, data)
            return True
        hashed = getattr(hashes, algorithm.hash_algo.upper())()
        if isinstance(public, ec.EllipticCurvePublicKey):
            public.verify(signature, data, ec.ECDSA(hashed))
        elif isinstance(public, rsa.RSAPublicKey):
            public.verify(signature, data, _padding(algorithm, hashed), hashed)
        else:
            return False
    except PARSE_ERRORS:
        return False
    return True


def _padding(algorithm: algos.SignedDigestAlgorithm, hashed: hashes.HashAlgorithm) -> padding.AsymmetricPadding:
    if algorithm.signature_algo == "rsassa_pss":
        return padding.PSS(padding.MGF1(hashed), algorithm["parameters"]["salt_length"].native)
    return padding.PKCS1v15()
