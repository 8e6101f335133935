"""A seal is believed for its own certificate. What else its issuer, or anybody, has issued is not."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import cache

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID, ObjectIdentifier

from adapters.keys.secret_keys import KeysUnusable
from adapters.sealing.keys.file import MemoryKey, certificate_chain_of
from adapters.sealing.keys.self_test import prove_key
from domain.audit.verification_report import Verdict
from domain.ports.seals import SealNotValid, TrustAnchors
from pades.certificates import KeyAndCertificate, issuers_of
from pades.seal_validation import check_seal
from pades.verification.verify_file import verify_file
from tests.pades.verification.sealed_files import Sealing, pages, sealed

NOW = datetime.now(UTC)
Purpose = ObjectIdentifier


def issue(  # the parts of a certificate
    issuer: KeyAndCertificate | None,
    *,
    name: str = "Harbour & Finch, seal",
    key: ec.EllipticCurvePrivateKey | None = None,
    is_ca: bool = False,
    purposes: tuple[Purpose, ...] = (),
    until: datetime = NOW + timedelta(days=365),
) -> KeyAndCertificate:
    """A certificate for `key` by `issuer`, or by itself."""
    key = key or ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    usage = x509.KeyUsage(True, True, False, False, False, is_ca, is_ca, False, False)
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer.certificate.subject if issuer else subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(NOW - timedelta(days=30))
        .not_valid_after(until)
        .add_extension(x509.BasicConstraints(ca=is_ca, path_length=None), critical=True)
        .add_extension(usage, critical=True)
    )
    if purposes:
        builder = builder.add_extension(x509.ExtendedKeyUsage(purposes), critical=False)
    return KeyAndCertificate(key, builder.sign(issuer.key if issuer else key, hashes.SHA256()))


def der(pair: KeyAndCertificate) -> bytes:
    return pair.certificate.public_bytes(Encoding.DER)


ROOT = issue(None, name="A public authority", is_ca=True)
OTHER_ROOT = issue(None, name="Another authority", is_ca=True)
SEAL = issue(ROOT)
FORMER = issue(ROOT)
TRUSTED = TrustAnchors((der(SEAL), der(FORMER)))
SUB = issue(ROOT, name="A subordinate authority", is_ca=True)


def _of_a_look_alike() -> tuple[KeyAndCertificate, KeyAndCertificate]:
    authority = issue(None, name="A public authority", is_ca=True)
    return authority, issue(authority)


OTHERS: dict[str, Callable[[], tuple[KeyAndCertificate, KeyAndCertificate]]] = {
    "a certificate of TLS": lambda: (
        ROOT,
        issue(ROOT, name="mallory.example", purposes=(ExtendedKeyUsageOID.SERVER_AUTH,)),
    ),
    "a certificate of mail": lambda: (ROOT, issue(ROOT, purposes=(ExtendedKeyUsageOID.EMAIL_PROTECTION,))),
    "a certificate for documents": lambda: (ROOT, issue(ROOT, name="Mallory, seal")),
    "the same name and another key": lambda: (ROOT, issue(ROOT)),
    "the same key and another name": lambda: (ROOT, issue(ROOT, name="Mallory", key=SEAL.key)),
    "the same key and name, issued again": lambda: (ROOT, issue(ROOT, key=SEAL.key)),
    "the same key and name, by itself": lambda: (SEAL, issue(None, key=SEAL.key)),
    "the same key and name, by another authority": lambda: (OTHER_ROOT, issue(OTHER_ROOT, key=SEAL.key)),
    "one of a subordinate authority": lambda: (SUB, issue(SUB)),
    "one of a subordinate authority that seals itself": lambda: (ROOT, SUB),
    "the authority itself": lambda: (ROOT, ROOT),
    "one that the seal has issued": lambda: (SEAL, issue(SEAL)),
    "one of an authority that calls itself the same": _of_a_look_alike,
}


@cache
def by(authority: KeyAndCertificate, seal: KeyAndCertificate) -> bytes:
    return sealed(pages(1), Sealing(authority, seal))


@pytest.mark.parametrize("seal", [SEAL, FORMER], ids=["present", "former"])
def test_seals_of_present_and_former_keys_are_believed(seal: KeyAndCertificate) -> None:
    assert verify_file(by(ROOT, seal), TRUSTED, NOW).verdict is Verdict.GENUINE
    check_seal(by(ROOT, seal), TRUSTED)


@pytest.mark.parametrize("kind", OTHERS)
def test_no_other_certificate_is_believed(kind: str) -> None:
    forged = by(*OTHERS[kind]())
    report = verify_file(forged, TRUSTED, NOW)
    assert report.verdict is Verdict.UNKNOWN_AUTHORITY
    assert report.seal
    assert report.seal.statement is None
    with pytest.raises(SealNotValid, match="not trusted"):
        check_seal(forged, TRUSTED)


def test_a_trusted_certificate_of_an_authority_does_not_spread_its_trust() -> None:
    whole = TrustAnchors((der(ROOT), der(SUB)))
    for authority, seal in ((ROOT, SEAL), (SUB, issue(SUB))):
        assert verify_file(by(authority, seal), whole, NOW).verdict is Verdict.UNKNOWN_AUTHORITY
        with pytest.raises(SealNotValid, match="not trusted"):
            check_seal(by(authority, seal), whole)


def test_a_trusted_certificate_for_servers_seals_nothing() -> None:
    server = issue(ROOT, purposes=(ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH))
    assert verify_file(by(ROOT, server), TrustAnchors((der(server),)), NOW).verdict is Verdict.UNKNOWN_AUTHORITY


@pytest.mark.parametrize(
    ("purposes", "usable"),
    [
        ((), True),
        ((ExtendedKeyUsageOID.EMAIL_PROTECTION, ExtendedKeyUsageOID.CLIENT_AUTH), True),
        ((ObjectIdentifier("1.3.6.1.5.5.7.3.36"),), True),
        ((ObjectIdentifier("1.2.840.113583.1.1.5"),), True),
        ((ExtendedKeyUsageOID.ANY_EXTENDED_KEY_USAGE,), True),
        ((ExtendedKeyUsageOID.SERVER_AUTH,), False),
        ((ExtendedKeyUsageOID.CODE_SIGNING,), False),
        ((ExtendedKeyUsageOID.TIME_STAMPING,), False),
    ],
)
async def test_a_key_starts_to_seal_only_if_its_certificate_is_for_documents(
    purposes: tuple[Purpose, ...], usable: bool
) -> None:
    pair = issue(ROOT, purposes=purposes)
    key = MemoryKey(certificate_chain_of(pair.certificate, [ROOT.certificate]), pair.key)
    if usable:
        await prove_key(key)
    else:
        with pytest.raises(KeysUnusable, match="cannot be used"):
            await prove_key(key)


async def test_a_chain_without_its_root_stops_the_start() -> None:
    pair = issue(SUB)
    with pytest.raises(KeysUnusable, match="whose certificate is missing"):
        await prove_key(MemoryKey(certificate_chain_of(pair.certificate, [SUB.certificate]), pair.key))


def test_a_certificate_that_has_ended_proves_nothing_without_a_timestamp() -> None:
    ended = issue(ROOT, until=NOW - timedelta(days=1))
    assert verify_file(by(ROOT, ended), TrustAnchors((der(ended),)), NOW).verdict is Verdict.UNPROVEN


def test_issuers_are_found_by_their_signatures() -> None:
    leaf = issue(SUB)
    same_name = issue(OTHER_ROOT, name="A subordinate authority", is_ca=True)
    crossed = issue(OTHER_ROOT, name="A public authority", key=ROOT.key, is_ca=True)
    held = [b"no certificate", *map(der, (same_name, crossed, OTHER_ROOT, ROOT, SUB, leaf))]
    assert issuers_of(der(leaf), held) == (der(SUB), der(ROOT))
    assert issuers_of(der(leaf), [der(same_name), der(ROOT)]) == ()
    assert issuers_of(der(ROOT), held) == ()
    assert issuers_of(der(leaf), [der(SUB), der(crossed), der(OTHER_ROOT)]) == (der(SUB), der(crossed), der(OTHER_ROOT))
