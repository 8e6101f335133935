"""The canonical form of the containers of seals and timestamps (CMS, RFC 5652, 5; RFC 3161, 2.4.2).

A container stands in a part of the file that no signature covers. A seal has therefore one form only: it is built
again from what is signed, from the certificates and from the timestamp, and compared byte by byte. What differs is
called a rider: bytes that a stranger can put into the file while the signature stays valid. Messages hold no content of
the file.
"""

import re
from collections.abc import Iterator, Sequence
from hashlib import sha256

from asn1crypto import algos, cms, core
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec

from pades import der
from pades.certificate_form import certificate_riders
from pades.certificates import is_self_issued, issuers_of
from pades.cms import PROMISE, STATEMENT, Promise, low_s, read_promise
from pades.parse_errors import PARSE_ERRORS

_ROOM = re.compile(rb"<([0-9a-f]*|[0-9A-F]*)>")
_DATA, _SIGNED_DATA, _TST_INFO = (core.ObjectIdentifier(one).dump() for one in (
    "1.2.840.113549.1.7.1", "1.2.840.113549.1.7.2", "1.2.840.113549.1.9.16.1.4",
))  # fmt: skip
_TIMESTAMP_ATTRIBUTE = core.ObjectIdentifier("1.2.840.113549.1.9.16.2.14").dump()
_SHA256 = algos.DigestAlgorithm({"algorithm": "sha256"}).dump()
_SIGNED_OF_SEAL = ("1.2.840.113549.1.9.3", "1.2.840.113549.1.9.4", "1.2.840.113549.1.9.16.2.47", STATEMENT, PROMISE)
"""Content type, message digest, signing certificate, statement, promise."""

_SIGNED_OF_TOKEN = {
    "1.2.840.113549.1.9.3", "1.2.840.113549.1.9.4", "1.2.840.113549.1.9.5", "1.2.840.113549.1.9.52",
    "1.2.840.113549.1.9.16.2.12", "1.2.840.113549.1.9.16.2.47",
}  # fmt: skip
"""Content type, message digest, signing time, algorithm protection, signing certificate, and its version 2."""

_NULL = b"\5\0"
_MAX_VALUE = 256
"""Bytes of an attribute of a timestamp whose type is not known."""

_MAX_CERTIFICATES = 8
_MAX_ATTRIBUTES = 4096
_MAX_TIME = 2048
"""Bytes of the signed part of a timestamp (`TSTInfo`)."""

_LOCAL = "Undersign Local Seal Authority "
_ENCODING = "an encoding that the service does not write"
_PADDING = "bytes after the signature"
_UNSIGNED = "attributes that nobody signed"
_LISTS = "revocation lists"
_TWICE = "a certificate twice"
_UNRELATED = "a certificate that does not lead from the signer to its root"
_MISSING = "another certificate in place of an issuer of the seal"
_SECOND_FORM = "the other form of an elliptic signature"
_NO_TIME = "a timestamp although the service had no timestamp authority, or of another authority than it had"


def contents_of(reserved_region: bytes) -> bytes | None:
    """Returns the container in the reserved region, angle brackets included, with its padding; None if malformed."""
    digits = _ROOM.fullmatch(reserved_region)
    return None if digits is None or len(digits[1]) % 2 else bytes.fromhex(digits[1].decode("ascii"))


def seal_riders(reserved_region: bytes) -> tuple[str, ...]:
    """Returns what the reserved region of a seal holds beside one canonical container, padded with zeros."""
    decoded = contents_of(reserved_region)
    if not decoded:
        return (_ENCODING,)
    try:
        length = der.first_length(decoded)
        padding = [_PADDING] if any(decoded[length:]) else []
        return tuple(dict.fromkeys([*padding, *_riders_of_seal(decoded[:length])]))
    except PARSE_ERRORS:
        return (_ENCODING,)


def _riders_of_seal(written: bytes) -> Iterator[str]:
    signed = cms.ContentInfo.load(written, strict=True)["content"]
    (signer,) = signed["signer_infos"]
    certificates, own = certificates_of(signed), signer_certificate(signed)
    promise = read_promise(signer)
    issuers = _issuers(own, certificates, promise)
    if issuers is None:
        yield _MISSING
        return
    yield from _unrelated(certificates, (own, *issuers))
    if signed["crls"]:
        yield _LISTS
    token = _only_token(signer)
    if token is None and signer["unsigned_attrs"]:
        yield _UNSIGNED
        return
    signature = signer["signature"].native
    if promise is not None and signature != _canonical_signature(own, signature):
        yield _SECOND_FORM
    if promise is not None and _types(signer) != sorted(_SIGNED_OF_SEAL):
        yield _ENCODING
    if written != _write_seal(signer, (own, *issuers), token):
        yield _ENCODING
    if token is not None:
        yield from (_riders_of_new_token(token, promise) if promise else token_riders(token))


def _issuers(own: bytes, certificates: Sequence[bytes], promise: Promise | None) -> tuple[bytes, ...] | None:
    """Returns the issuers of a seal: those that it promises, or else those that lead to a root. None if they do not."""
    if promise is not None:
        return issuers_in(certificates, promise)
    path = issuers_of(own, certificates)
    if not is_self_issued((own, *path)[-1]):
        return None
    name = x509.load_der_x509_certificate(own).issuer.rfc4514_string().removeprefix("CN=")
    return None if name.startswith(_LOCAL) and len(path) != 1 else path  # the local authority is a root


def issuers_in(certificates: Sequence[bytes], promise: Promise) -> tuple[bytes, ...] | None:
    """Returns the certificates (DER) that a seal promises as its issuers; None if one is missing."""
    by_hash = {sha256(one).hexdigest(): one for one in certificates}
    named = [by_hash.get(one) for one in promise.issuers]
    return None if None in named else tuple(one for one in named if one)


def seal_path(signed: cms.SignedData, promise: Promise | None) -> tuple[bytes, ...]:
    """Returns the issuers (DER) of a seal in its container: those that it promises, or those that signed its path."""
    certificates = certificates_of(signed)
    if promise is not None:
        return issuers_in(certificates, promise) or ()
    return issuers_of(signer_certificate(signed), certificates)


def _unrelated(certificates: Sequence[bytes], path: Sequence[bytes]) -> Iterator[str]:
    if len(set(certificates)) != len(certificates):
        yield _TWICE
    if set(certificates) - set(path):
        yield _UNRELATED


def _write_seal(signer: cms.SignerInfo, certificates: Sequence[bytes], token: bytes | None) -> bytes:
    """Returns the container of a seal of `certificates`, its own first, over the same signed attributes."""
    public = x509.load_der_x509_certificate(certificates[0]).public_key()
    kind = "ecdsa" if isinstance(public, ec.EllipticCurvePublicKey) else "rsa"
    algorithm = algos.SignedDigestAlgorithm({"algorithm": f"sha256_{kind}"}).dump()
    unsigned = b""
    if token is not None:
        unsigned = der.write(der.IMPLICIT_1, der.write(der.SEQUENCE, _TIMESTAMP_ATTRIBUTE, der.write_set([token])))
    attributes = [one.written for one in der.read(signer["signed_attrs"].dump()).children()]
    for one in attributes:
        der.expect_der(one)
    signed = der.write(der.EXPLICIT_0, *sorted(attributes))
    info = _signer_info(certificates[0], (_SHA256, signed, algorithm, signer["signature"].native), unsigned)
    return _signed_data(b"\1", (_SHA256, der.write(der.SEQUENCE, _DATA)), certificates, info)


def _signed_data(version: bytes, head: tuple[bytes, bytes], certificates: Sequence[bytes], info: bytes) -> bytes:
    """Returns a `ContentInfo`. `head` holds digest algorithm and encapsulated content."""
    algorithm, content = head
    held = der.write(der.EXPLICIT_0, *sorted(certificates))
    parts = (der.write(der.INTEGER, version), der.write_set([algorithm]), content, held, der.write_set([info]))
    return der.write(der.SEQUENCE, _SIGNED_DATA, der.write(der.EXPLICIT_0, der.write(der.SEQUENCE, *parts)))


def _signer_info(own: bytes, parts: tuple[bytes, bytes, bytes, bytes], unsigned: bytes = b"") -> bytes:
    """Returns a `SignerInfo`. `parts`: digest algorithm, signed attributes, signature algorithm, signature value."""
    sid = _issuer_and_serial(own)
    digest, attributes, algorithm, signature = parts
    value = der.write(der.OCTET_STRING, signature)
    return der.write(der.SEQUENCE, der.write(der.INTEGER, b"\1"), sid, digest, attributes, algorithm, value, unsigned)


def _issuer_and_serial(own: bytes) -> bytes:
    """Returns issuer and serial number (DER) as they are written in a certificate."""
    tbs = [one.written for one in der.read(own).children()[0].children()]
    serial, issuer = (tbs[1], tbs[3]) if tbs[0][0] == der.EXPLICIT_0 else (tbs[0], tbs[2])
    return der.write(der.SEQUENCE, issuer, serial)


def certificates_of(signed: cms.SignedData) -> list[bytes]:
    """Returns the certificates (DER) of a container, in order. Raises `ValueError` for those of another kind."""
    held = list(signed["certificates"])
    if any(choice.name != "certificate" for choice in held):
        raise ValueError("There are certificates of another kind.")
    return [choice.chosen.dump() for choice in held]


def signer_certificate(signed: cms.SignedData) -> bytes:
    """Returns the one certificate (DER) that the signer names. Raises `ValueError` if there are others."""
    (signer,) = signed["signer_infos"]
    named = signer["sid"]
    (own,) = {
        choice.chosen.dump()
        for choice in signed["certificates"]
        if (
            named.chosen["issuer"] == choice.chosen.issuer
            and named.chosen["serial_number"].native == choice.chosen.serial_number
            if named.name == "issuer_and_serial_number"
            else named.chosen.native == choice.chosen.key_identifier
        )
    }
    return bytes(own)


def _only_token(signer: cms.SignerInfo) -> bytes | None:
    """Returns the signature timestamp (DER) if it is the only value of the only unsigned attribute."""
    attributes = signer["unsigned_attrs"]
    if not attributes or len(attributes) != 1 or attributes[0]["type"].native != "signature_time_stamp_token":
        return None
    values = attributes[0]["values"]
    return bytes(values[0].dump()) if len(values) == 1 else None


def _types(signer: cms.SignerInfo) -> list[str]:
    return sorted(attribute["type"].dotted for attribute in signer["signed_attrs"])


def _canonical_signature(own: bytes, signature: bytes) -> bytes:
    public = x509.load_der_x509_certificate(own).public_key()
    return low_s(signature, public.curve) if isinstance(public, ec.EllipticCurvePublicKey) else signature


def with_signature_timestamp(
    signature: cms.ContentInfo, token: cms.ContentInfo, roots: tuple[bytes, ...] = ()
) -> cms.ContentInfo:
    """Returns the signature with `token`, a timestamp of its value, in canonical form. `roots` are trusted (DER)."""
    info = signature["content"]["signer_infos"][0]
    timestamp = cms.ContentInfo.load(canonical_token(token.dump(), roots))
    info["unsigned_attrs"] = cms.CMSAttributes(
        [cms.CMSAttribute({"type": "signature_time_stamp_token", "values": [timestamp]})]
    )
    return cms.ContentInfo({"content_type": "signed_data", "content": signature["content"]})


def canonical_token(token: bytes, roots: tuple[bytes, ...] = ()) -> bytes:
    """Returns a timestamp in canonical form, with the certificates from its signer to one of `roots` (DER).

    The signed parts stay byte by byte. Raises one of `PARSE_ERRORS`.
    """
    signed = cms.ContentInfo.load(token, strict=True)["content"]
    (signer,) = signed["signer_infos"]
    own = signer_certificate(signed)
    path = (own, *issuers_of(own, certificates_of(signed), roots))
    digest = algos.DigestAlgorithm({"algorithm": signer["digest_algorithm"]["algorithm"].native}).dump()
    attributes = der.write(der.EXPLICIT_0, _content(signer["signed_attrs"]))
    value = _canonical_signature(own, signer["signature"].native)
    info = _signer_info(own, (digest, attributes, _token_algorithm(signer), value))
    time = der.write(der.OCTET_STRING, bytes(signed["encap_content_info"]["content"]))
    content = der.write(der.SEQUENCE, _TST_INFO, der.write(der.EXPLICIT_0, time))
    return _signed_data(b"\3", (digest, content), path, info)


def _content(attributes: cms.CMSAttributes) -> bytes:
    return bytes(attributes.contents)


def _token_algorithm(signer: cms.SignerInfo) -> bytes:
    """Returns the signature algorithm of a timestamp without freedom in its parameters."""
    algorithm = signer["signature_algorithm"]
    kind = algorithm.signature_algo
    if kind == "rsassa_pkcs1v15":
        return bytes(algos.SignedDigestAlgorithm({"algorithm": "rsassa_pkcs1v15"}).dump())
    if kind == "ecdsa":
        hashed = signer["digest_algorithm"]["algorithm"].native
        return bytes(algos.SignedDigestAlgorithm({"algorithm": f"{hashed}_ecdsa"}).dump())
    der.expect_der(algorithm.dump())
    return bytes(algorithm.dump())


def _riders_of_new_token(token: bytes, promise: Promise) -> Iterator[str]:
    """Yields the riders in a timestamp that the service put into a seal: it wrote the canonical form."""
    signed = cms.ContentInfo.load(token, strict=True)["content"]
    (signer,) = signed["signer_infos"]
    own, certificates = signer_certificate(signed), certificates_of(signed)
    path = (own, *issuers_of(own, certificates))
    if promise.timestamp_roots is not None and sha256(path[-1]).hexdigest() not in promise.timestamp_roots:
        yield _NO_TIME
    if signer["unsigned_attrs"]:
        yield _UNSIGNED
    if signed["crls"]:
        yield _LISTS
    yield from _unrelated(certificates, path)
    if token != canonical_token(token):
        yield _ENCODING


def token_riders(token: bytes) -> Iterator[str]:
    """Yields the riders in a timestamp of any authority and any program, which may choose among usual encodings.

    Raises one of `PARSE_ERRORS`.
    """
    signed = cms.ContentInfo.load(token, strict=True)["content"]
    (signer,) = signed["signer_infos"]
    own, certificates = signer_certificate(signed), certificates_of(signed)
    path = (own, *issuers_of(own, certificates))
    if signer["unsigned_attrs"]:
        yield _UNSIGNED
    if signed["crls"]:
        yield _LISTS
    yield from _unrelated(certificates, path)
    for one in path:
        yield from certificate_riders(one, is_verified=one == own or one != path[-1] or is_self_issued(one))
    if len(path) > _MAX_CERTIFICATES or len(_content(signer["signed_attrs"])) > _MAX_ATTRIBUTES:
        yield "too many certificates, or too long attributes"
    if certificates not in (sorted(certificates), list(path)) or not _is_usual(token):
        yield _ENCODING
    for attribute in signer["signed_attrs"]:
        if attribute["type"].dotted not in _SIGNED_OF_TOKEN and len(attribute.dump()) > _MAX_VALUE:
            yield "a long attribute of no known type"
    if len(bytes(signed["encap_content_info"]["content"])) > _MAX_TIME:
        yield "a long statement of time"


def _is_usual(token: bytes) -> bool:
    """Whether a timestamp is DER but for what is signed in it, with parameters that say nothing.

    It is built again, with its own order of certificates and its own algorithm identifiers, and compared.
    """
    signed = der.read(token).children()[1].children()[0].children()
    info = signed[-1].children()[0].children()
    parsed = cms.ContentInfo.load(token)["content"]
    (signer,) = parsed["signer_infos"]
    is_named = info[1].tag == der.SEQUENCE
    sid = _issuer_and_serial(signer_certificate(parsed)) if is_named else der.write(0x80, signer["sid"].chosen.native)
    attributes = der.write(der.EXPLICIT_0, _content(signer["signed_attrs"]))
    value = der.write(der.OCTET_STRING, signer["signature"].native)
    version = der.write(der.INTEGER, b"\1" if is_named else b"\3")
    rebuilt_info = der.write(der.SEQUENCE, version, sid, info[2].written, attributes, info[4].written, value)
    (algorithm,) = signed[1].children()
    time = der.write(der.OCTET_STRING, bytes(parsed["encap_content_info"]["content"]))
    parts = (
        der.write(der.INTEGER, b"\3"),
        der.write_set([algorithm.written]),
        der.write(der.SEQUENCE, _TST_INFO, der.write(der.EXPLICIT_0, time)),
        der.write(der.EXPLICIT_0, *certificates_of(parsed)),
        der.write_set([rebuilt_info]),
    )
    rebuilt = der.write(der.SEQUENCE, _SIGNED_DATA, der.write(der.EXPLICIT_0, der.write(der.SEQUENCE, *parts)))
    is_plain = _has_plain_parameters(info[4]) or signer["signature_algorithm"].signature_algo == "rsassa_pss"
    return (
        rebuilt == token
        and is_plain
        and _has_plain_parameters(algorithm)
        and _has_plain_parameters(info[2])
        and algorithm.children()[0] == info[2].children()[0]
    )


def _has_plain_parameters(algorithm: der.Element) -> bool:
    """Whether an algorithm identifier is DER and has no parameters, or null for them."""
    der.expect_der(algorithm.written)
    kind, *parameters = algorithm.children()
    is_null = [one.written for one in parameters] in ([], [_NULL])
    return (algorithm.tag, kind.tag) == (der.SEQUENCE, der.OBJECT_IDENTIFIER) and is_null
