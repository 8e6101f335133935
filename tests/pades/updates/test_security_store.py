"""Stores of certificates: each thing in one that is no evidence is refused, and what was in one stays."""

import re
from collections.abc import Callable

import pytest
from cryptography.hazmat.primitives.serialization import Encoding

from pades.updates.check_updates import check_updates
from tests.fakes.seals import KEYS
from tests.pades.genuine_updates import Genuine, assert_refused, second_store, store, store_of_a_signature

Update = Callable[[], Genuine]

NO_EVIDENCE = "its document security store holds more than certificates"
TAKEN_OUT = "it removes items of the document security store"
CHANGED = "it changes dictionary entries of the sealed revision"
ANOTHER_NUMBER = "reuses an object number"

CERTS, CRLS, VRI = rb"/Certs \[[^\]]*\]", rb"/CRLs \[[^\]]*\]", rb"/VRI <<[^>]*>>"

STORES: dict[str, tuple[Update, bytes, bytes, str]] = {
    "of another type": (store, CRLS, rb"\g<0> /Type /Page", NO_EVIDENCE),
    "with an entry of its own": (store, CRLS, rb"\g<0> /Contents 40 0 R", CHANGED),
    "whose certificates are no list": (store, CERTS, b"/Certs 40 0 R", TAKEN_OUT),
    "with a certificate of before": (store, CERTS, b"/Certs [24 0 R]", ANOTHER_NUMBER),
    "with a certificate that is no object": (store, CERTS, b"/Certs [(one)]", ANOTHER_NUMBER),
    "with a certificate twice": (store, CERTS, b"/Certs [40 0 R 40 0 R]", "an object that it does not define"),
    "with a certificate among the answers": (store, CERTS, b"/OCSPs [40 0 R]", NO_EVIDENCE),
    "whose signatures are no dictionary": (store_of_a_signature, VRI, b"/VRI 7", ANOTHER_NUMBER),
    "whose signatures stand in an object": (store_of_a_signature, VRI, b"/VRI 24 0 R", ANOTHER_NUMBER),
    "with a signature that is not in the file": (
        store_of_a_signature, rb"/VRI <<\s*/\w{4}", b"/VRI <</0000", NO_EVIDENCE,
    ),
    "with a signature of another name": (store_of_a_signature, rb"/VRI <<\s*/\w+", b"/VRI <</Page", NO_EVIDENCE),
    "with a signature of a short name": (store_of_a_signature, rb"/VRI <<\s*/\w", b"/VRI <</", NO_EVIDENCE),
    "with a signature of another type": (store_of_a_signature, rb"/Type /VRI", b"/Type /Page", NO_EVIDENCE),
    "with a signature that has more": (store_of_a_signature, rb"/Type /VRI", rb"\g<0> /AP 40 0 R", CHANGED),
    "with a signature whose certificate is not held": (
        store_of_a_signature, rb"/Cert \[[^\]]*\]", b"/Cert [24 0 R]", NO_EVIDENCE,
    ),
    "with a signature whose certificate is a list of revocations": (
        store_of_a_signature, rb"/Cert \[[^\]]*\]", b"/Cert [41 0 R]", NO_EVIDENCE,
    ),
    "with a signature whose certificates are no list": (
        store_of_a_signature, rb"/Cert \[[^\]]*\]", b"/Cert 40 0 R", NO_EVIDENCE,
    ),
    "that had another certificate": (second_store, rb"/Certs \[ 40 0 R", b"/Certs [", TAKEN_OUT),
    "that had certificates": (second_store, CERTS, b"", TAKEN_OUT),
    "that had another list of revocations": (second_store, rb"/CRLs \[ 41 0 R", b"/CRLs [", TAKEN_OUT),
    "that knew another signature": (second_store, rb"/VRI <<\s*/\w+ 42 0 R", b"/VRI <<", TAKEN_OUT),
    "that knew signatures": (second_store, VRI, b"", "is replaced by another object"),
}  # fmt: skip


@pytest.mark.parametrize("name", STORES)
def test_a_store_is_refused(name: str) -> None:
    update, old, new, message = STORES[name]
    genuine = update()
    (number,) = (number for number, body in genuine.objects.items() if b"stream\n" not in body and re.search(old, body))
    changed = genuine.having({number: re.sub(old, new, genuine.objects[number], count=1)})
    assert_refused(genuine.before, changed.pdf(), message)


STREAMS: dict[str, tuple[bytes, str]] = {
    "text": (b"<</Length 4>>\nstream\ntext\nendstream", NO_EVIDENCE),
    "nothing": (b"<</Length 0>>\nstream\n\nendstream", NO_EVIDENCE),
    "no stream": (b"<</Length 4>>", NO_EVIDENCE),
    "a number": (b"7", NO_EVIDENCE),
    "a sequence that is no certificate": (b"<</Length 5>>\nstream\n\x30\x03\x02\x01\x05\nendstream", NO_EVIDENCE),
    "something with a type": (b"<</Type/XObject/Length 4>>\nstream\ntext\nendstream", NO_EVIDENCE),
}


@pytest.mark.parametrize("name", STREAMS)
def test_what_stands_in_place_of_a_certificate_is_refused(name: str) -> None:
    body, message = STREAMS[name]
    assert_refused(store().before, store().having({40: body}).pdf(), message)


def test_a_certificate_with_bytes_after_it_is_refused() -> None:
    _, _, held = store().objects[40].removesuffix(b"\nendstream").partition(b"stream\n")
    longer = b"<</Length %d>>\nstream\n%b7\nendstream" % (len(held) + 1, held)
    assert_refused(store().before, store().having({40: longer}).pdf(), NO_EVIDENCE)


def _own_certificate() -> bytes:
    held = KEYS.pair.certificate.public_bytes(Encoding.DER)
    return b"<</Length %d>>\nstream\n%b\nendstream" % (len(held), held)


def test_a_store_may_stand_in_the_catalogue_and_grow_there() -> None:
    held = store().objects[42].replace(b"\n", b" ")
    first = store().changed(b"/DSS 42 0 R", b"/DSS " + held)
    written = Genuine(first.before, {number: body for number, body in first.objects.items() if number != 42}).pdf()
    root = first.objects[1]
    more = {1: root.replace(b"/Certs [ 40 0 R ]", b"/Certs [ 40 0 R 50 0 R ]"), 50: _own_certificate()}
    check_updates(Genuine(written, more).pdf(), len(first.before))
    less = {**more, 1: root.replace(b"/Certs [ 40 0 R ]", b"/Certs [ 50 0 R ]")}
    assert_refused(first.before, Genuine(written, less).pdf(), TAKEN_OUT)
