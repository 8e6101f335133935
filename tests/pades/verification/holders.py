"""Every place in a PDF that can hold a file, and every way to write the file there."""

import re
from collections.abc import Callable
from io import BytesIO

import pikepdf
from pikepdf import Array, Dictionary, Name, Object, Pdf, String

from tests.pades.verification.sealed_files import pages

NAME = "facts.dat"
"""A name that says nothing of what the file is."""

FORMS: dict[str, Callable[[bytes], bytes]] = {
    "as it is": lambda written: written,
    "with a mark of its encoding": lambda written: b"\xef\xbb\xbf" + written,
    "after blanks": lambda written: b" \r\n\t" * 500 + written + b"\n",
    "in UTF-16": lambda written: written.decode().encode("utf-16"),
    "in UTF-16 the other way round": lambda written: written.decode().encode("utf-16-be"),
    "in UTF-32": lambda written: written.decode().encode("utf-32"),
    "with letters as escapes": lambda written: re.sub(
        rb"undersign-certificate", lambda found: b"".join(b"\\u%04X" % letter for letter in found[0]), written
    ),
    "in capitals": lambda written: written.upper(),
    "in a list": lambda written: b"[" + written + b"]",
}


def specification(pdf: Pdf, written: bytes, **others: Object) -> Object:
    stream = pdf.make_stream(written, Type=Name.EmbeddedFile, Subtype=Name("/application/json"))
    return pdf.make_indirect(
        Dictionary(Type=Name.Filespec, F=NAME, UF=NAME, EF=Dictionary(F=stream, UF=stream), **others)
    )


def _catalogue(pdf: Pdf, written: bytes) -> None:
    pdf.Root.AF = Array([*pdf.Root.get(Name.AF, Array()), specification(pdf, written)])


def _indirect_list(pdf: Pdf, written: bytes) -> None:
    pdf.Root.AF = pdf.make_indirect(Array([specification(pdf, written)]))


def _names(pdf: Pdf, written: bytes) -> None:
    pdf.Root.Names = Dictionary(EmbeddedFiles=Dictionary(Names=Array([String(NAME), specification(pdf, written)])))


def _nested_names(pdf: Pdf, written: bytes) -> None:
    leaf = pdf.make_indirect(Dictionary(Limits=Array([NAME, NAME]), Names=Array([NAME, specification(pdf, written)])))
    for _ in range(5):
        leaf = pdf.make_indirect(Dictionary(Limits=Array([NAME, NAME]), Kids=Array([leaf])))
    pdf.Root.Names = pdf.make_indirect(Dictionary(EmbeddedFiles=leaf))


def _portfolio(pdf: Pdf, written: bytes) -> None:
    _names(pdf, written)
    pdf.Root.Collection = Dictionary(Type=Name.Collection, View=Name.T)


def _page(pdf: Pdf, written: bytes) -> None:
    pdf.pages[0].AF = Array([specification(pdf, written)])


def _comment(pdf: Pdf, written: bytes) -> None:
    pdf.pages[0].Annots = Array(
        [
            pdf.make_indirect(
                Dictionary(
                    Type=Name.Annot, Subtype=Name.FileAttachment, Rect=Array([0, 0, 9, 9]),
                    FS=specification(pdf, written),
                )
            )
        ]
    )  # fmt: skip


def _without_type(pdf: Pdf, written: bytes) -> None:
    _catalogue(pdf, written)
    del pdf.Root.AF[-1].EF.F.Type


def _specification_in_place(pdf: Pdf, written: bytes) -> None:
    pdf.Root.AF = Array([Dictionary(EF=pdf.make_indirect(Dictionary(F=pdf.make_stream(written))))])


def _related(pdf: Pdf, written: bytes) -> None:
    stream = pdf.make_stream(written)
    pdf.Root.AF = Array([specification(pdf, b"nothing", RF=Dictionary(F=Array([String(NAME), stream])))])


def _nothing_leads_to_it(pdf: Pdf, written: bytes) -> None:
    pdf.Root.Hidden = specification(pdf, written)


def _other_filters(pdf: Pdf, written: bytes) -> None:
    _catalogue(pdf, b"")
    pdf.Root.AF[-1].EF.F.write(written.hex().encode() + b">", filter=Name.ASCIIHexDecode)


HOLDERS: dict[str, Callable[[Pdf, bytes], None]] = {
    "catalogue": _catalogue,
    "catalogue, by reference": _indirect_list,
    "names": _names,
    "nested names": _nested_names,
    "portfolio": _portfolio,
    "page": _page,
    "comment": _comment,
    "stream without a type": _without_type,
    "specification written in place": _specification_in_place,
    "related files": _related,
    "an object of no meaning": _nothing_leads_to_it,
    "under another filter": _other_filters,
}


def holding(holder: str, written: bytes, within: bytes | None = None) -> bytes:
    """A PDF (or the one given) that holds `written` in that place."""
    output = BytesIO()
    with pikepdf.open(BytesIO(within or pages(1))) as pdf:
        HOLDERS[holder](pdf, written)
        pdf.save(output)
    return output.getvalue()
