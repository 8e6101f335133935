"""The container of a seal has one form: every change of its structure is seen, although nothing covers it."""

import asyncio
import re
from collections.abc import Callable
from functools import cache
from io import BytesIO

import pytest
from asn1crypto import algos, cms, core
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature, encode_dss_signature
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID
from pyhanko.pdf_utils.reader import PdfFileReader

from domain.audit.verification_report import Check, FileReport, Verdict
from domain.ports.seals import TrustAnchors
from domain.seal.seal import SealLevel
from pades import der
from pades.certificates import KeyAndCertificate, new_authority
from pades.containers import seal_riders, token_riders
from pades.verification.verify_file import verify_file
from tests.fakes.seals import KEYS
from tests.pades.golden_seals import GOLDEN_TRUST, RECORDED_AT, SEALED
from tests.pades.verification.asn1_trees import PAYLOAD, Node, changes_of
from tests.pades.verification.sealed_files import (
    CLOCK,
    NOW,
    OURS,
    TRUSTED,
    YEAR,
    Sealing,
    TimestampAuthority,
    look_alike,
    pages,
    sealed,
    with_document_timestamp,
)

STAMPED = Sealing(KEYS.authority, KEYS.pair, CLOCK.stamper(NOW), SealLevel.B_T)
_SEQUENCE, _NULL = der.SEQUENCE, 0x05


def _range(pdf: bytes, number: int = 0) -> tuple[int, int]:
    start, end = re.findall(rb"/ByteRange\s*\[0 (\d+) (\d+)", pdf)[number]
    return int(start), int(end)


def container(pdf: bytes, number: int = 0) -> bytes:
    """The container of a signature or timestamp, without padding."""
    start, end = _range(pdf, number)
    held = bytes.fromhex(pdf[start + 1 : end - 1].decode())
    return held[: der.first_length(held)]


def having(pdf: bytes, held: bytes, number: int = 0) -> bytes:
    """The file with another container in the same place."""
    start, end = _range(pdf, number)
    return pdf[: start + 1] + held.hex().encode().ljust(end - start - 2, b"0") + pdf[end - 1 :]


@cache
def stamped() -> bytes:
    return sealed(pages(1), STAMPED)


@cache
def plain() -> bytes:
    return sealed(pages(1))


def is_genuine(pdf: bytes, trusted: TrustAnchors = TRUSTED) -> bool:
    """Whether a file is genuine, told by the container if that suffices: it is faster."""
    start, end = _range(pdf)
    return not seal_riders(pdf[start:end]) and verify_file(pdf, trusted, NOW).verdict is Verdict.GENUINE


# Signed data, signer, and their parts, by the places among children
_SIGNED, _CERTIFICATES, _SIGNER = (1, 0), (1, 0, 3), (1, 0, 4, 0)
_SIGNATURE, _ALGORITHM, _DIGEST, _SID = ((*_SIGNER, place) for place in (5, 4, 2, 1))
_UNSIGNED = (*_SIGNER, 6)
_TOKEN = (*_UNSIGNED, 0, 1, 0)
_DEEP = 7
"""Below this depth a quarter of the changes is tried."""


def test_an_untouched_container_has_no_riders() -> None:
    for pdf in (plain(), stamped(), *SEALED.values()):
        start, end = _range(pdf)
        assert seal_riders(pdf[start:end]) == ()
    assert is_genuine(plain())
    assert is_genuine(stamped())


@pytest.mark.parametrize("make", [plain, stamped])
def test_every_change_of_the_structure_is_seen(make: Callable[[], bytes]) -> None:
    pdf, tree, missed, count = make(), Node.parse(container(make())), [], 0
    for path, node in tree.paths():
        for place, (told, new) in enumerate(changes_of(node) if path else ()):
            if (len(path) > _DEEP and (place + count) % 4) or (path, new) == (_UNSIGNED, ()):
                continue  # without its timestamp a seal is as it was before
            held = tree.with_at(path, *new).written()
            if len(held) > 16_000 or held == tree.written():
                continue
            count += 1
            if is_genuine(having(pdf, held)):
                missed.append(f"{told}: {path} tag {node.tag:x}")
    assert missed == []
    assert count > 250


def _changed_in(path: tuple[int, ...], change: Callable[[Node], Node]) -> Callable[[Node], Node]:
    return lambda tree: tree.with_at(path, change(tree.at(path)))


def _high_s(node: Node) -> Node:
    r, s = decode_dss_signature(node.content)
    return Node(node.tag, encode_dss_signature(r, ec.SECP256R1().group_order - s))


def _cross_certificate() -> tuple[Node, Node]:
    """Our authority's key, certified by another root, and that root."""
    foreign, own = new_authority(), KEYS.authority.certificate
    builder = x509.CertificateBuilder(
        foreign.certificate.subject, own.subject, KEYS.authority.key.public_key(), 9, NOW - YEAR, NOW + YEAR
    ).add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
    cross = builder.sign(foreign.key, hashes.SHA256())
    return _node(cross), _node(foreign.certificate)


def _node(certificate: x509.Certificate) -> Node:
    return Node.parse(certificate.public_bytes(Encoding.DER))


def carrying_certificate(model: KeyAndCertificate | None = None) -> x509.Certificate:
    """A certificate of anybody with a payload, and with issuer and serial number of `model`."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Anybody")])
    issuer, serial = (model.certificate.issuer, model.certificate.serial_number) if model else (name, 1)
    held = x509.UnrecognizedExtension(x509.ObjectIdentifier("1.2.3.4"), PAYLOAD.content)
    builder = x509.CertificateBuilder(issuer, name, key.public_key(), serial, NOW - YEAR, NOW + YEAR)
    return builder.add_extension(held, critical=False).sign(key, hashes.SHA256())


def _with_certificates(*new: Node, instead: bool = False) -> Callable[[Node], Node]:
    def change(tree: Node) -> Node:
        held = tree.at(_CERTIFICATES)
        kept = [one for one in held.children or () if not instead or one.written() != _root().written()]
        ordered = sorted((*kept, *new), key=Node.written)
        return tree.with_at(_CERTIFICATES, Node(held.tag, children=tuple(ordered)))

    return change


def _root() -> Node:
    return _node(KEYS.authority.certificate)


def _crls(tree: Node) -> Node:
    return tree.with_at(_CERTIFICATES, tree.at(_CERTIFICATES), Node(0xA1, children=(PAYLOAD,)))


def _attribute(kind: str, value: Node) -> Node:
    oid = Node.parse(core.ObjectIdentifier(kind).dump())
    return Node(_SEQUENCE, children=(oid, Node(der.SET, children=(value,))))


def _with_unsigned(*attributes: Node) -> Callable[[Node], Node]:
    def change(tree: Node) -> Node:
        signer = tree.at(_SIGNER)
        kept = [one for one in signer.children or () if one.tag != 0xA1]
        own = [one for held in signer.children or () if held.tag == 0xA1 for one in held.children or ()]
        return tree.with_at(_SIGNER, Node(_SEQUENCE, children=(*kept, Node(0xA1, children=(*own, *attributes)))))

    return change


def _algorithm(name: str) -> Node:
    return Node.parse(algos.SignedDigestAlgorithm({"algorithm": name}).dump())


def _other_string(sid: Node) -> Node:
    """The issuer in another type of string."""
    path = next(path for path, node in sid.paths() if node.tag == 0x0C)
    return sid.with_at(path, Node(0x13, sid.at(path).content))


def _upper_case(sid: Node) -> Node:
    path = next(path for path, node in sid.paths() if node.tag == 0x0C)
    return sid.with_at(path, Node(0x0C, sid.at(path).content.upper()))


COUNTER_SIGNATURE, STATEMENT = "1.2.840.113549.1.9.6", "2.25.209337004729116104459115589282128561932"
CHANGES: dict[str, Callable[[Node], Node]] = {
    "the other form of the signature": _changed_in(_SIGNATURE, _high_s),
    "plain ECDSA": _changed_in(_ALGORITHM, lambda _: Node(_SEQUENCE, children=(_algorithm("sha256_ecdsa"),))),
    "ECDSA with other digest": _changed_in(_ALGORITHM, lambda _: _algorithm("sha384_ecdsa")),
    "ECDSA with parameters": _changed_in(_ALGORITHM, lambda one: one.with_child(Node(5))),
    "a digest without parameters": _changed_in(_DIGEST, lambda one: Node(one.tag, children=(one.children or ())[:1])),
    "a digest with a payload": _changed_in(_DIGEST, lambda one: one.with_child(PAYLOAD)),
    "an issuer in another string": _changed_in(_SID, _other_string),
    "an issuer in capitals": _changed_in(_SID, _upper_case),
    "a certificate of anybody": _with_certificates(_node(carrying_certificate())),
    "a certificate with our issuer and serial": _with_certificates(_node(carrying_certificate(KEYS.pair))),
    "a look-alike of the root": _with_certificates(_node(look_alike(KEYS.authority, KEYS.pair)[0].certificate)),
    "that in place of the root": _with_certificates(
        _node(look_alike(KEYS.authority, KEYS.pair)[0].certificate), instead=True
    ),
    "a cross certificate in place of the root": _with_certificates(*_cross_certificate(), instead=True),
    "a cross certificate beside the root": _with_certificates(*_cross_certificate()),
    "a root that is left out": _with_certificates(instead=True),
    "a root twice": _with_certificates(_root()),
    "revocation lists": _crls,
    "an attribute with a payload": _with_unsigned(_attribute("1.2.3.4", PAYLOAD)),
    "a counter signature": _with_unsigned(_attribute(COUNTER_SIGNATURE, PAYLOAD)),
    "another statement": _with_unsigned(_attribute(STATEMENT, PAYLOAD)),
    "no attributes": _with_unsigned(),
}  # fmt: skip


@pytest.mark.parametrize("make", [plain, stamped])
@pytest.mark.parametrize("name", CHANGES)
def test_what_valid_cms_may_hold_beside_a_seal_is_seen(name: str, make: Callable[[], bytes]) -> None:
    if name == "no attributes" and make is stamped:
        return
    tree = Node.parse(container(make()))
    held = CHANGES[name](tree).written()
    assert held != tree.written()
    report = verify_file(having(make(), held), TRUSTED, NOW)
    assert report.verdict in {Verdict.CHANGED, Verdict.UNREADABLE}


OLD = [name for name in CHANGES if "root" not in name and name != "the other form of the signature"]


@pytest.mark.parametrize("name", OLD)
def test_a_seal_of_a_released_version_takes_no_riders(name: str) -> None:
    pdf = SEALED["0.1.0-ec-B-B"]
    held = CHANGES[name](Node.parse(container(pdf))).written()
    assert verify_file(having(pdf, held), GOLDEN_TRUST, RECORDED_AT).verdict is not Verdict.GENUINE


def test_a_seal_of_a_released_version_may_have_either_form_of_its_signature() -> None:
    pdf = SEALED["0.1.0-ec-B-B"]
    held = CHANGES["the other form of the signature"](Node.parse(container(pdf))).written()
    assert verify_file(having(pdf, held), GOLDEN_TRUST, RECORDED_AT).verdict is Verdict.GENUINE


@pytest.mark.parametrize(
    "spoiled",
    [
        lambda found: found[:-3] + b"01>",
        lambda found: found[:-2] + b" >",
        lambda found: found[:-2] + b">",
        lambda found: found.upper()[:90] + found[90:],
        lambda found: b"(" + found[1:],
        lambda found: b"<>",
        lambda found: b"",
    ],
)
def test_what_does_not_belong_into_the_place_of_a_seal_is_seen(spoiled: Callable[[bytes], bytes]) -> None:
    start, end = _range(plain())
    assert seal_riders(plain()[start:end]) == ()
    assert seal_riders(spoiled(plain()[start:end])) != ()


# Timestamps


def told(report: FileReport, check: Check) -> str:
    return " ".join(one.text for one in report.findings if one.check is check)


def _with_token(pdf: bytes, token: bytes) -> bytes:
    signer = _with_unsigned(_attribute("1.2.840.113549.1.9.16.2.14", Node.parse(token)))
    tree = Node.parse(container(pdf))
    return having(pdf, signer(_without_token(tree)).written())


def _without_token(tree: Node) -> Node:
    signer = tree.at(_SIGNER)
    return tree.with_at(_SIGNER, Node(signer.tag, children=(signer.children or ())[:6]))


def test_a_timestamp_of_another_signature_is_called_wrong() -> None:
    other = sealed(pages(2), STAMPED)
    token = Node.parse(container(other)).at(_TOKEN).written()
    report = verify_file(_with_token(stamped(), token), TRUSTED, NOW)
    assert report.verdict is Verdict.CHANGED
    assert "it is of another signature" in told(report, Check.SEAL)


def test_a_timestamp_that_was_removed_is_missed() -> None:
    report = verify_file(having(stamped(), _without_token(Node.parse(container(stamped()))).written()), TRUSTED, NOW)
    assert report.verdict is Verdict.GENUINE
    assert "was removed or has not been added yet" in told(report, Check.TIME)


def test_a_timestamp_of_an_authority_that_the_service_did_not_have_is_a_rider() -> None:
    other = Sealing(KEYS.authority, KEYS.pair, TimestampAuthority().stamper(NOW), SealLevel.B_T)
    strange = sealed(pages(1), other)
    assert verify_file(strange, TRUSTED, NOW).verdict is Verdict.GENUINE  # its own promise names that authority
    assert not is_genuine(_with_token(plain_without_authority(), _token_for(plain_without_authority())))


def plain_without_authority() -> bytes:
    return sealed(pages(1), Sealing(KEYS.authority, KEYS.pair, None, SealLevel.B_B, ()))


def _token_for(pdf: bytes) -> bytes:
    value = Node.parse(container(pdf)).at(_SIGNATURE).content
    digest = hashes.Hash(hashes.SHA256())
    digest.update(value)
    return bytes(asyncio.run(CLOCK.stamper(NOW).async_timestamp(digest.finalize(), "sha256")).dump())


TOKEN_CHANGES: dict[str, Callable[[Node], Node]] = {
    name: CHANGES[name]
    for name in (
        "a certificate of anybody", "revocation lists", "an attribute with a payload", "a counter signature",
        "an issuer in capitals", "a digest with a payload",
    )
}  # fmt: skip


@cache
def archived() -> bytes:
    return with_document_timestamp(stamped(), CLOCK.stamper(NOW))


def test_a_document_timestamp_of_another_program_is_no_rider() -> None:
    assert list(token_riders(container(archived(), 1))) == []
    assert verify_file(archived(), TRUSTED, NOW).verdict is Verdict.GENUINE


@pytest.mark.parametrize("name", TOKEN_CHANGES)
def test_what_a_document_timestamp_holds_beside_is_seen(name: str) -> None:
    held = TOKEN_CHANGES[name](Node.parse(container(archived(), 1))).written()
    start, end = _range(archived(), 1)
    if len(held) * 2 > end - start - 2:
        assert list(token_riders(held)) != []
        return
    assert verify_file(having(archived(), held, 1), TRUSTED, NOW).verdict is not Verdict.GENUINE


def test_every_twelfth_change_of_a_document_timestamp_is_seen() -> None:
    tree, missed = Node.parse(container(archived(), 1)), []
    start, end = _range(archived(), 1)
    changes = [
        (path, node, one) for path, node in tree.paths() if path and node.tag != _NULL for one in changes_of(node)
    ]
    for path, node, (told, new) in changes[::12]:
        held = tree.with_at(path, *new).written()
        if held == tree.written() or 2 * len(held) > end - start - 2:
            continue
        if verify_file(having(archived(), held, 1), TRUSTED, NOW).verdict is Verdict.GENUINE:
            missed.append(f"{told}: {path} tag {node.tag:x}")
    assert missed == []


def test_the_seal_that_is_found_is_ours() -> None:
    assert PdfFileReader(BytesIO(stamped())).embedded_signatures[0].signer_cert.dump() == TRUSTED.seals[-1]
    assert cms.ContentInfo.load(container(stamped()))["content"]["version"].native == "v1"
    assert OURS.stamper is None
