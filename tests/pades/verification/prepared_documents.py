"""Sealed PDFs to which attacks are added: a plain one, and one that was prepared to be attacked; both also raised."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from io import BytesIO

import pikepdf
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID
from pikepdf import Array, Dictionary, Name
from pyhanko.pdf_utils import generic
from pyhanko.pdf_utils.reader import PdfFileReader

from tests.fakes.seals import KEYS
from tests.pades.verification.incremental_updates import Written, with_update
from tests.pades.verification.sealed_files import (
    CLOCK,
    NOW,
    YEAR,
    pages,
    sealed,
    with_document_timestamp,
    with_revocations,
)

DANGLING = 90
"""An object that is not there yet: the page of a prepared document names it among its contents."""


@dataclass(frozen=True)
class Base:
    """A sealed PDF. `end` is where its seal ends, `objects` are those of now, by number; streams with their data."""

    pdf: bytes = field(repr=False)
    end: int
    objects: Mapping[int, bytes] = field(repr=False)
    numbers: Mapping[str, int]

    @property
    def size(self) -> int:
        return self.numbers["size"]


@cache
def certificate() -> bytes:
    return KEYS.authority.certificate.public_bytes(Encoding.DER)


@cache
def drawing_certificate() -> bytes:
    """A certificate of anybody, with an extension that draws where a reader takes it for the content of a page."""
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Anybody")])
    key = ec.generate_private_key(ec.SECP256R1())
    drawn = x509.UnrecognizedExtension(x509.ObjectIdentifier("1.2.3.4"), b"\n1 0 0 rg 60 400 200 60 re f\n")
    usual = x509.CertificateBuilder(name, name, key.public_key(), 1, NOW, NOW + YEAR)
    made = usual.add_extension(drawn, critical=False).sign(key, hashes.SHA256())
    return made.public_bytes(Encoding.DER)


@cache
def base(*, is_prepared: bool, is_raised: bool) -> Base:
    """One of four."""
    file = sealed(_prepared(pages(1)) if is_prepared else pages(1))
    end = len(file)
    if is_raised:
        file = with_document_timestamp(with_revocations(file, KEYS.authority), CLOCK.stamper(NOW))
    with pikepdf.open(BytesIO(file)) as opened:
        reader = PdfFileReader(BytesIO(file), strict=False)
        objects = {one.objgen[0]: _written(reader, one) for one in opened.objects}
        page, root = opened.pages[0], opened.Root
        numbers = {
            "size": int(opened.trailer.Size), "root": root.objgen[0], "page": page.objgen[0],
            "form": root.AcroForm.objgen[0], "seal": root.Perms.DocMDP.objgen[0],
            "info": opened.trailer.Info.objgen[0], "metadata": root.Metadata.objgen[0],
            "seal field": next(one.objgen[0] for one in root.AcroForm.Fields if one.T == "Seal"),
        }  # fmt: skip
        if is_raised:
            numbers["store"] = root.DSS.objgen[0]
            numbers["timestamp field"] = root.AcroForm.Fields[-1].objgen[0]
    return Base(file, end, objects, numbers)


def _written(reader: PdfFileReader, one: pikepdf.Object) -> bytes:
    if not isinstance(one, pikepdf.Stream):
        output = BytesIO()  # by a library that keeps references to what is not there
        reader.get_object(generic.Reference(*one.objgen, reader)).write_to_stream(output)
        return output.getvalue()
    raw = one.read_raw_bytes()
    entries = Dictionary(dict(one.stream_dict.items()))
    entries.Length = len(raw)
    return entries.unparse() + b"\nstream\n" + raw + b"\nendstream"


def _prepared(pdf: bytes) -> bytes:
    """A file that shows something else as soon as it may."""
    output = BytesIO()
    with pikepdf.open(BytesIO(pdf)) as opened:
        page = opened.pages[0]
        font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica)
        shown = opened.make_stream(
            b"BT /F1 9 Tf (0 EUR) Tj ET", Type=Name.XObject, Subtype=Name.Form, BBox=[0, 0, 200, 20],
            Resources=Dictionary(Font=Dictionary(F1=font)),
        )  # fmt: skip
        hidden = opened.make_stream(
            b"1 0 0 rg 0 0 200 20 re f", Type=Name.XObject, Subtype=Name.Form, BBox=[0, 0, 200, 20]
        )
        box = Array([60, 400, 260, 420])
        amount = opened.make_indirect(
            Dictionary(
                Type=Name.Annot, Subtype=Name.Widget, FT=Name.Tx, T="amount", V="9000000 EUR", Rect=box,
                AP=Dictionary(N=shown), DA="/Helv 12 Tf", P=page.obj,
            )
        )  # fmt: skip
        layer = opened.make_indirect(Dictionary(Type=Name.OCG, Name="Layer"))
        page.Annots = opened.make_indirect(Array([amount]))
        opened.Root.Lists = opened.make_indirect(Array([hidden, layer]))
        opened.Root.OCProperties = Dictionary(OCGs=Array([layer]), D=Dictionary(OFF=Array([layer])))
        fonts = Dictionary(Helv=Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica))
        opened.Root.AcroForm = opened.make_indirect(
            Dictionary(Fields=opened.make_indirect(Array([amount])), DR=Dictionary(Font=fonts), DA="/Helv 12 Tf")
        )
        opened.save(output, object_stream_mode=pikepdf.ObjectStreamMode.disable)
    return _with_dangling_contents(output.getvalue())


def _with_dangling_contents(pdf: bytes) -> bytes:
    with pikepdf.open(BytesIO(pdf)) as opened:
        page = opened.pages[0].obj
        number, contents = page.objgen[0], page.Contents.objgen[0]
        written = page.unparse(resolved=True)
    named = b"/Contents %d 0 R" % contents
    assert named in written
    return with_update(
        pdf, Written({number: written.replace(named, b"/Contents [%d 0 R %d 0 R]" % (contents, DANGLING))})
    )
