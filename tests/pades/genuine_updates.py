"""Genuine updates of sealed PDFs, taken apart, so that one thing in them can be written otherwise."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from io import BytesIO
from typing import Any, Self

import pytest
from asn1crypto import crl, x509
from cryptography.hazmat.primitives.serialization import Encoding
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.validation.dss import DocumentSecurityStore

from pades.certificates import new_crl
from pades.updates.check_updates import check_updates
from pades.updates.grammar import DisallowedChange
from tests.fakes.seals import KEYS
from tests.pades.verification.incremental_updates import Form, Written, usual_form, with_update
from tests.pades.verification.sealed_files import CLOCK, NOW, pages, sealed, with_document_timestamp, with_revocations

_OBJECT = re.compile(rb"(\d+) 0 obj\n(.*?)\nendobj\n", re.DOTALL)
_RANGE = re.compile(rb"/ByteRange \[[^\]]*\]")
_COVERED = b"/ByteRange [0 SSSSSSSSSS AAAAAAAAAA LLLLLLLLLL]"
_CONTENTS = re.compile(rb"/Contents (<[0-9A-Fa-f]*>)")


@dataclass(frozen=True)
class Genuine:
    """A sealed PDF, and the objects of an update that adds evidence to it, by number.

    The range of a timestamp has letters for its numbers, which `pdf` replaces.
    """

    before: bytes
    objects: Mapping[int, bytes]

    def number(self, mark: bytes) -> int:
        """Of the one object that has `mark` in it."""
        (number,) = (number for number, body in self.objects.items() if mark in body)
        return number

    def changed(self, old: bytes, new: bytes) -> Self:
        """With `new` in place of `old`, which one object holds once. The length of a stream is set right."""
        number = self.number(old)
        body = self.objects[number]
        assert body.count(old) == 1, body
        head, mark, data = body.replace(old, new).partition(b"stream\n")
        if mark and b"\nstream\n" in body:
            length = len(data.removesuffix(b"\nendstream"))
            head = re.sub(rb"/Length \d+", b"/Length %d" % length, head)
        return self.having({number: head + mark + data})

    def having(self, objects: Mapping[int, bytes]) -> Self:
        """With those too, or in place of those that it has."""
        return replace(self, objects={**self.objects, **objects})

    def pdf(self, form: Form | None = None, **unusual: Any) -> bytes:
        """The sealed PDF with the update at its end; `unusual` is what `Written` says of one."""
        written = with_update(self.before, Written(self.objects, form or usual_form(self.before), **unusual))
        found = _CONTENTS.search(written, len(self.before))
        if found is None:
            return written
        start, end = found.span(1)
        for letters, value in ((b"S" * 10, start), (b"A" * 10, end), (b"L" * 10, len(written) - end)):
            written = written.replace(letters, b"%010d" % value)
        return written


def taken_apart(before: bytes, after: bytes) -> Genuine:
    """The update that made `before` into `after`."""
    check_updates(after, len(before))
    found = _OBJECT.findall(after, len(before))
    objects = {int(number): _RANGE.sub(_COVERED, body) for number, body in found if b"/Type /XRef" not in body}
    return Genuine(before, objects)


def assert_refused(before: bytes, after: bytes, message: str) -> None:
    """Fails unless what makes `after` of `before` is refused, for a reason that matches `message`."""
    with pytest.raises(DisallowedChange, match=message):
        check_updates(after, len(before))


@cache
def sealed_pages() -> bytes:
    return sealed(pages())


@cache
def timestamp() -> Genuine:
    """A document timestamp, by a program that notes in the metadata that it was there."""
    return taken_apart(sealed_pages(), with_document_timestamp(sealed_pages(), CLOCK.stamper(NOW)))


@cache
def store() -> Genuine:
    """A certificate and a list of revoked ones, by the service's own hand."""
    return taken_apart(sealed_pages(), with_revocations(sealed_pages(), KEYS.authority))


@cache
def store_of_a_signature() -> Genuine:
    """As `store`, by another program, with an entry that says to which signature it belongs."""
    return taken_apart(sealed_pages(), _with_store_of_a_signature(sealed_pages()))


@cache
def second_store() -> Genuine:
    """More evidence in a file that has a store, with an entry of a signature."""
    before = with_document_timestamp(_with_store_of_a_signature(sealed_pages()), CLOCK.stamper(NOW))
    output = BytesIO(before)
    named = PdfFileReader(output).embedded_signatures[-1].pkcs7_content.hex().encode()
    listed = crl.CertificateList.load(new_crl(CLOCK.root))
    DocumentSecurityStore.add_dss(output, sig_contents=named, certs=[_certificate(CLOCK.root)], crls=[listed])
    return taken_apart(before, output.getvalue())


def _with_store_of_a_signature(pdf: bytes) -> bytes:
    output = BytesIO(pdf)
    signature = PdfFileReader(output).embedded_signatures[-1]
    listed = crl.CertificateList.load(new_crl(KEYS.authority))
    named = signature.pkcs7_content.hex().encode()
    DocumentSecurityStore.add_dss(output, named, certs=[_certificate(KEYS.authority)], crls=[listed])
    return output.getvalue()


def _certificate(pair: Any) -> x509.Certificate:
    return x509.Certificate.load(pair.certificate.public_bytes(Encoding.DER))
