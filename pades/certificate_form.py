"""The form of certificates, CRLs and OCSP responses (RFC 5280, 4.1 and 5.1; RFC 6960, 4.2.1).

Their issuers signed most of their bytes. What is not signed has one form here, and what is signed has limits, because
anyone can be an issuer.
"""

from collections.abc import Iterator
from typing import NamedTuple

from asn1crypto import core

from pades import der

_MAX_UNKNOWN_LENGTH = 256
"""Bytes of an extension of no known type."""

_MAX_UNKNOWN = 4


class _Limits(NamedTuple):
    """Limits in bytes of a certificate, of each name in it, and of each extension of a known type."""

    certificate: int
    name: int
    extension: int


_VERIFIED = _Limits(32 * 1024, 2048, 4096)
"""Signatures that resist quantum computers have up to 17 KB."""

_UNVERIFIED = _Limits(8 * 1024, 512, 1024)
"""For a certificate whose issuer is not in the file: its bytes may be anyone's, with a key of another certificate."""

_KNOWN = {core.ObjectIdentifier(one).contents for one in (
    "2.5.29.9", "2.5.29.14", "2.5.29.15", "2.5.29.16", "2.5.29.17", "2.5.29.18", "2.5.29.19", "2.5.29.20", "2.5.29.21",
    "2.5.29.23", "2.5.29.24", "2.5.29.27", "2.5.29.28", "2.5.29.29", "2.5.29.30", "2.5.29.31", "2.5.29.32", "2.5.29.33",
    "2.5.29.35", "2.5.29.36", "2.5.29.37", "2.5.29.46", "2.5.29.54", "2.5.29.60", "1.3.6.1.5.5.7.1.1",
    "1.3.6.1.5.5.7.1.3", "1.3.6.1.5.5.7.1.11", "1.3.6.1.5.5.7.1.12", "1.3.6.1.5.5.7.48.1.2", "1.3.6.1.5.5.7.48.1.3",
    "1.3.6.1.5.5.7.48.1.5", "1.3.6.1.5.5.7.48.1.6", "1.3.6.1.4.1.11129.2.4.2",
)}  # fmt: skip
"""Extensions that validation or people need: RFC 5280, 3739, 6960 and 6962."""

_LONG = "an extension that no validation needs and that is long"
_FORM = "a certificate with another encoding than DER"


def certificate_riders(certificate: bytes, *, is_verified: bool = True) -> Iterator[str]:
    """Yields what a certificate holds that validation does not need. Raises `der.NotDer` if it is not DER.

    `is_verified`: its issuer is known, so its signature was verified.
    """
    tbs = outer(certificate)
    limits = _VERIFIED if is_verified else _UNVERIFIED
    if len(certificate) > limits.certificate:
        yield "a certificate that is too long"
    fields = tbs.children()
    fields = fields[1:] if fields[0].tag == der.EXPLICIT_0 else fields
    if max(len(fields[2].written), len(fields[4].written)) > limits.name:
        yield "a name that is too long"
    if any(one.tag != 0xA3 for one in fields[6:]):
        yield "an identifier that no certificate needs"
    extensions = [one.children()[0].children() for one in fields[6:] if one.tag == 0xA3]
    yield from extension_riders(extensions[0] if extensions else [], limits.extension)


def extension_riders(extensions: list[der.Element], longest: int = _VERIFIED.extension) -> Iterator[str]:
    """Yields the riders among extensions, each a `SEQUENCE`."""
    unknown = [one for one in extensions if one.children()[0].content not in _KNOWN]
    if len(unknown) > _MAX_UNKNOWN or any(len(one.written) > _MAX_UNKNOWN_LENGTH for one in unknown):
        yield _LONG
    if any(len(one.written) > longest for one in extensions):
        yield _LONG


def outer(signed: bytes) -> der.Element:
    """Returns the signed part of a certificate, a CRL or a basic OCSP response without certificates.

    Raises `der.NotDer` unless the unsigned part is DER and names the same algorithm as the signed part.
    """
    parts = der.read(signed).children()
    tags = [one.tag for one in parts]
    if tags != [der.SEQUENCE, der.SEQUENCE, der.BIT_STRING] or parts[2].content[:1] != b"\0":
        raise der.NotDer(_FORM)
    der.expect_der(parts[1].written)
    if parts[1].written not in [one.written for one in parts[0].children()[:3]]:
        raise der.NotDer(_FORM)
    return parts[0]
