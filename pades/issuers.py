"""Which certificates are above another one: found by their signatures, since anybody can write any name."""

from collections.abc import Iterable, Iterator

from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.serialization import Encoding


def issuers_of(certificate: bytes, others: Iterable[bytes]) -> tuple[bytes, ...]:
    """Those of `others` that are above `certificate`, in order, as far up as they reach. All DER.

    Nothing is above a certificate that issued itself. What is no certificate is passed over.
    """
    held = list(_loaded(others))
    above: list[x509.Certificate] = []
    newest = x509.load_der_x509_certificate(certificate)
    while not is_issued_by(newest, newest):
        issuers = [other for other in held if other not in above and is_issued_by(newest, other)]
        if not issuers:
            break
        newest = next((issuer for issuer in issuers if is_issued_by(issuer, issuer)), issuers[0])
        above.append(newest)
    return tuple(one.public_bytes(Encoding.DER) for one in above)


def is_self_issued(certificate: bytes) -> bool:
    """Whether `certificate` (DER) is a root: it is issued by itself."""
    own = x509.load_der_x509_certificate(certificate)
    return is_issued_by(own, own)


def _loaded(certificates: Iterable[bytes]) -> Iterator[x509.Certificate]:
    for der in certificates:
        try:
            yield x509.load_der_x509_certificate(der)
        except (ValueError, x509.InvalidVersion):
            continue


def is_issued_by(certificate: x509.Certificate, issuer: x509.Certificate) -> bool:
    """Whether `issuer` issued `certificate`, by its name and its signature."""
    try:
        certificate.verify_directly_issued_by(issuer)
    except (ValueError, TypeError, InvalidSignature, UnsupportedAlgorithm):
        return False
    return True
