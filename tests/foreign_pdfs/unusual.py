"""PDFs that are unlike most, and all right: what programs of thirty years have made of the standard."""

import zlib
from collections.abc import Callable, Mapping
from functools import cache, partial
from io import BytesIO

import pikepdf
from PIL import Image, ImageDraw

from layout.engine import render
from layout.schema.block_document import BlockDocument
from tests.api.service import document
from tests.application.uploads.pdfs import stream
from tests.foreign_pdfs.pdf_builder import (
    DRAWING,
    FONT,
    file,
    hybrid_in_two_parts,
    objects,
    page,
    saved,
    updated,
    written,
)

ObjectStreams = pikepdf.ObjectStreamMode

_FORM = b"/AcroForm << /Fields [6 0 R 7 0 R] /DA (/F1 12 Tf 0 g) /DR << /Font << /F1 5 0 R >> >> %b >>"
_FIELDS = {
    "_6": b"<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /V (Ada) /Rect [100 300 300 330] /F 4 /P 3 0 R "
    b"/DA (/F1 18 Tf 0 g) /MK << /BC [0 0 1] >> /AP << /N 8 0 R >> >>",
    "_7": b"<< /Type /Annot /Subtype /Widget /FT /Btn /T (agreed) /V /On /AS /On /Rect [100 250 130 280] /F 4 "
    b"/P 3 0 R /AP << /N << /On 9 0 R /Off 10 0 R >> >> >>",
    "_8": stream(b"/Tx BMC q BT /F1 18 Tf 4 8 Td (Ada) Tj ET Q EMC",
                 b"/Type /XObject /Subtype /Form /BBox [0 0 200 30] /Resources << /Font << /F1 5 0 R >> >>"),
    "_9": stream(b"3 w 4 4 m 26 26 l 4 26 m 26 4 l S", b"/Type /XObject /Subtype /Form /BBox [0 0 30 30]"),
    "_10": stream(b"0 0 30 30 re S", b"/Type /XObject /Subtype /Form /BBox [0 0 30 30]"),
}  # fmt: skip
_FIELDS_SHOWN = b"/Annots [6 0 R 7 0 R]"


def _without_appearance() -> bytes:
    bare = {**_FIELDS, "_6": _FIELDS["_6"].replace(b"/AP << /N 8 0 R >>", b"")}
    return file(page(entries=_FIELDS_SHOWN), catalog=_FORM % b"", **bare)


def drawn_by_readers() -> bytes:
    """Returns a form whose fields each reader is to draw for itself: they are drawn into the page."""
    return file(page(entries=_FIELDS_SHOWN), catalog=_FORM % b"/NeedAppearances true", **_FIELDS)


def _turned(turn: int) -> bytes:
    return file(page(entries=b"/Rotate %d" % turn))


def _of_version(version: str) -> bytes:
    return written(objects(), version=version.encode())


def _empty_signature_field(name: bytes) -> bytes:
    field = b"<< /Type /Annot /Subtype /Widget /FT /Sig /T (%b) /Rect [100 300 300 330] /F 4 /P 3 0 R >>" % name
    return file(page(entries=b"/Annots [6 0 R]"), catalog=b"/AcroForm << /Fields [6 0 R] >>", _6=field)


def _coded(*filters: bytes, content: bytes) -> bytes:
    names = b" ".join(b"/" + name for name in filters)
    return file(_4=stream(content, b"/Filter [%b]" % names))


def _picture(content: bytes, entries: bytes) -> bytes:
    leaf = page(resources=b"<< /Font << /F1 5 0 R >> /XObject << /Im1 6 0 R >> >>")
    drawing = DRAWING + b" q 300 0 0 200 200 100 cm /Im1 Do Q"
    return file(leaf, drawing=drawing, _6=stream(content, b"/Type /XObject /Subtype /Image %b" % entries))


def _as_file(kind: str) -> bytes:
    picture = Image.new("RGB", (60, 40), "white")
    ImageDraw.Draw(picture).polygon([(5, 35), (20, 5), (55, 30)], fill=(20, 120, 60))
    out = BytesIO()
    picture.save(out, kind)
    return out.getvalue()


def _scan() -> bytes:
    """Returns a picture that Pillow has made a PDF of, as scanners do."""
    out = BytesIO()
    Image.open(BytesIO(_as_file("PNG"))).resize((600, 400)).save(out, "PDF", resolution=90)
    return out.getvalue()


def _many_pages(count: int, across: int) -> bytes:
    """Returns a tree of pages in which every node has `across` kids at most; the first page shows the drawing."""
    parts: dict[int, bytes] = {1: b"<< /Type /Catalog /Pages 2 0 R >>", 4: stream(DRAWING), 5: FONT}
    leaves = list(range(100, 100 + count))
    nodes, number = list(leaves), 100 + count
    parents: dict[int, int] = {}
    counts = dict.fromkeys(leaves, 1)
    kids: dict[int, list[int]] = {}
    while len(nodes) > across:
        above = []
        for at in range(0, len(nodes), across):
            kids[number] = nodes[at : at + across]
            above.append(number)
            number += 1
        nodes = above
    kids[2] = nodes
    for node, below in kids.items():
        parents.update(dict.fromkeys(below, node))
    for node, below in kids.items():
        counts[node] = sum(counts[kid] for kid in below)
        up = b"/Parent %d 0 R" % parents[node] if node in parents else b""
        listed = b" ".join(b"%d 0 R" % kid for kid in below)
        parts[node] = b"<< /Type /Pages /Count %d /Kids [%b] %b >>" % (counts[node], listed, up)
    for leaf in leaves:
        parts[leaf] = page().replace(b"/Parent 2 0 R", b"/Parent %d 0 R" % parents[leaf])
    return written(dict(sorted(parts.items())))


def _inherited() -> bytes:
    """Returns a page that says nothing itself: box, crop, turn and fonts come from two levels above it."""
    parts = objects(b"<< /Type /Page /Parent 6 0 R /Contents 4 0 R >>")
    parts[2] = (
        b"<< /Type /Pages /Kids [6 0 R] /Count 1 /MediaBox [0 0 595 842] /Rotate 90 "
        b"/Resources << /Font << /F1 5 0 R >> >> >>"
    )
    parts[6] = b"<< /Type /Pages /Parent 2 0 R /Kids [3 0 R] /Count 1 /CropBox [40 60 500 800] >>"
    return written(parts)


def _all_in_references() -> bytes:
    """Returns a file whose numbers are indirect objects, and whose lengths follow their streams."""
    leaf = b"<< /Type /Page /Parent 2 0 R /MediaBox 6 0 R /Resources 8 0 R /Contents 9 0 R /Rotate 10 0 R >>"
    parts = objects(leaf)
    parts |= {6: b"[0 0 7 0 R 842]", 7: b"595", 8: b"<< /Font 11 0 R >>", 9: b"[4 0 R]", 10: b"0"}
    parts |= {11: b"<< /F1 5 0 R >>", 12: b"%d" % len(DRAWING)}
    parts[4] = parts[4].replace(b"/Length %d" % len(DRAWING), b"/Length 12 0 R")
    return written(parts)


def _layers() -> bytes:
    """Two layers, one of them switched off."""
    drawing = DRAWING + b" /OC /L1 BDC 0 1 0 rg 300 100 80 80 re f EMC /OC /L2 BDC 1 0 0 rg 400 100 80 80 re f EMC"
    leaf = page(resources=b"<< /Font << /F1 5 0 R >> /Properties << /L1 6 0 R /L2 7 0 R >> >>")
    catalog = b"/OCProperties << /OCGs [6 0 R 7 0 R] /D << /Order [6 0 R 7 0 R] /OFF [7 0 R] >> >>"
    layers = {"_6": b"<< /Type /OCG /Name (On) >>", "_7": b"<< /Type /OCG /Name (Off) >>"}
    return file(leaf, drawing=drawing, catalog=catalog, **layers)


def _painted() -> bytes:
    """Transparency with a soft mask and a blend mode, a gradient, a tiling pattern and a spot colour."""
    drawing = DRAWING + (
        b" q /G1 gs 1 0 0 rg 50 50 200 200 re f Q q 300 60 250 150 re W n /S1 sh Q"
        b" /Pattern cs /P1 scn 300 250 200 100 re f /C1 cs 0.7 scn 60 300 120 90 re f"
    )
    leaf = page(
        resources=b"<< /Font << /F1 5 0 R >> /ExtGState << /G1 6 0 R >> /Shading << /S1 8 0 R >> "
        b"/Pattern << /P1 9 0 R >> /ColorSpace << /C1 [/Separation /Teal /DeviceRGB 10 0 R] >> >>",
        entries=b"/Group << /S /Transparency /CS /DeviceRGB >>",
    )
    group = b"/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Group << /S /Transparency /CS /DeviceGray >>"
    return file(
        leaf,
        drawing=drawing,
        _6=b"<< /Type /ExtGState /BM /Multiply /ca 0.5 /SMask << /S /Luminosity /G 7 0 R >> >>",
        _7=stream(b"0.8 g 50 50 120 200 re f", group),
        _8=b"<< /ShadingType 2 /ColorSpace /DeviceRGB /Coords [300 60 550 60] /Function 10 0 R >>",
        _9=stream(
            b"1 0 0 rg 0 0 5 5 re f",
            b"/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 10 10] /XStep 10 /YStep 10 "
            b"/Resources << >>",
        ),
        _10=b"<< /FunctionType 2 /Domain [0 1] /C0 [1 1 1] /C1 [0 0.5 0.5] /N 1 >>",
    )


def _drawn_font() -> bytes:
    """Letters that are drawings (Type 3)."""
    font = (
        b"<< /Type /Font /Subtype /Type3 /FontBBox [0 0 750 750] /FontMatrix [0.001 0 0 0.001 0 0] /FirstChar 97 "
        b"/LastChar 98 /Widths [1000 1000] /CharProcs << /sq 7 0 R /tri 8 0 R >> /Resources << >> "
        b"/Encoding << /Type /Encoding /Differences [97 /sq /tri] >> >>"
    )
    return file(
        page(resources=b"<< /Font << /F1 5 0 R /F2 6 0 R >> >>"),
        drawing=DRAWING + b" BT /F2 60 Tf 100 150 Td (abba) Tj ET",
        _6=font,
        _7=stream(b"1000 0 0 0 750 750 d1 0 0 750 750 re f"),
        _8=stream(b"1000 0 0 0 750 750 d1 0 0 m 375 750 l 750 0 l f"),
    )


def _annotated() -> bytes:
    """Remarks of every kind, with a list of them that is an object of its own."""
    kinds = (
        b"<< /Type /Annot /Subtype /Highlight /Rect [80 490 300 540] /QuadPoints [80 540 300 540 80 490 300 490] "
        b"/C [1 1 0] /F 4 /AP << /N 12 0 R >> >>",
        b"<< /Type /Annot /Subtype /Link /Rect [80 490 300 540] /Border [0 0 2] "
        b"/A << /S /URI /URI (https://example.com/) >> >>",
        b"<< /Type /Annot /Subtype /Text /Rect [400 400 420 420] /Contents (Look here) /Popup 10 0 R /Name /Note >>",
        b"<< /Type /Annot /Subtype /Popup /Rect [430 350 560 420] /Parent 9 0 R /Open true >>",
        b"<< /Type /Annot /Subtype /Square /Rect [300 300 400 350] /C [1 0 0] /F 2 >>",
    )
    added = {f"_{7 + number}": kind for number, kind in enumerate(kinds)}
    shape = stream(b"1 1 0 rg 0 0 220 50 re f", b"/Type /XObject /Subtype /Form /BBox [0 0 220 50]")
    listed = b"[7 0 R 8 0 R 9 0 R 10 0 R 11 0 R]"
    return file(page(entries=b"/Annots 6 0 R"), _6=listed, _12=shape, **added)


def _around_the_pages() -> bytes:
    """Bookmarks, page labels, destinations, an attached invoice, metadata, a first view, and names spelled out."""
    catalog = (
        b"/Outlines 6 0 R /PageLabels << /Nums [0 << /S /r >>] >> /Dests << /here [3 0 R /Fit] >> /Lang (de-AT) "
        b"/PageMode /UseOutlines /OpenAction [3 0 R /XYZ 0 842 2] /ViewerPreferences << /DisplayDocTitle true >> "
        b"/Names << /EmbeddedFiles << /Names [(a) 8 0 R] >> >> /Metadata 10 0 R /Extensions << /ADBE << "
        b"/BaseVersion /1.7 /ExtensionLevel 8 >> >> /Acme#20Ltd << /With#2fSlash (\\101\\(\\)) >>"
    )
    metadata = (
        b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
        b'<rdf:Description rdf:about=""/></rdf:RDF></x:xmpmeta>'
    )
    return file(
        catalog=catalog,
        _6=b"<< /Type /Outlines /First 7 0 R /Last 7 0 R /Count 1 >>",
        _7=b"<< /Title <FEFF00DC0062> /Parent 6 0 R /Dest [3 0 R /Fit] >>",
        _8=b"<< /Type /Filespec /F (invoice.xml) /UF (invoice.xml) /EF << /F 9 0 R >> >>",
        _9=stream(b"<invoice/>", b"/Type /EmbeddedFile"),
        _10=stream(metadata, b"/Type /Metadata /Subtype /XML"),
    )


def _with_gaps() -> bytes:
    """Object numbers far apart, one object that was deleted and one whose number was used again."""
    parts = objects(page(resources=b"<< /Font << /F1 900 0 R >> >>"))
    parts[900] = parts.pop(5)
    return written(parts)


def _updated_often() -> bytes:
    pdf = file()
    for turn in (90, 180, 270, 0, 90):
        pdf = updated(pdf, {3: page(entries=b"/Rotate %d" % turn)})
    return pdf


def _ours() -> bytes:
    rendered = render(BlockDocument.model_validate(document()), ["ada"])
    assert rendered.pdf
    return rendered.pdf


def _full_of_text() -> bytes:
    """Letters in chinese and arabic, with the fonts that our engine puts into files."""
    blocks = [{"type": "paragraph", "text": text} for text in ("合同条款与条件", "شروط العقد وأحكامه", "संविदा की शर्तें")]
    written_by_us = render(BlockDocument.model_validate({**document(), "blocks": blocks}), [])
    assert written_by_us.pdf
    return saved(written_by_us.pdf, object_stream_mode=ObjectStreams.disable)


UNUSUAL: Mapping[str, Callable[[], bytes]] = {
    **{f"turned by {turn}": partial(_turned, turn) for turn in (90, 180, 270, -90, 450)},
    "cropped": lambda: file(page(entries=b"/CropBox [50 100 450 700]")),
    "cropped beyond its edges": lambda: file(page(entries=b"/CropBox [-100 -100 900 900]")),
    "cropped and turned": lambda: file(page(entries=b"/CropBox [50 100 450 700] /Rotate 270")),
    "with all boxes": lambda: file(
        page(
            entries=b"/CropBox [9 9 580 830] /BleedBox [12 12 570 820] /TrimBox [20 20 560 810] /ArtBox [30 30 500 700]"
        )
    ),
    "on both sides of the origin": lambda: file(page(box=b"[-100 -50 495 792]")),
    "with corners the other way round": lambda: file(page(box=b"[595 842 0 0]")),
    "with fractions of points": lambda: file(page(box=b"[0.5 .25 595.276 841.89]")),
    "inheriting all": _inherited,
    "a stamp": lambda: file(page(box=b"[80 480 110 520]")),
    "a poster": lambda: file(page(box=b"[0 0 14400 14400]")),
    "in units of two inches": lambda: file(page(box=b"[0 0 595 842]", entries=b"/UserUnit 2")),
    "lying": lambda: file(page(box=b"[0 0 842 595]")),
    "a form": lambda: file(page(entries=_FIELDS_SHOWN), catalog=_FORM % b"", **_FIELDS),
    "a form whose fields nobody draws": _without_appearance,
    "a form that is an object": lambda: file(
        page(entries=_FIELDS_SHOWN),
        catalog=b"/AcroForm 11 0 R",
        _11=b"<< /Fields 12 0 R >>",
        _12=b"[6 0 R 7 0 R]",
        **_FIELDS,
    ),
    "a place to sign": lambda: _empty_signature_field(b"Signature1"),
    "a place to sign with the name of our own": lambda: _empty_signature_field(b"Seal"),
    "annotated": _annotated,
    "with things around its pages": _around_the_pages,
    "object streams": lambda: saved(file(), object_stream_mode=ObjectStreams.generate),
    "an old file with all unpacked": lambda: saved(_full_of_text(), object_stream_mode=ObjectStreams.disable, qdf=True),
    "for old and new readers": hybrid_in_two_parts,
    "metadata that is none": lambda: file(
        catalog=b"/Metadata 6 0 R", _6=stream(b"<x/>", b"/Type /Metadata /Subtype /XML")
    ),
    "for the web": lambda: saved(_full_of_text(), linearize=True),
    "for the web, with object streams": lambda: saved(
        _full_of_text(), linearize=True, object_stream_mode=ObjectStreams.generate
    ),
    **{f"version {version}": partial(_of_version, version) for version in ("1.0", "1.1", "1.2", "1.3", "2.0")},
    "a version of its catalogue": lambda: written(objects(catalog=b"/Version /2.0"), version=b"1.4"),
    "2,000 pages in one list": lambda: _many_pages(2_000, 2_000),
    "500 pages in a deep tree": lambda: _many_pages(500, 2),
    "updated often": _updated_often,
    "with gaps": _with_gaps,
    "lines that end as on old Macs": lambda: written(objects(), line=b"\r", row=b" \r", ending=b"\r"),
    "lines that end as on Windows": lambda: written(objects(), line=b"\r\n", row=b"\r\n", ending=b"\r\n"),
    "no line end at the end": lambda: written(objects(), ending=b""),
    "comments and letters of all kinds before the first object": lambda: written(
        objects(), before=b"%\xe2\xe3\xcf\xd3\n\n  %x\n"
    ),
    "an identifier and a title": lambda: written(
        {**objects(), 6: b"<< /Title (Terms) /CreationDate (D:20010101) >>"},
        trailer=b"/Info 6 0 R /ID [<00112233445566778899AABBCCDDEEFF> <00>]",
    ),
    "all in references": _all_in_references,
    "layers": _layers,
    "paint of every kind": _painted,
    "a font of drawings": _drawn_font,
    "contents in pieces": lambda: file(page(contents=b"[4 0 R 6 0 R]"), drawing=DRAWING[:60], _6=stream(DRAWING[60:])),
    "nothing on its page": lambda: file(b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>"),
    "in ASCII": lambda: _coded(b"ASCIIHexDecode", content=DRAWING.hex().encode() + b">"),
    "in runs": lambda: _coded(
        b"RunLengthDecode", content=b"".join(b"\0" + DRAWING[at : at + 1] for at in range(len(DRAWING))) + b"\x80"
    ),
    "deflated twice": lambda: _coded(b"FlateDecode", b"FlateDecode", content=zlib.compress(zlib.compress(DRAWING))),
    "a photograph": lambda: _picture(
        _as_file("JPEG"), b"/Width 60 /Height 40 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode"
    ),
    "a photograph of another kind": lambda: _picture(_as_file("JPEG2000"), b"/Width 60 /Height 40 /Filter /JPXDecode"),
    "a picture of few colours": lambda: _picture(
        bytes(range(4)) * 2,
        b"/Width 4 /Height 2 /BitsPerComponent 8 /ColorSpace [/Indexed /DeviceRGB 3 <FF000000FF000000FFFFFFFF>]",
    ),
    "a picture of two colours": lambda: _picture(
        b"\xaa\x55" * 4, b"/Width 8 /Height 8 /BitsPerComponent 1 /ColorSpace /DeviceGray /Interpolate false"
    ),
    "a picture in its contents": lambda: file(
        drawing=DRAWING + b" q 100 0 0 100 300 100 cm BI /W 2 /H 2 /CS /G /BPC 8 ID \x00\x80\xff\x40 EI Q"
    ),
    "a scan": _scan,
    "ours": _ours,
    "letters of the world": _full_of_text,
}


MADE_PLAIN = frozenset({
    "annotated", "a form whose fields nobody draws", "a place to sign", "a place to sign with the name of our own",
    "in units of two inches",
})  # fmt: skip
"""Those that readers show differently: after the upload all show the same."""


@cache
def unusual_pdf(name: str) -> bytes:
    return UNUSUAL[name]()
