"""Metadata of sealed PDFs: a program notes that it was there, and says nothing else of the document."""

import re

import pytest

from pades.updates.check_updates import check_updates
from pades.updates.grammar import Dictionary, DisallowedChange, Name
from pades.updates.metadata import check_information, check_packet
from tests.pades.genuine_updates import assert_refused, sealed_pages, timestamp

SAID = "it changes more of the document information than Producer and ModDate"
OTHERWISE = "the XMP packet changes more than producer and dates"
MORE = "the XMP packet has content besides its properties"
UNREADABLE = "the XMP packet cannot be parsed"
TITLE = b'<rdf:li xml:lang="x-default">Agreement</rdf:li>'

INFORMATION: dict[str, tuple[bytes, bytes]] = {
    "another title": (b"(Agreement)", b"(Contract)"),
    "no title": (b"/Title (Agreement)", b""),
    "an author": (b"/Title (Agreement)", b"/Title (Agreement) /Author (Eve)"),
    "a date that is none": (b"/Title (Agreement)", b"/Title (Agreement) /ModDate (today)"),
    "a date that is no text": (b"/Title (Agreement)", b"/Title (Agreement) /ModDate 2026"),
    "another program": (b"(Undersign\\073 pyHanko", b"(Undersign\\073 Acrobat"),
    "a program that is no text": (b"(Undersign\\073 pyHanko 0\\05638\\0560)", b"/pyHanko"),
    "no program": (b"/Producer (Undersign\\073 pyHanko 0\\05638\\0560)", b""),
    "the program alone": (b"(Undersign\\073 pyHanko", b"(pyHanko"),
}  # fmt: skip

PACKETS: dict[str, tuple[bytes, bytes, str]] = {
    "another title": (TITLE, TITLE.replace(b"Agreement", b"Contract"), OTHERWISE),
    "no title": (b"<dc:title><rdf:Alt>" + TITLE + b"</rdf:Alt></dc:title>", b"", OTHERWISE),
    "another level of PDF/A": (b'pdfaid:part="2"', b'pdfaid:part="3"', OTHERWISE),
    "another program": (b'pdf:Producer="pyHanko', b'pdf:Producer="Acrobat', OTHERWISE),
    "no program": (b' pdf:Producer="pyHanko 0.38.0"', b"", OTHERWISE),
    "a time that is none": (b'xmp:ModifyDate="2', b'xmp:ModifyDate="today 2', OTHERWISE),
    "another document": (b'rdf:about=""', b'rdf:about="another"', OTHERWISE),
    "a comment": (b"</rdf:RDF>", b"<!-- 9000000 EUR --></rdf:RDF>", UNREADABLE),
    "an entity": (b"<x:xmpmeta", b'<!DOCTYPE x [<!ENTITY a "9000000 EUR">]><x:xmpmeta', UNREADABLE),
    "half of it": (b"</rdf:RDF>", b"", UNREADABLE),
    "text between": (b"</rdf:Description>\n</rdf:RDF>", b"</rdf:Description>9000000 EUR</rdf:RDF>", MORE),
    "an element that is no property": (b"</rdf:RDF>", b"</rdf:RDF><other>9000000 EUR</other>", MORE),
}  # fmt: skip


@pytest.mark.parametrize("name", INFORMATION)
def test_information_that_says_something_else_is_refused(name: str) -> None:
    old, new = INFORMATION[name]
    assert_refused(sealed_pages(), timestamp().changed(old, new).pdf(), SAID)


def test_the_time_of_saving_is_nothing_else() -> None:
    changed = timestamp().changed(b"/Title (Agreement)", b"/Title (Agreement) /ModDate (D:20261122193410+01'00')")
    check_updates(changed.pdf(), len(sealed_pages()))


@pytest.mark.parametrize("name", PACKETS)
def test_a_packet_that_says_something_else_is_refused(name: str) -> None:
    old, new, message = PACKETS[name]
    assert_refused(sealed_pages(), timestamp().changed(old, new).pdf(), message)


def test_metadata_that_are_no_stream_are_refused() -> None:
    metadata = timestamp().number(b"/Subtype /XML")
    changed = timestamp().having({metadata: b"<</Type /Metadata /Subtype /XML>>"})
    assert_refused(sealed_pages(), changed.pdf(), "it replaces the metadata stream")


BEFORE: Dictionary = {"Title": b"Agreement"}


@pytest.mark.parametrize(
    "tool",
    [b"pyHanko 0.38.0", b"pyHanko 1.2", b"\xfe\xff" + "pyHanko 0.38.0".encode("utf-16-be")],
    ids=["of three parts", "of two parts", "in UTF-16"],
)
def test_a_program_may_note_its_name_where_there_was_none(tool: bytes) -> None:
    check_information(BEFORE, {**BEFORE, "Producer": tool})


@pytest.mark.parametrize("value", [b"Acrobat", Name("pyHanko"), b"Agreement; pyHanko 0.38.0"])
def test_a_program_notes_nothing_else_where_there_was_no_name(value: bytes | Name) -> None:
    with pytest.raises(DisallowedChange, match=SAID):
        check_information(BEFORE, {**BEFORE, "Producer": value})


def test_a_first_packet_may_be_the_programs_own_and_name_nothing() -> None:
    found = re.search(rb"stream\n(.*)\nendstream", timestamp().objects[timestamp().number(b"/XML")], re.DOTALL)
    assert found
    with pytest.raises(DisallowedChange, match=OTHERWISE):
        check_packet(None, found[1])  # it names a title, which the document had nowhere
    check_packet(found[1], found[1])


def test_a_second_program_of_the_same_name_notes_the_time_alone() -> None:
    check_information({**BEFORE, "Producer": b"pyHanko 0.38.0"}, {**BEFORE, "Producer": b"pyHanko 0.38.0"})
    with pytest.raises(DisallowedChange, match=SAID):
        check_information({**BEFORE, "ModDate": b"D:20261122193410Z"}, BEFORE)
