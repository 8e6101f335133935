"""Metadata of PDF files, the XMP packet and the sRGB profile of the output intent, and files attached to a PDF.

Files conform to PDF/UA-1 (ISO 14289-1) and PDF/A-2b (ISO 19005-2); those with attachments to PDF/A-3b (ISO 19005-3,
6.8; ISO 32000-2, 7.11.4 and 14.13).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from hashlib import md5
from html import escape
from struct import pack

from layout.pdf.file_writer import PdfObjects, byte_string, text_string

ENGLISH = "en"
"""The language of documents that declare none: that of the captions in them."""

PRODUCER = "Undersign"

_UA_SCHEMA = """\
<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" \
xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
<pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">
<pdfaSchema:schema>PDF/UA identification</pdfaSchema:schema>
<pdfaSchema:namespaceURI>http://www.aiim.org/pdfua/ns/id/</pdfaSchema:namespaceURI>
<pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix>
<pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType="Resource">
<pdfaProperty:name>part</pdfaProperty:name><pdfaProperty:valueType>Integer</pdfaProperty:valueType>
<pdfaProperty:category>internal</pdfaProperty:category>
<pdfaProperty:description>The part of ISO 14289 that the file follows</pdfaProperty:description>
</rdf:li></rdf:Seq></pdfaSchema:property>
</rdf:li></rdf:Bag></pdfaExtension:schemas></rdf:Description>
"""


def metadata(title: str, language: str = ENGLISH, *, has_attachments: bool = False) -> bytes:
    """Returns the XMP packet with title, language, producer and standards."""
    shown = escape("".join(letter for letter in title if letter.isprintable()))
    return f"""\
<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:format>application/pdf</dc:format>
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{shown}</rdf:li></rdf:Alt></dc:title>
<dc:language><rdf:Bag><rdf:li>{language}</rdf:li></rdf:Bag></dc:language></rdf:Description>
<rdf:Description rdf:about="" xmlns:pdf="http://ns.adobe.com/pdf/1.3/">
<pdf:Producer>{PRODUCER}</pdf:Producer></rdf:Description>
<rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/">
<pdfaid:part>{3 if has_attachments else 2}</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance></rdf:Description>
<rdf:Description rdf:about="" xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/">
<pdfuaid:part>1</pdfuaid:part></rdf:Description>
{_UA_SCHEMA}</rdf:RDF></x:xmpmeta>
<?xpacket end="r"?>""".encode()


@cache
def srgb_profile() -> bytes:
    """Returns the colour space sRGB (IEC 61966-2-1) as an ICC display profile, version 2."""
    stored = (step / 255 for step in range(256))  # one entry for each value of a byte
    light = (value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in stored)
    curve = b"curv" + pack(">4xI", 256) + pack(">256H", *(round(65535 * value) for value in light))
    tags = {
        b"desc": b"desc" + bytes(4) + pack(">I", 5) + b"sRGB\0" + bytes(4 + 4 + 2 + 1 + 67),
        b"cprt": b"text" + bytes(4) + b"No copyright, use freely\0",
        b"wtpt": _point(0.9505, 1.0, 1.0891),
        # the primaries of BT.709, adapted from D65 to the profile space's D50
        b"rXYZ": _point(0.43607, 0.22249, 0.01392),
        b"gXYZ": _point(0.38515, 0.71687, 0.09708),
        b"bXYZ": _point(0.14307, 0.06061, 0.71410),
        b"rTRC": curve,
        b"gTRC": curve,
        b"bTRC": curve,
    }
    start = 128 + 4 + 12 * len(tags)
    body, places = b"", {}
    table = b""
    for name, tag in tags.items():
        if tag not in places:
            places[tag] = start + len(body)
            body += tag + bytes(-len(tag) % 4)
        table += name + pack(">II", places[tag], len(tag))
    size = start + len(body)
    head = pack(">I4xI4s4s4s", size, 0x02100000, b"mntr", b"RGB ", b"XYZ ")
    dates = pack(">6H", 2026, 1, 1, 0, 0, 0)  # fixed, so that the profile is deterministic
    head += dates + b"acsp" + bytes(28) + _fixed(0.9642, 1.0, 0.8249) + bytes(48)
    return head + pack(">I", len(tags)) + table + body


def _point(x: float, y: float, z: float) -> bytes:
    return b"XYZ " + bytes(4) + _fixed(x, y, z)


def _fixed(*values: float) -> bytes:
    return pack(f">{len(values)}i", *(round(65536 * value) for value in values))


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file to attach. `name` is ASCII, `type` its media type, `at` its modification time."""

    name: str
    type: str
    description: str
    contents: bytes
    at: datetime


def add_attachments(objects: PdfObjects, attachments: Sequence[Attachment]) -> str:
    """Adds the files; returns the entries for the document catalog."""
    if not attachments:
        return ""
    in_order = sorted(attachments, key=lambda attachment: attachment.name)
    numbers = [_add(objects, attachment) for attachment in in_order]
    names = " ".join(
        f"{byte_string(attachment.name.encode('ascii'))} {number} 0 R"
        for attachment, number in zip(in_order, numbers, strict=True)
    )
    associated = " ".join(f"{number} 0 R" for number in numbers)
    return f"/Names <</EmbeddedFiles <</Names [{names}]>>>>/AF [{associated}]"


def _add(objects: PdfObjects, attachment: Attachment) -> int:
    """Adds a file specification; returns its object number."""
    contents = attachment.contents
    date = attachment.at.astimezone(UTC).strftime("D:%Y%m%d%H%M%SZ")
    checksum = md5(contents, usedforsecurity=False).hexdigest().upper()  # the only algorithm of the format
    stream = objects.add_stream(
        contents,
        f"/Type/EmbeddedFile/Subtype/{attachment.type.replace('/', '#2F')}"
        f"/Params <</Size {len(contents)}/ModDate ({date})/CheckSum <{checksum}>>>",
    )
    name = text_string(attachment.name)
    return objects.add(
        f"<</Type/Filespec/F {name}/UF {name}/Desc {text_string(attachment.description)}/AFRelationship/Data"
        f"/EF <</F {stream} 0 R/UF {stream} 0 R>>>>"
    )
