"""The grammar of updates: each way in which a genuine one can be written otherwise is refused."""

import re
import zlib
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from io import BytesIO

import pikepdf
import pytest

from pades.updates.check_updates import check_updates
from pades.updates.grammar import MAX_STREAM
from tests.fakes.seals import KEYS
from tests.pades.genuine_updates import (
    Genuine,
    assert_refused,
    sealed_pages,
    second_store,
    store,
    store_of_a_signature,
    taken_apart,
    timestamp,
)
from tests.pades.verification.incremental_updates import Form, Written, with_update
from tests.pades.verification.prepared_documents import certificate
from tests.pades.verification.sealed_files import pages, sealed, with_revocations

UNWRITTEN = "its syntax is not that of the permitted objects"
ELSEWHERE = "its cross-reference section does not list its objects at their offsets"
UNUSUAL = "its cross-reference stream has an unusual W or Index entry"
LENGTH = "a stream has no direct Length"
TOO_LONG = "a stream is too long, cut off, or followed by other bytes"
FREED = "it frees objects"


@cache
def with_table() -> Genuine:
    """Evidence in a file whose places stand in a table, as in old files."""
    output = BytesIO()
    with pikepdf.open(BytesIO(pages())) as opened:
        opened.save(output, object_stream_mode=pikepdf.ObjectStreamMode.disable)
    before = sealed(output.getvalue())
    return taken_apart(before, with_revocations(before, KEYS.authority))


def _packed(entries: bytes, held: bytes) -> Genuine:
    """`store` with `held` for the bytes of its certificate, and `entries` that say how they are packed."""
    genuine = store()
    number = next(number for number, body in genuine.objects.items() if certificate() in body)
    return genuine.having({number: b"<</Length %d%b>>\nstream\n%b\nendstream" % (len(held), entries, held)})


FLATE = b"/Filter/FlateDecode"
STREAMS: dict[str, tuple[Callable[[], Genuine], str]] = {
    "packed in hexadecimal digits": (
        lambda: _packed(b"/Filter/ASCIIHexDecode", certificate().hex().encode() + b">"),
        "a Filter other than FlateDecode",
    ),
    "packed twice": (
        lambda: _packed(b"/Filter [/FlateDecode /FlateDecode]", zlib.compress(zlib.compress(certificate()))),
        "a Filter other than FlateDecode",
    ),
    "not packed though it says so": (lambda: _packed(FLATE, certificate()), "cannot be decoded"),
    "packed with more behind it": (lambda: _packed(FLATE, zlib.compress(certificate()) + b"7"), TOO_LONG),
    "packed without its end": (lambda: _packed(FLATE, zlib.compress(certificate())[:-5]), TOO_LONG),
    "packed and longer than is read": (lambda: _packed(FLATE, zlib.compress(bytes(MAX_STREAM + 1))), TOO_LONG),
    "of no length": (lambda: _of_length(b"/Long 7"), LENGTH),
    "of a negative length": (lambda: _of_length(b"/Length -1"), LENGTH),
    "of a length in another object": (lambda: _of_length(b"/Length 42 0 R"), LENGTH),
    "of a shorter length": (lambda: _of_length(b"/Length 10"), UNWRITTEN),
    "of a length beyond the file": (lambda: _of_length(b"/Length 9999999"), UNWRITTEN),
    "with the end of a file": (lambda: _packed(b"", certificate() + b"%%EOF"), "keywords such as obj or startxref"),
    "with an object": (lambda: _packed(b"", certificate() + b"\n9 0 obj\n"), "keywords such as obj or startxref"),
}


def _of_length(entry: bytes) -> Genuine:
    """`store` with `entry` in place of the length of its certificate."""
    genuine = store()
    number = next(number for number, body in genuine.objects.items() if certificate() in body)
    return genuine.having({number: re.sub(rb"/Length \d+", entry, genuine.objects[number])})


@pytest.mark.parametrize("name", STREAMS)
def test_a_stream_that_is_written_otherwise_is_refused(name: str) -> None:
    make, message = STREAMS[name]
    genuine = make()
    assert_refused(genuine.before, genuine.pdf(), re.escape(message))


def test_a_stream_may_be_packed_as_usual() -> None:
    check_updates(_packed(FLATE, zlib.compress(certificate())).pdf(), len(sealed_pages()))


WRITTEN: dict[str, tuple[Callable[[Genuine], bytes], str]] = {
    "an object that is defined twice": (
        lambda genuine: genuine.pdf(noise=(2, b"%d 0 obj\n<<>>\nendobj\n" % min(genuine.objects))),
        "an object is defined twice",
    ),
    "an object that no table names": (
        lambda genuine: genuine.pdf(unlisted=frozenset({max(genuine.objects)})),
        ELSEWHERE,
    ),
    "objects of another generation": (
        lambda genuine: genuine.pdf(generation=1),
        "objects that no timestamp or DSS refers to",
    ),
    "an object that is freed": (lambda genuine: genuine.pdf(free=(24,)), FREED),
    "bytes between objects": (lambda genuine: genuine.pdf(noise=(1, b"junk\n")), UNWRITTEN),
    "a comment": (lambda genuine: genuine.pdf(noise=(1, b"% a comment\n")), UNWRITTEN),
    "bytes after the end": (lambda genuine: genuine.pdf(ends=b"junk"), UNWRITTEN),
    "a comment after the end": (lambda genuine: genuine.pdf(ends=b"% more\n"), UNWRITTEN),
    "an end of another update": (
        lambda genuine: _ends(genuine, rb"startxref\n\d", b"startxref\n9"),
        "its startxref is not the offset",
    ),
    "no end": (lambda genuine: _ends(genuine, rb"%%EOF", b""), UNWRITTEN),
}


def _ends(genuine: Genuine, old: bytes, new: bytes) -> bytes:
    """The update with `new` in place of the last `old`, a pattern: nothing after it has a place that is told."""
    pdf = genuine.pdf()
    at = [found.start() for found in re.finditer(old, pdf) if found.start() > len(genuine.before)][-1]
    return pdf[:at] + re.sub(old, new, pdf[at:], count=1)


@pytest.mark.parametrize("name", WRITTEN)
@pytest.mark.parametrize("genuine", [store, with_table])
def test_an_update_that_is_written_otherwise_is_refused(genuine: Callable[[], Genuine], name: str) -> None:
    make, message = WRITTEN[name]
    assert_refused(genuine().before, make(genuine()), message)


TABLES: dict[str, tuple[bytes, bytes, str]] = {
    "without its head": (rb"xref\n0 1", b"0 1", UNWRITTEN),
    "with a row of another form": (rb" 00000 n \n", b" 0000 n  \n", UNWRITTEN),
    "with more rows than it has": (rb"xref\n0 1\n", b"xref\n0 9\n", UNWRITTEN),
    "with an object twice": (rb"\n1 1\n(\d+ 00000 n)", b"\n0 1\n\\1", "lists an object twice"),
    "with a first row that is used": (rb"0000000000 65535 f", b"0000000000 65535 n", FREED),
    "with a row that is freed": (rb"\n1 1\n\d{10} 00000 n", b"\n1 1\n0000000000 00000 f", FREED),
    "with another place": (rb"\n1 1\n\d", b"\n1 1\n9", ELSEWHERE),
    "without a trailer": (rb"trailer\n", b"", UNWRITTEN),
    "with a trailer that is no dictionary": (rb"trailer\n<<.*>>", b"trailer\n[7]", "a value is not a dictionary"),
}


@pytest.mark.parametrize("name", TABLES)
def test_a_table_that_is_written_otherwise_is_refused(name: str) -> None:
    old, new, message = TABLES[name]
    assert_refused(with_table().before, _ends(with_table(), old, new), message)


STREAMS_OF_PLACES: dict[str, tuple[bytes, bytes, str]] = {
    "of two columns": (rb"/W \[1 8 2\]", b"/W [1 8]", UNUSUAL),
    "of a column without width": (rb"/W \[1 8 2\]", b"/W [0 8 2]", UNUSUAL),
    "of a column that is too wide": (rb"/W \[1 8 2\]", b"/W [1 9 2]", UNUSUAL),
    "of columns that are no list": (rb"/W \[1 8 2\]", b"/W 7", UNUSUAL),
    "of columns that are no numbers": (rb"/W \[1 8 2\]", b"/W [1 8 /A]", UNUSUAL),
    "of a negative column": (rb"/W \[1 8 2\]", b"/W [1 8 -2]", UNUSUAL),
    "of half a section": (rb"/Index \[0 1 ", b"/Index [0 ", UNUSUAL),
    "of no sections": (rb"/Index", b"/Indexes", UNUSUAL),
    "of more rows than it has": (rb"/Index \[0 1 ", b"/Index [0 2 ", "has another length than its Index"),
    "with an object twice": (rb"/Index \[0 1 1 1 ", b"/Index [0 1 0 1 ", "lists an object twice"),
    "with objects of other numbers": (rb"/Index \[0 1 1 1 ", b"/Index [0 1 2 1 ", ELSEWHERE),
    "with a length that is wrong": (rb"/Length \d", b"/Length 9", UNWRITTEN),
}


@pytest.mark.parametrize("name", STREAMS_OF_PLACES)
def test_a_stream_of_places_that_is_written_otherwise_is_refused(name: str) -> None:
    old, new, message = STREAMS_OF_PLACES[name]
    assert_refused(sealed_pages(), _ends(store(), old, new), message)


@pytest.mark.parametrize("genuine", [store, store_of_a_signature, second_store, timestamp, with_table])
def test_objects_may_be_packed(genuine: Callable[[], Genuine]) -> None:
    check_updates(genuine().pdf(Form.PACKED), len(genuine().before))


def test_a_signature_that_is_packed_is_refused() -> None:
    number = timestamp().number(b"/Contents <")
    placed = re.sub(rb"/ByteRange \[[^\]]*\]", b"/ByteRange [0 1 2 3]", timestamp().objects[number])
    packed = timestamp().having({number: placed}).pdf(Form.PACKED, packs_signatures=True)
    assert_refused(sealed_pages(), packed, "a signature dictionary is in an object stream")


def _with_object_stream(genuine: Genuine, number: int, entries: bytes, held: bytes) -> Genuine:
    """The update with an object stream that holds `held` in place of object `number`."""
    stream = b"<</Type/ObjStm%b/Length %d>>\nstream\n%b\nendstream" % (entries, len(held), held)
    others = {one: body for one, body in genuine.objects.items() if one != number}
    return replace(genuine, objects={**others, max(genuine.objects) + 9: stream})


UNUSUAL_STREAM = "it has an unusual object stream"
NOT_AT_OFFSET = "an object stream does not list its objects at their offsets"
TWICE = "an object is defined twice"
PACKS: dict[str, tuple[Callable[[bytes, int], tuple[bytes, bytes]], str]] = {
    "of no objects": (lambda _body, _number: (b"/N 0/First 0", b""), UNUSUAL_STREAM),
    "of more objects than it says": (
        lambda body, number: (b"/N 1/First 10", b"%03d 0 98 0 " % number + body), UNUSUAL_STREAM,
    ),
    "of half a number": (lambda body, number: (b"/N 1/First 8", b"%03d 0 9 " % number + body), UNUSUAL_STREAM),
    "without a head": (lambda body, number: (b"/N 1", b"%03d 0 " % number + body), UNUSUAL_STREAM),
    "with a head that is cut": (lambda body, number: (b"/N 1/First 5", b"%03d 0 " % number + body), UNUSUAL_STREAM),
    "with a head beyond its end": (lambda _body, number: (b"/N 1/First 99", b"%03d 0 " % number), UNUSUAL_STREAM),
    "with a comment": (lambda body, number: (b"/N 1/First 9", b"%03d 0 %%a\n" % number + body), UNUSUAL_STREAM),
    "that extends another": (
        lambda body, number: (b"/N 1/First 6/Extends 9 0 R", b"%03d 0 " % number + body), UNUSUAL_STREAM,
    ),
    "with something before": (
        lambda body, number: (b"/N 1/First 6", b"%03d 4 " % number + b"<<>>" + body), NOT_AT_OFFSET,
    ),
    "with something behind": (
        lambda body, number: (b"/N 1/First 6", b"%03d 0 " % number + body + b" (more)"), "holds more than its objects",
    ),
    "with a comment behind": (
        lambda body, number: (b"/N 1/First 6", b"%03d 0 " % number + body + b" % more"), "holds more than its objects",
    ),
    "with two objects at one place": (
        lambda body, number: (b"/N 2/First 11", b"%03d 0 98 0 " % number + body), NOT_AT_OFFSET,
    ),
    "with an object twice": (
        lambda body, number: (b"/N 2/First 14", b"%03d 0 %03d %03d " % (number, number, len(body)) + body + b"<<>>"),
        TWICE,
    ),
    "with an object that is not packed too": (
        lambda body, number: (
            b"/N 2/First 14", b"%03d 0 %03d %03d " % (number, number - 1, len(body)) + body + b"<<>>",
        ),
        TWICE,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PACKS)
def test_an_object_stream_that_is_written_otherwise_is_refused(name: str) -> None:
    make, message = PACKS[name]
    genuine = store()
    number = genuine.number(b"/Certs")
    packed = _with_object_stream(genuine, number, *make(genuine.objects[number], number))
    assert_refused(genuine.before, packed.pdf(), message)


def test_an_object_stream_under_a_used_number_is_refused() -> None:
    genuine = store()
    objects = {**genuine.objects, 5: b"<</Type/ObjStm/N 1/First 5/Length 9>>\nstream\n99 0 <<>>\nendstream"}
    listed = with_update(genuine.before, Written(objects, Form.STREAM))
    assert_refused(genuine.before, listed, ELSEWHERE)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (b"/Predictor 12", b"/Predictor 2 ", "unusual predictor"),
        (b"/Columns 11", b"/Columns 10", "unusual predictor"),
        (b"/Columns 11", b"/Columns 11/Colors 2", "unusual predictor"),
        (b"/DecodeParms<<", b"/DecodeParms[<<", UNWRITTEN),
    ],
)
def test_a_stream_of_places_that_is_predicted_otherwise_is_refused(old: bytes, new: bytes, message: str) -> None:
    assert_refused(sealed_pages(), store().pdf(Form.PACKED).replace(old, new), message)


@pytest.mark.parametrize(
    ("genuine", "form", "message"),
    [(store, Form.TABLE, "another catalogue, xref offset"), (store, Form.HYBRID, UNWRITTEN)],
)
def test_a_table_after_a_stream_is_refused(genuine: Callable[[], Genuine], form: Form, message: str) -> None:
    assert_refused(genuine().before, with_update(genuine().before, Written(genuine().objects, form)), message)


def test_a_stream_may_follow_a_table() -> None:
    check_updates(with_table().pdf(Form.STREAM), len(with_table().before))


def test_an_update_in_a_file_with_a_table_is_evidence() -> None:
    check_updates(with_table().pdf(), len(with_table().before))


VALUES: dict[str, tuple[bytes, str]] = {
    "a key twice": (b"/A 1 /A 2", "a key twice"),
    "a key twice, deep inside": (b"/A [<</B <</C 1 /C 1>>>>]", "a key twice"),
    "a comment": (b"/A % 1\n1", UNWRITTEN),
    "values nested too deeply in each other": (b"/A " + b"[" * 60 + b"]" * 60, "nested too deeply"),
    "a string over two lines": (b"/A (one\ntwo)", UNWRITTEN),
    "a string with brackets": (b"/A ((one))", UNWRITTEN),
    "half a digit": (b"/A <9>", UNWRITTEN),
    "an unknown word": (b"/A nothing", UNWRITTEN),
    "a number with an exponent": (b"/A 9e9", UNWRITTEN),
    "a null byte": (b"/A\x001", UNWRITTEN),
    "a name with a null byte": (b"/A /B\x00", UNWRITTEN),
    "a key that is no name": (b"7 7", UNWRITTEN),
    "a list without an end": (b"/A [1", UNWRITTEN),
}


@pytest.mark.parametrize("name", VALUES)
def test_a_value_that_readers_may_take_for_another_is_refused(name: str) -> None:
    entries, message = VALUES[name]
    genuine = timestamp().changed(b"/SigFlags 3", b"/SigFlags 3 " + entries)
    assert_refused(genuine.before, genuine.pdf(), message)
