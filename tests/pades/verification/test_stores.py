"""Validation data of other programs leaves a seal genuine; what leads to no signature, or holds more, does not."""

from collections.abc import Callable
from functools import cache
from io import BytesIO

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding
from pyhanko.pdf_utils.reader import PdfFileReader

from application.documents.verify import check_file
from domain.audit.verification_report import Check, Verdict
from pades.certificates import KeyAndCertificate, new_authority, new_crl
from pades.evidence import Evidence, evidence_riders
from pades.signatures import embedded_signatures, signers_of
from pades.verification.verify_file import verify_file
from tests.application.uploads import pdfs
from tests.fakes.seals import KEYS
from tests.pades.verification.asn1_trees import Node, changes_of
from tests.pades.verification.incremental_updates import Form
from tests.pades.verification.sealed_files import (
    CLOCK,
    NOW,
    TRUSTED,
    look_alike,
    pages,
    sealed,
    with_document_timestamp,
    with_revocations,
)
from tests.pades.verification.stores import Store, der, issued, responder, response
from tests.pades.verification.test_cms_container import container, stamped, told
from tests.pades.verification.test_file_structure import archive

ROOT, SEAL = der(KEYS.authority), der(KEYS.pair)
RESPONDER = responder(KEYS.authority)
ANSWER = response(KEYS.pair, KEYS.authority, RESPONDER, has_signer=True)
PLAIN_ANSWER = response(KEYS.pair, KEYS.authority, RESPONDER, has_signer=False)
CRL = new_crl(KEYS.authority)
PAYLOAD = b"<html><script>alert(1)</script>I owe you 4,800,000 EUR.</html>"


def _extension(held: bytes, kind: str = "1.2.3.4") -> x509.UnrecognizedExtension:
    return x509.UnrecognizedExtension(x509.ObjectIdentifier(kind), held)


@cache
def plain() -> bytes:
    return sealed(pages(1))


BESIDE = Store((ROOT, der(RESPONDER)), (), (PLAIN_ANSWER,))


def for_time() -> bytes:
    """With data for the authority of the timestamp too."""
    own = CLOCK.certificate.public_bytes(Encoding.DER)
    return Store((ROOT, CLOCK.der, own), (CRL, new_crl(CLOCK.root))).added_to(stamped())


def answered(signer: KeyAndCertificate) -> Store:
    return Store((ROOT,), (), (response(KEYS.pair, KEYS.authority, signer, has_signer=True),))


HONEST: dict[str, Callable[[], bytes]] = {
    "a root": lambda: Store((ROOT,)).added_to(plain()),
    "root and seal": lambda: Store((ROOT, SEAL)).added_to(plain()),
    "a revocation list alone": lambda: Store(crls=(CRL,)).added_to(plain()),
    "an answer of a responder": lambda: Store((ROOT,), (), (ANSWER,)).added_to(plain()),
    "an answer, and the responder beside it": lambda: BESIDE.added_to(plain()),
    "an answer of the authority": lambda: Store(
        (ROOT,), (), (response(KEYS.pair, KEYS.authority, KEYS.authority, has_signer=False),)
    ).added_to(plain()),
    "lists in objects of their own": lambda: Store((ROOT, SEAL), (CRL,), (ANSWER,), is_indirect=True).added_to(plain()),
    "an entry with a date": lambda: Store(
        (ROOT,), (CRL,), signature=container(plain()), entries=b"/TU (D:20261127120000Z)"
    ).added_to(plain()),
    "an entry of digits": lambda: Store((ROOT,), (CRL,), signature=container(plain()).hex().encode()).added_to(plain()),
    "a file with a table": lambda: Store((ROOT,), (CRL,)).added_to(sealed(pdfs.of_pages(2))),
    "data for the authority of time": for_time,
    "several updates": lambda: with_revocations(
        with_document_timestamp(with_revocations(stamped(), KEYS.authority), CLOCK.stamper(NOW)), CLOCK.root
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", HONEST)
def test_validation_data_of_other_programs_is_no_change(name: str) -> None:
    report = check_file(HONEST[name](), TRUSTED, NOW)
    assert report.verdict is Verdict.GENUINE, told(report, Check.CHANGES)


FOREIGN = new_authority()
SAME_NAME, _ = look_alike(KEYS.authority, KEYS.pair)
STRANGE_RESPONDER = responder(FOREIGN)
NO_RESPONDER = issued(KEYS.authority, "No responder")


def _junk(held: bytes) -> dict[str, Store]:
    return {"certificate": Store((held,)), "list": Store(crls=(held,)), "answer": Store(ocsps=(held,))}


RIDERS: dict[str, Store] = {
    **{
        f"{told}, as a {kind}": store
        for told, held in {
            "nothing": b"",
            "text": PAYLOAD,
            "an archive": archive(),
            "a PDF": pdfs.of_pages(1),
            "a short sequence": b"\x30\x03\x02\x01\x05",
            "padding": ROOT + bytes(1000),
            "padding for a list": CRL + PAYLOAD,
            "padding for an answer": ANSWER + b"\0",
        }.items()
        for kind, store in _junk(held).items()
    },
    "a certificate of anybody": Store((der(issued(None)),)),
    "a certificate of anybody beside the root": Store((ROOT, der(issued(None)))),
    "a certificate with an archive": Store((der(issued(None, "A", _extension(archive()))),)),
    "a certificate with 100 KB": Store((der(issued(None, "A", _extension(bytes(100_000)))),)),
    "a long certificate of the authority": Store((der(issued(KEYS.authority, "A", _extension(bytes(5_000)))),)),
    "another certificate of the authority": Store((der(issued(KEYS.authority, "Another seal")),)),
    "a root of the same name": Store((der(SAME_NAME),)),
    "a list of a root of the same name": Store(crls=(new_crl(SAME_NAME, (KEYS.pair.certificate,)),)),
    "that list with its root": Store((der(SAME_NAME),), (new_crl(SAME_NAME, (KEYS.pair.certificate,)),)),
    "a list of anybody": Store((ROOT, der(FOREIGN)), (new_crl(FOREIGN),)),
    "an answer of anybody": answered(STRANGE_RESPONDER),
    "an answer of no responder": answered(NO_RESPONDER),
    "a certificate twice": Store((ROOT, ROOT)),
    "nothing at all": Store(),
    "an entry for another signature": Store((ROOT,), signature=b"another"),
    "an entry with a text": Store((ROOT,), signature=container(plain()), entries=b"/TU (I owe you 4,800,000)"),
    "an entry with more": Store((ROOT,), signature=container(plain()), entries=b"/X (I owe you 4,800,000)"),
}  # fmt: skip


@pytest.mark.parametrize("name", RIDERS)
def test_what_is_no_validation_data_of_a_signature_is_a_change(name: str) -> None:
    report = verify_file(RIDERS[name].added_to(plain()), TRUSTED, NOW)
    assert report.verdict is Verdict.CHANGED
    assert "hold only validation data" not in told(report, Check.CHANGES)


def test_objects_packed_into_a_stream_are_judged_as_others_are() -> None:
    store = Store((ROOT,), (CRL,))
    packed, other = (verify_file(store.added_to(plain(), form), TRUSTED, NOW) for form in (Form.PACKED, Form.STREAM))
    assert packed.verdict is other.verdict is Verdict.GENUINE


@pytest.mark.parametrize("has_root", [True, False])
def test_a_list_of_another_authority_of_the_same_name_does_not_revoke(*, has_root: bool) -> None:
    forged = new_crl(SAME_NAME, (KEYS.pair.certificate,))
    report = verify_file(Store((der(SAME_NAME),) if has_root else (), (forged,)).added_to(plain()), TRUSTED, NOW)
    assert "was revoked" not in told(report, Check.TIME)


def test_a_list_of_our_authority_does_revoke() -> None:
    report = verify_file(with_revocations(plain(), KEYS.authority, (KEYS.pair,)), TRUSTED, NOW)
    assert report.verdict is Verdict.UNPROVEN
    assert "was revoked" in told(report, Check.TIME)


ITEMS: dict[str, tuple[bytes, Callable[[bytes], Evidence]]] = {
    "a certificate": (ROOT, lambda held: Evidence((held,))),
    "a responder": (der(RESPONDER), lambda held: Evidence((ROOT, held), (), (PLAIN_ANSWER,))),
    "a list": (CRL, lambda held: Evidence((), (held,))),
    "an answer": (ANSWER, lambda held: Evidence((), (), (held,))),
}


@pytest.mark.filterwarnings("ignore:Attribute's length")
@pytest.mark.parametrize("name", ITEMS)
def test_a_change_of_the_structure_of_validation_data_is_seen(name: str) -> None:
    held, evidence = ITEMS[name]
    signers = signers_of(embedded_signatures(PdfFileReader(BytesIO(plain()))).readable, ())
    assert evidence_riders(evidence(held), Evidence(), signers) == ()
    tree, missed = Node.parse(held), []
    changes = [(path, one) for path, node in tree.paths() if path for one in changes_of(node)]
    for path, (change, new) in changes if len(changes) < 100 else changes[::4]:
        changed = tree.with_at(path, *new).written()
        if changed != held and evidence_riders(evidence(changed), Evidence(), signers) == ():
            missed.append(f"{change}: {path}")
    assert missed == []
