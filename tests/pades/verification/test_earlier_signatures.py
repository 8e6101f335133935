"""What an uploaded PDF brings, signatures and validation data of others, odd or broken, accuses no seal."""

import re
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from io import BytesIO

import pikepdf
import pytest
from asn1crypto import core
from pikepdf import Array, Dictionary, Name, Pdf

from application.documents.verify import check_file
from domain.audit.verification_report import Check, FileReport, Verdict
from domain.ports.seals import EvidenceFailed, NotSealable, TrustAnchors, ValidationData
from pades.augmentation import add_validation_data
from pades.certificates import new_crl
from pades.cms import STATEMENT
from pades.sealability import check_sealable
from pades.verification.verify_file import verify_file
from tests.fakes.seals import KEYS
from tests.pades.verification.asn1_trees import PAYLOAD, Node
from tests.pades.verification.sealed_files import (
    CLOCK,
    NOW,
    TRUSTED,
    Sealing,
    look_alike,
    pages,
    sealed,
    with_document_timestamp,
    with_revocations,
)
from tests.pades.verification.test_cms_container import container, having, told

MARK = core.ObjectIdentifier(STATEMENT).dump().hex().encode()
STRANGER = Sealing(*look_alike(KEYS.authority, KEYS.pair))


def _with_store(store: Callable[[Pdf], object]) -> bytes:
    output = BytesIO()
    with pikepdf.open(BytesIO(pages(1))) as opened:
        opened.Root.DSS = store(opened)
        opened.save(output)
    return output.getvalue()


STORES: dict[str, Callable[[Pdf], object]] = {
    "a number": lambda _: 5,
    "a name": lambda _: Name.X,
    "empty": lambda _: Dictionary(),
    "null among certificates": lambda _: Dictionary(Certs=Array([None])),
    "numbers for certificates": lambda _: Dictionary(Certs=5),
    "junk for a certificate": lambda pdf: Dictionary(Certs=Array([pdf.make_stream(b"junk")])),
    "nothing for a list": lambda pdf: Dictionary(CRLs=Array([pdf.make_stream(b"")])),
    "junk for a list": lambda pdf: Dictionary(CRLs=Array([pdf.make_stream(b"0\x03\x02\x01\x05")])),
    "junk for an answer": lambda pdf: Dictionary(OCSPs=Array([pdf.make_stream(b"0\x03\x02\x01\x05")])),
    "junk in its entries": lambda pdf: Dictionary(VRI=Dictionary(X=5), Certs=Array()),
    "dictionaries for streams": lambda pdf: Dictionary(Certs=Array([pdf.make_indirect(Dictionary())])),
}


@pytest.mark.parametrize("name", STORES)
def test_validation_data_of_others_accuses_no_seal(name: str) -> None:
    file = sealed(_with_store(STORES[name]))
    report = check_file(file, TRUSTED, NOW)
    assert report.verdict is Verdict.GENUINE, report.findings
    stamped = with_document_timestamp(file, CLOCK.stamper(NOW))
    assert check_file(stamped, TRUSTED, NOW).verdict is Verdict.GENUINE


@pytest.mark.parametrize("name", STORES)
def test_validation_data_is_added_beside_that_of_others_or_refused(name: str) -> None:
    file = sealed(_with_store(STORES[name]))
    root = KEYS.authority
    with suppress(EvidenceFailed):
        assert check_file(with_revocations(file, root), TRUSTED, NOW).verdict is Verdict.GENUINE


def _of_others(change: Callable[[Node], Node] | None = None) -> bytes:
    """A PDF with a signature of a stranger, whose container was changed."""
    pdf = sealed(pages(1), STRANGER).replace(b"/ETSI.CAdES.detached", b"/adbe.pkcs7.detached", 1)
    held = Node.parse(container(pdf))
    return having(pdf, (change(held) if change else held).written())


def _with_content(tree: Node) -> Node:
    """The container with content in it."""
    return tree.with_at((1, 0, 2), tree.at((1, 0, 2)).with_child(Node(0xA0, children=(Node(4, b"content"),))))


OTHERS: dict[str, Callable[[], bytes]] = {
    "one whose container has content": lambda: _of_others(_with_content),
    "one with a payload": lambda: _of_others(lambda tree: tree.with_child(PAYLOAD)),
    "junk": lambda: having(_of_others(), b"junk"),
    "nothing": lambda: having(_of_others(), b""),
    "another kind": lambda: _of_others().replace(b"/adbe.pkcs7.detached", b"/adbe.x509.rsa_sha12", 1),
    "no kind": lambda: _of_others().replace(b"/SubFilter", b"/SubFiltex", 1),
    "an odd range": lambda: re.sub(rb"/ByteRange \[0 ", b"/ByteRange [9 ", _of_others(), count=1),
}


@cache
def _other(name: str) -> bytes:
    return OTHERS[name]()


@pytest.mark.parametrize("name", OTHERS)
def test_a_signature_of_others_that_cannot_be_judged_accuses_no_seal(name: str) -> None:
    report = check_file(sealed(_other(name)), TRUSTED, NOW)
    assert report.verdict is Verdict.GENUINE, report.findings
    assert re.search("cannot be checked|not valid|is valid", told(report, Check.EARLIER))


@pytest.mark.parametrize("name", OTHERS)
def test_alone_it_is_called_neither_ours_nor_changed(name: str) -> None:
    without_statement = _other(name).replace(MARK, b"00" * (len(MARK) // 2))
    verdict = verify_file(without_statement, TrustAnchors(()), NOW).verdict
    assert verdict is not Verdict.GENUINE
    if name in {"one whose container has content", "junk", "nothing", "another kind"}:
        assert verdict is Verdict.NOT_SEALED


@pytest.mark.parametrize("name", OTHERS)
def test_upload_and_verification_agree_on_signatures_that_hold(name: str) -> None:
    def holds() -> bool:
        try:
            check_sealable(_other(name))
        except NotSealable as error:
            return "forbids every change" in str(error)
        return True

    finding = _finding(check_file(sealed(_other(name)), TRUSTED, NOW))
    assert holds() == ("It is valid" in finding)


def _finding(report: FileReport) -> str:
    return told(report, Check.EARLIER)


def test_a_signed_look_alike_of_before_is_named() -> None:
    report = check_file(sealed(sealed(pages(1), STRANGER)), TRUSTED, NOW)
    assert report.verdict is Verdict.GENUINE
    assert "There is a signature of" in _finding(report)


def test_data_is_added_to_the_store_of_a_file_that_has_none() -> None:
    data = ValidationData(crls=(new_crl(KEYS.authority),))
    assert check_file(add_validation_data(sealed(pages(1)), data), TRUSTED, NOW).verdict is Verdict.GENUINE
