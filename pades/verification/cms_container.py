"""The container of a signature, most of which no signature covers: it must hold what it has to and nothing else.

The bytes of a seal stand in the file at a place that the seal cannot cover. A strict look at them makes every change of
every byte of a file show. RFC 5652, 5; RFC 5280, 4.2.
"""

import re

from asn1crypto import cms, core
from asn1crypto import x509 as parsed
from cryptography import x509

from pades.certificates import is_issued_by

_ROOM = re.compile(rb"<([0-9a-f]*|[0-9A-F]*)>")
_SIGNED_PARTS = ("version", "digest_algorithms", "encap_content_info")
_SIGNER_PARTS = ("version", "sid", "digest_algorithm", "signed_attrs", "signature_algorithm", "signature")


def is_canonical_cms(reserved_region: bytes, trusted: tuple[bytes, ...]) -> bool:
    """Whether `reserved_region`, angle brackets included, holds one tidy container, and zeros after it.

    `trusted` are certificates (DER) that those in the container may have been issued by.
    """
    digits = _ROOM.fullmatch(reserved_region)
    if digits is None or len(digits[1]) % 2:
        return False
    held = bytes.fromhex(digits[1].decode("ascii"))
    try:
        content = cms.ContentInfo.load(held)
        length = len(content.dump())
        return not any(held[length:]) and _is_canonical(content, trusted)
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
    """Whether it is written as DER demands: read and written anew, the same bytes. Certificates, which their issuers
    have signed as they are, are not written anew.
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


def timestamp_tokens(signer: cms.SignerInfo) -> list[cms.ContentInfo]:
    """The timestamps beside a signature, which it does not cover."""
    attributes = signer["unsigned_attrs"]
    return [
        token
        for attribute in (attributes if isinstance(attributes, cms.CMSAttributes) else ())
        if attribute["type"].native == "signature_time_stamp_token"
        for token in attribute["values"]
    ]


def _are_issued(certificates: list[parsed.Certificate], trusted: tuple[bytes, ...]) -> bool:
    """Whether each of them was really issued by another one, or by one that is believed, or by itself."""
    own = [x509.load_der_x509_certificate(certificate.dump()) for certificate in certificates]
    issuers = [*own, *map(x509.load_der_x509_certificate, trusted)]
    whole = all(certificate["signature_value"].contents[:1] == b"\0" for certificate in certificates)
    return whole and all(any(is_issued_by(certificate, issuer) for issuer in issuers) for certificate in own)
