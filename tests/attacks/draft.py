"""Uploads written by hand: one page that says "EUR 48,000". Every object and table can be written otherwise."""

import re
import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache

import pikepdf
import pymupdf

from tests.foreign_pdfs.signed_samples import signed
from tests.pades.verification.incremental_updates import Form, Written, with_update

ROOT, PAGES, PAGE, FONT, CONTENT, DESCRIPTOR, FILE = 1, 2, 3, 4, 5, 6, 7
LATER = 60
"""A number that no object of a draft has, and that objects which are added to its sealed form may get."""

SHOWN, HIDDEN = "EUR 48,000", "EUR 4,800,000"


def text(words: str, y: int = 560, size: int = 36, font: str = "F1") -> bytes:
    """Operators that draw `words` on the page."""
    return f"BT /{font} {size} Tf 60 {y} Td ({words}) Tj ET\n".encode()


def covering(words: str = HIDDEN, y: int = 560) -> bytes:
    """Operators that draw `words` over the sum of the page."""
    return b"1 g 50 %d 500 50 re f 0 g\n" % (y - 12) + text(words, y)


def stream(data: bytes, entries: bytes = b"") -> bytes:
    return b"<<%b/Length %d>>\nstream\n%b\nendstream" % (entries, len(data), data)


def form(data: bytes, entries: bytes = b"") -> bytes:
    """A form of the size of the page that draws with the fonts of the page."""
    usual = b"/Type/XObject/Subtype/Form/BBox [0 0 595 842]/Resources<</Font<</F1 %d 0 R>>>>" % FONT
    return stream(data, usual + entries)


_FONT = b"""<</Type/Font/Subtype/Type1/BaseFont/NimbusSans-Regular/Encoding/WinAnsiEncoding/FirstChar 32/LastChar 126
/Widths [%b]/FontDescriptor %d 0 R>>"""
_DESCRIBED = b"""/FontName/NimbusSans-Regular/Flags 32/FontBBox [-210 -299 1032 1075]/ItalicAngle 0/Ascent 729
/Descent -218/CapHeight 729/StemV 85"""


@cache
def _outlines() -> pymupdf.Font:
    """A font that is embedded, so that all readers draw the same letters."""
    return pymupdf.Font("helv")


@cache
def _widths() -> bytes:
    return b" ".join(b"%d" % round(_outlines().glyph_advance(code) * 1000) for code in range(32, 127))


Finish = Callable[[bytes, "Draft"], bytes]


@dataclass
class Draft:
    """An upload. `told` names what is unusual about it; `is_honest` says that it must be accepted.

    `later` are the definitions that an outsider adds after the seal, by number; `wanted` is the length to reach then.
    `length` is the length of the sealed file, learned from a trial if `is_predicted`. `is_signed` uploads bring a
    signature of others, which forbids to write them anew.
    """

    objects: dict[int, bytes] = field(default_factory=dict)
    root: dict[bytes, bytes] = field(default_factory=dict)
    pages: dict[bytes, bytes] = field(default_factory=dict)
    page: dict[bytes, bytes] = field(default_factory=dict)
    resources: dict[bytes, bytes] = field(default_factory=dict)
    content: list[bytes] = field(default_factory=list)
    contents: bytes = b"%d 0 R" % CONTENT
    annotations: list[int] = field(default_factory=list)
    trailer: bytes = b""
    table: Form = Form.TABLE
    free: set[int] = field(default_factory=set)
    revisions: list[Written] = field(default_factory=list)
    later: dict[int, bytes] = field(default_factory=dict)
    length: int = 0
    wanted: int = 0
    finish: list[Finish] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    is_honest: bool = True
    is_predicted: bool = False
    is_signed: bool = False
    written: dict[int, bytes] = field(default_factory=dict)

    def add(self, definition: bytes) -> int:
        """Returns the number of a new object."""
        number = max({*self.objects, FILE}) + 1
        self.objects[number] = definition
        return number

    def resource(self, kind: bytes, name: bytes, value: bytes) -> None:
        self.resources[kind] = self.resources.get(kind, b"") + b"/%b %b" % (name, value)

    def draw(self, data: bytes) -> None:
        self.content.append(data)

    def show(self, definition: bytes, name: bytes = b"X1") -> None:
        """Adds a form or an image, and draws it."""
        self.resource(b"XObject", name, b"%d 0 R" % self.add(definition))
        self.draw(b"q /%b Do Q\n" % name)

    def state(self, entries: bytes, data: bytes) -> None:
        """Draws in a graphics state with those entries."""
        name = b"G%d" % len(self.content)
        self.resource(b"ExtGState", name, b"<<%b>>" % entries)
        self.draw(b"q /%b gs %bQ\n" % (name, data))

    def layer(self, entries: bytes = b"") -> int:
        return self.add(b"<</Type/OCG/Name(Layer %d)%b>>" % (len(self.objects), entries))

    def annotate(self, entries: bytes) -> int:
        number = self.add(b"<</Type/Annot/P %d 0 R%b>>" % (PAGE, entries))
        self.annotations.append(number)
        return number

    def all_objects(self) -> dict[int, bytes]:
        """The objects as they are written."""
        if self.annotations:
            self.page.setdefault(b"Annots", b"[%b]" % b" ".join(b"%d 0 R" % number for number in self.annotations))
        resources = b"".join(b"/%b<<%b>>" % entry for entry in self.resources.items())
        usual = {
            ROOT: _dictionary(b"/Type/Catalog/Pages %d 0 R" % PAGES, self.root),
            PAGES: _dictionary(b"/Type/Pages", {b"Count": b"1", b"Kids": b"[%d 0 R]" % PAGE} | self.pages),
            PAGE: _dictionary(
                b"/Parent %d 0 R" % PAGES,
                {
                    b"Type": b"/Page", b"MediaBox": b"[0 0 595 842]", b"Contents": self.contents,
                    b"Resources": b"<<%b>>" % resources,
                } | self.page,
            ),
            FONT: _FONT % (_widths(), DESCRIPTOR),
            CONTENT: stream(b"".join(self.content)),
            DESCRIPTOR: b"<</Type/FontDescriptor%b/FontFile3 %d 0 R>>" % (_DESCRIBED, FILE),
            FILE: stream(zlib.compress(_outlines().buffer), b"/Subtype/Type1C/Filter/FlateDecode"),
        }  # fmt: skip
        return usual | self.objects

    def write(self) -> bytes:
        """Returns the file, by the length that it knows of. It is written once, as signatures differ each time."""
        if self.length not in self.written:
            self.written[self.length] = signed(self._file(), strict=False) if self.is_signed else self._file()
        return self.written[self.length]

    def _file(self) -> bytes:
        file = with_table(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", self.all_objects(), self.table, self.free, self.trailer)
        for revision in self.revisions:
            with suppress(pikepdf.PdfError):  # a file whose objects contradict each other may take no update
                file = with_update(file, revision)
        for change in self.finish:
            file = change(file, self)
        return file


def new_draft() -> Draft:
    draft = Draft()
    draft.resource(b"Font", b"F1", b"%d 0 R" % FONT)
    draft.draw(text("Agreement", 700, 24))
    draft.draw(text(SHOWN))
    return draft


def with_table(
    head: bytes, objects: dict[int, bytes], table: Form = Form.TABLE, free: set[int] | None = None, trailer: bytes = b""
) -> bytes:
    """A file of one revision. The table says of those that are `free` where they are all the same."""
    body, places, packed = bytearray(head), dict[int, tuple[int, int, int]](), dict[int, bytes]()
    for number, definition in objects.items():
        generation = 0
        if table is Form.PACKED and b"stream" not in definition:
            packed[number] = definition
            continue
        places[number] = (0 if number in (free or ()) else 1, len(body), generation)
        body += b"%d %d obj\n%b\nendobj\n" % (number, generation, definition)
    size = max(objects) + 1
    entries = b"/Root %d 0 R/ID[<30><30>]%b" % (ROOT, trailer)
    if table in (Form.TABLE, Form.HYBRID):
        return bytes(body + _table(places, size, entries, len(body)))
    if packed:
        places |= {number: (2, size, index) for index, number in enumerate(packed)}
        places[size] = (1, len(body), 0)
        body += b"%d 0 obj\n%b\nendobj\n" % (size, _packed(packed))
        size += 1
    return bytes(body + _stream_table(places, size, entries, len(body)))


def _table(places: dict[int, tuple[int, int, int]], size: int, entries: bytes, start: int) -> bytes:
    rows = [b"0000000000 65535 f \n"]
    for number in range(1, size):
        kind, at, generation = places.get(number, (0, 0, 65535))
        rows.append(b"%010d %05d %b \n" % (at, generation, b"n" if kind else b"f"))
    ending = b"trailer\n<</Size %d%b>>\nstartxref\n%d\n%%%%EOF\n" % (size, entries, start)
    return b"xref\n0 %d\n" % size + b"".join(rows) + ending


def _stream_table(places: dict[int, tuple[int, int, int]], size: int, entries: bytes, start: int) -> bytes:
    places = {0: (0, 0, 65535), **places, size: (1, start, 0)}
    rows = [places.get(number, (0, 0, 65535)) for number in range(size + 1)]
    data = b"".join(b"%c%b%b" % (kind, at.to_bytes(4, "big"), index.to_bytes(2, "big")) for kind, at, index in rows)
    written = stream(data, b"/Type/XRef/W [1 4 2]/Size %d%b" % (size + 1, entries))
    return b"%d 0 obj\n%b\nendobj\nstartxref\n%d\n%%%%EOF\n" % (size, written, start)


def _packed(packed: dict[int, bytes]) -> bytes:
    heads, bodies = b"", b""
    for number, definition in packed.items():
        heads += b"%d %d " % (number, len(bodies))
        bodies += definition + b"\n"
    entries = b"/Type/ObjStm/N %d/First %d/Filter/FlateDecode" % (len(packed), len(heads))
    return stream(zlib.compress(heads + bodies), entries)


def _dictionary(usual: bytes, entries: dict[bytes, bytes]) -> bytes:
    return b"<<%b%b>>" % (usual, b"".join(b"/%b %b" % entry for entry in entries.items()))


def changed(old: bytes, new: bytes) -> Finish:
    """Replaces bytes of the written file by as many others."""
    assert len(old) == len(new)
    return lambda file, _: re.sub(re.escape(old), lambda _: new, file)
