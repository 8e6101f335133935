"""What may be added to a sealed PDF: each thing that no evidence needs is refused, in an update that is genuine."""

import re
from collections.abc import Callable

import pytest

from pades.updates.check_updates import check_updates
from pades.updates.grammar import DisallowedChange
from tests.fakes.seals import KEYS
from tests.pades.genuine_updates import (
    Genuine,
    assert_refused,
    sealed_pages,
    second_store,
    store,
    store_of_a_signature,
    timestamp,
)
from tests.pades.verification.sealed_files import pages, with_revocations

Update = Callable[[], Genuine]
Change = tuple[Update, bytes, bytes]

CHANGED = "it changes dictionary entries of the sealed revision"
NO_TIMESTAMP_FIELD = "a form field that is not a document timestamp"
NO_TIMESTAMP = "a signature dictionary that is not a document timestamp"
UNCOVERED = "ByteRange of a timestamp does not cover the file"
ANOTHER_NUMBER = "reuses an object number"
NOT_THERE = "refers to an object that it does not define"
NO_DICTIONARY = "a value is not a dictionary"
NO_REFERENCE = "a value is not an indirect reference"
NO_STREAM = "a stream replaces an object of another type"
ELSEWHERE = "its trailer has another catalogue"
OTHER_METADATA = "it replaces the metadata stream"
ANOTHER_PART = "a dictionary of the sealed revision is replaced by another object"
ANOTHER_LIST = "the first items of an array are changed"
ANOTHER_PAGE = "it changes a page object"

CHANGES: dict[str, tuple[Change, str]] = {
    "an entry of the catalogue": ((timestamp, b"/Lang (en)", b"/Lang (fr)"), CHANGED),
    "an entry less": ((timestamp, b"/Lang (en)", b""), CHANGED),
    "another form": ((timestamp, b"/AcroForm 35 0 R", b"/AcroForm 40 0 R"), ANOTHER_PART),
    "no form": ((timestamp, b"/AcroForm 35 0 R", b""), ANOTHER_PART),
    "a form of its own": ((timestamp, b"/AcroForm 35 0 R", b"/AcroForm <</Fields [36 0 R]>>"), ANOTHER_PART),
    "an entry of the form": ((timestamp, b"/SigFlags 3", b"/SigFlags 1"), CHANGED),
    "two fields": ((timestamp, b"[ 36 0 R 40 0 R ]\n/SigFlags", b"[36 0 R 40 0 R 41 0 R]\n/SigFlags"), "more than one"),
    "a field that is no object": ((timestamp, b"[ 36 0 R 40 0 R ]\n/SigFlags", b"[36 0 R 7]\n/SigFlags"), NO_REFERENCE),
    "a field less": ((timestamp, b"[ 36 0 R 40 0 R ]\n/SigFlags", b"[40 0 R]\n/SigFlags"), ANOTHER_LIST),
    "fields that are no list": ((timestamp, b"[ 36 0 R 40 0 R ]\n/SigFlags", b"7\n/SigFlags"), ANOTHER_LIST),
    "fields in another object": (
        (timestamp, b"[ 36 0 R 40 0 R ]\n/SigFlags", b"41 0 R\n/SigFlags"),
        "an array is replaced by another object",
    ),
    "a field that prints not": ((timestamp, b"/F 132", b"/F 4"), CHANGED),
    "a field with a size": ((timestamp, b"/Rect [ 0 0 0 0 ]", b"/Rect [0 0 9 9]"), CHANGED),
    "a field of another name": ((timestamp, b"/T (Timestamp", b"/T (Approval"), NO_TIMESTAMP_FIELD),
    "a field that is shown as another": ((timestamp, b"/TU (Timestamp)", b"/TU (Approved)"), NO_TIMESTAMP_FIELD),
    "a field on no page": ((timestamp, b"/P 5 0 R", b"/P 4 0 R"), ANOTHER_PAGE),
    "a field on a stream": ((timestamp, b"/P 5 0 R", b"/P 24 0 R"), NO_STREAM),
    "a field on a page that is no object": ((timestamp, b"/P 5 0 R", b"/P <<>>"), ANOTHER_PART),
    "a field that no page shows": ((timestamp, b"/Annots [ 36 0 R 40 0 R ]", b"/Annots [36 0 R]"), ANOTHER_PAGE),
    "an annotation less": ((timestamp, b"/Annots [ 36 0 R 40 0 R ]", b"/Annots [40 0 R]"), ANOTHER_LIST),
    "no annotations": ((timestamp, b"/Annots [ 36 0 R 40 0 R ]", b""), ANOTHER_LIST),
    "another content": ((timestamp, b"/Contents 24 0 R", b"/Contents 25 0 R"), CHANGED),
    "a signature of before": ((timestamp, b"/V 41 0 R", b"/V 37 0 R"), ANOTHER_NUMBER),
    "a signature of another generation": ((timestamp, b"/V 41 0 R", b"/V 41 1 R"), ANOTHER_NUMBER),
    "a signature that is no object": ((timestamp, b"/V 41 0 R", b"/V <<>>"), ANOTHER_NUMBER),
    "a signature that is not there": ((timestamp, b"/V 41 0 R", b"/V 99 0 R"), NOT_THERE),
    "an approval": ((timestamp, b"ETSI.RFC3161", b"ETSI.CAdES.detached"), CHANGED),
    "a range of three": ((timestamp, b" LLLLLLLLLL]", b"]"), NO_TIMESTAMP),
    "a range that is no list": ((timestamp, b"[0 SSSSSSSSSS AAAAAAAAAA LLLLLLLLLL]", b"7"), NO_TIMESTAMP),
    "a range from the second byte": ((timestamp, b"[0 SSSS", b"[1 SSSS"), UNCOVERED),
    "a range that ends early": ((timestamp, b"LLLLLLLLLL]", b"7]"), UNCOVERED),
    "a range of names": ((timestamp, b"SSSSSSSSSS", b"/S"), UNCOVERED),
    "a range that leaves out more": ((timestamp, b"SSSSSSSSSS", b"10"), UNCOVERED),
    "an extension of somebody": ((timestamp, b"/ESIC <<", b"/EVIL <<"), CHANGED),
    "an extension with more": ((timestamp, b"/ExtensionLevel 1\n", b"/ExtensionLevel 1 /X 1\n"), CHANGED),
    "an extension of objects": ((timestamp, b"/ExtensionLevel 1\n", b"/ExtensionLevel [1]\n"), CHANGED),
    "an extension that is none": ((timestamp, b"/Extensions <<", b"/Extensions 7 /X <<"), CHANGED),
    "metadata in another place": ((timestamp, b"/Metadata 28 0 R", b"/Metadata 41 0 R"), OTHER_METADATA),
    "metadata taken away": ((timestamp, b"/Metadata 28 0 R", b""), OTHER_METADATA),
    "metadata of another kind": ((timestamp, b"/Subtype /XML", b"/Subtype /XMP"), CHANGED),
    "a store in place of the form": ((store, b"/AcroForm 35 0 R", b"/AcroForm 42 0 R"), ANOTHER_PART),
    "a store that is not there": ((store, b"/DSS 42 0 R", b"/DSS 99 0 R"), NOT_THERE),
    "a store in an object of before": ((store, b"/DSS 42 0 R", b"/DSS 5 0 R"), ANOTHER_NUMBER),
}  # fmt: skip


@pytest.mark.parametrize("update", [timestamp, store, store_of_a_signature, second_store])
def test_an_update_that_is_taken_apart_and_written_again_is_evidence(update: Update) -> None:
    genuine = update()
    check_updates(genuine.pdf(), len(genuine.before))


@pytest.mark.parametrize("name", CHANGES)
def test_evidence_in_which_one_thing_is_otherwise_is_refused(name: str) -> None:
    (update, old, new), message = CHANGES[name]
    genuine = update()
    assert_refused(genuine.before, genuine.changed(old, new).pdf(), re.escape(message))


CONTENTS = {
    "nothing": (lambda held: b"", "of a timestamp is empty"),
    "a byte": (lambda held: b"30", "of a timestamp is empty"),
    "something after the token": (lambda held: held[:-2] + b"01", "bytes follow the timestamp token"),
    "something after a short token": (lambda held: b"30030201050001", "bytes follow the timestamp token"),
}


@pytest.mark.parametrize("name", CONTENTS)
def test_a_timestamp_holds_its_token_and_nothing_else(name: str) -> None:
    change, message = CONTENTS[name]
    stamp = timestamp().number(b"/Contents <")
    body = timestamp().objects[stamp]
    held = re.sub(rb"<([0-9A-Fa-f]*)>", lambda found: b"<%b>" % change(found[1]), body, count=1)
    assert_refused(sealed_pages(), timestamp().having({stamp: held}).pdf(), message)


def test_a_timestamp_whose_contents_are_no_text_is_refused() -> None:
    stamp = timestamp().number(b"/Contents <")
    body = re.sub(rb"<[0-9A-Fa-f]*>", b"7", timestamp().objects[stamp], count=1)
    body = re.sub(rb"/ByteRange \[[^\]]*\]", b"/ByteRange [0 1 2 3]", body)
    assert_refused(sealed_pages(), timestamp().having({stamp: body}).pdf(), NO_TIMESTAMP)


def test_a_short_value_in_place_of_a_token_is_refused() -> None:
    stamp = timestamp().number(b"/Contents <")
    held = re.sub(rb"<[0-9A-Fa-f]*>", b"<3003020105>", timestamp().objects[stamp], count=1)
    assert_refused(sealed_pages(), timestamp().having({stamp: held}).pdf(), "a timestamp cannot be parsed")


TRAILERS: dict[str, tuple[bytes, str]] = {
    "an entry more": (b"/Encrypt 5 0 R", CHANGED),
    "parameters of its packing": (b"/DecodeParms <<>>", "unusual predictor"),
    "another table": (b"/XRefStm 9", ELSEWHERE),
}


@pytest.mark.parametrize("name", TRAILERS)
def test_a_trailer_with_more_in_it_is_refused(name: str) -> None:
    entries, message = TRAILERS[name]
    assert_refused(sealed_pages(), store().pdf(entries=entries), message)


TRAILER_CHANGES: dict[str, tuple[bytes, bytes, str]] = {
    "another catalogue": (rb"/Root 1 0 R", b"/Root 5 0 R", ELSEWHERE),
    "another update before it": (rb"/Prev \d", b"/Prev 9", ELSEWHERE),
    "another size": (rb"/Size 4\d", b"/Size 99", ELSEWHERE),
    "no identifier": (rb"/ID \[[^\]]*\]", b"", ELSEWHERE),
    "an identifier of one part": (rb"/ID \[ ?<\w+>", b"/ID [", ELSEWHERE),
    "an identifier of numbers": (rb"/ID \[[^\]]*\]", b"/ID [1 2]", ELSEWHERE),
    "a long identifier": (rb"(/ID \[ ?<\w+> ?<)", rb"\g<1>" + b"00" * 60, ELSEWHERE),
    "an identifier of another file": (rb"/ID \[ ?<\w+>", b"/ID [<00>", ELSEWHERE),
    "other information": (rb"/Info 27 0 R", b"/Info 36 0 R", ANOTHER_PART),
    "no information": (rb"/Info 27 0 R", b"", ANOTHER_PART),
}


@pytest.mark.parametrize("name", TRAILER_CHANGES)
def test_a_trailer_that_says_something_else_is_refused(name: str) -> None:
    old, new, message = TRAILER_CHANGES[name]
    before = len(sealed_pages())
    genuine = store().pdf()
    changed, count = re.subn(old, new, genuine[genuine.index(b"/XRef", before) :])  # it is last: no place moves
    assert count == 1
    assert_refused(sealed_pages(), genuine[: genuine.index(b"/XRef", before)] + changed, message)


def test_the_table_of_an_update_takes_no_number_of_another_object() -> None:
    before = len(sealed_pages())
    genuine = store().pdf()
    head, tail = genuine[: genuine.index(b"43 0 obj", before)], genuine[genuine.index(b"43 0 obj", before) :]
    taken = tail.replace(b"43 0 obj", b"30 0 obj").replace(b"43 1]", b"30 1]")
    assert_refused(sealed_pages(), head + taken, ANOTHER_NUMBER)


def test_an_object_that_no_evidence_needs_is_refused() -> None:
    assert_refused(
        sealed_pages(), store().having({43: b"<</A 1>>"}).pdf(), "objects that no timestamp or DSS refers to"
    )


def test_an_update_without_evidence_is_refused() -> None:
    catalogue = {number: body for number, body in timestamp().objects.items() if b"/Catalog" in body}
    assert_refused(sealed_pages(), Genuine(sealed_pages(), catalogue).pdf(), "or neither a timestamp nor a DSS")


def test_a_field_on_a_certificate_that_was_added_before_is_refused() -> None:
    first = store().pdf()
    moved = {
        number + 10 if number >= 40 else number: re.sub(rb"\b4([01]) 0 R", rb"5\1 0 R", body)
        for number, body in timestamp().objects.items()
    }
    genuine = Genuine(first, moved)
    genuine = genuine.changed(b"/AcroForm 35 0 R", b"/AcroForm 35 0 R /DSS 42 0 R")
    check_updates(genuine.pdf(), len(sealed_pages()))

    assert_refused(sealed_pages(), genuine.changed(b"/P 5 0 R", b"/P 40 0 R").pdf(), NO_STREAM)


def test_a_file_without_a_signature_takes_no_evidence() -> None:
    before = pages()
    assert_refused(before, with_revocations(before, KEYS.authority), "no authority of a signature")


def test_what_was_sealed_must_end_as_a_pdf_does() -> None:
    before = sealed_pages() + b"junk"
    assert_refused(before, Genuine(before, store().objects).pdf(), "does not end with startxref")


def test_what_was_sealed_must_be_a_pdf() -> None:
    with pytest.raises(DisallowedChange, match="cannot be parsed"):
        check_updates(store().pdf(), len(sealed_pages()) - 4)


def test_nothing_added_is_no_change() -> None:
    check_updates(sealed_pages(), len(sealed_pages()))
