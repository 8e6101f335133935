"""Canonical form of the CMS container of a signature.

The container stands in a part of the file that its signature does not cover. Only one encoding is accepted, so that
each changed byte of a file is detected. RFC 5652, 5; RFC 5280, 4.2.
"""

import re

from asn1crypto import cms, core
from asn1crypto import x509 as parsed
from cryptography import x509

from pades.certificates import is_issued_by
from pades.cms import timestamp_tokens

_ROOM = re.compile(rb"<([0-9a-f]*|[0-9A-F]*)>")
_SIGNED_PARTS = ("version", "digest_algorithms", "encap_content_info")
_SIGNER_PARTS = ("version", "sid", "digest_algorithm", "signed_attrs", "signature_algorithm", "signature")


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
    except (ValueError, TypeError, KeyError, AttributeError, x509.InvalidVersion):
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
    """Whether the container is DER: encoding the parsed values gives the same bytes.

    Certificates are not re-encoded, as the signatures of their issuers cover them.
    """
    signed = content["content"]
    (signer,) = signed["signer_infos"]
    parts = [*(signed[name] for name in _SIGNED_PARTS), *(signer[name] for name in _SIGNER_PARTS)]
    outer = cms.ContentInfo({"content_type": content["content_type"].native, "content": signed.copy()})
    return all(_rewritten(part) == part.dump() for part in parts) and outer.dump() == content.dump()


def _rewritten(part: core.Asn1Value) -> bytes:
    copy = part.copy()
    _ = copy.native  # reads all of it
    written: bytes = copy.dump(force=True)
    return written


def _are_issued(certificates: list[parsed.Certificate], trusted: tuple[bytes, ...]) -> bool:
    """Whether each certificate was issued by another of them, by a trusted one or by itself."""
    own = [x509.load_der_x509_certificate(certificate.dump()) for certificate in certificates]
    issuers = [*own, *map(x509.load_der_x509_certificate, trusted)]
    whole = all(certificate["signature_value"].contents[:1] == b"\0" for certificate in certificates)
    return whole and all(any(is_issued_by(certificate, issuer) for issuer in issuers) for certificate in own)
