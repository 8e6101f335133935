"""Files attached to a PDF. ISO 32000-2, 7.11.4 and 14.13; ISO 19005-3, 6.8."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import md5

from layout.pdf.file_writer import PdfObjects, byte_string, text_string


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
