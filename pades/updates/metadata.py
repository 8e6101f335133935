"""Changes permitted in the metadata of a sealed PDF: the name of the writing program and the time, nothing else."""

import re
from io import BytesIO
from xml.etree.ElementTree import ParseError, canonicalize

from pyhanko.pdf_utils.metadata.model import ExpandedName, XmpValue
from pyhanko.pdf_utils.metadata.xmp_xml import XmpXmlProcessingError, parse_xmp, serialise_xmp

from pades.updates.grammar import Dictionary, DisallowedChange, Value

_ABOUT = ExpandedName("http://www.w3.org/1999/02/22-rdf-syntax-ns#", "about")
_XMP = "http://ns.adobe.com/xap/1.0/"
_PRODUCER = ExpandedName("http://ns.adobe.com/pdf/1.3/", "Producer")
_TIMES = {ExpandedName(_XMP, "ModifyDate"), ExpandedName(_XMP, "MetadataDate")}
_TOOL = r"pyHanko \d{1,3}(?:\.\d{1,3}){1,3}"
_TOOL_NAMED = re.compile(_TOOL)
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)")
_TOOLKIT = re.compile(rb'x:xmptk="' + _TOOL.encode() + rb'"')
_DATE = re.compile(r"D:\d{14}(?:Z|[+-]\d\d'\d\d'?)")
_UTF_16 = b"\xfe\xff"


def check_information(old: Dictionary, new: Dictionary) -> None:
    """Raises `DisallowedChange` if `new` differs from `old` in more than producer and modification date."""
    saving = {"Producer", "ModDate"}
    kept = {key: value for key, value in old.items() if key not in saving}
    if kept != {key: value for key, value in new.items() if key not in saving}:
        raise DisallowedChange(
            "it changes more of the document information than Producer and ModDate, ISO 32000-2, 14.3.3"
        )
    if new.get("ModDate") != old.get("ModDate"):
        _expect(_DATE, new.get("ModDate"))
    before, after = old.get("Producer"), new.get("Producer")
    if before != after:
        lead = f"{_text(before)}; " if before else ""
        _expect(re.compile(re.escape(lead) + _TOOL), after)


def _expect(pattern: re.Pattern[str], value: Value | None) -> None:
    if not pattern.fullmatch(_text(value)):
        raise DisallowedChange(
            "it changes more of the document information than Producer and ModDate, ISO 32000-2, 14.3.3"
        )


def _text(value: Value | None) -> str:
    if not isinstance(value, bytes):
        raise DisallowedChange(
            "it changes more of the document information than Producer and ModDate, ISO 32000-2, 14.3.3"
        )
    return value.decode("utf-16", "replace") if value.startswith(_UTF_16) else value.decode("latin-1")


def check_packet(old: bytes | None, new: bytes) -> None:
    """Raises `DisallowedChange` if XMP differs in more than producer and dates, or pyHanko has not serialised it."""
    try:
        before = {} if old is None else _properties(old)
        after = _properties(new)
        written = BytesIO()
        serialise_xmp(parse_xmp(BytesIO(new)), written)
        serialised, canonical = _canonical(written.getvalue()), _canonical(new)
    except (XmpXmlProcessingError, ParseError, ValueError, TypeError) as error:
        raise DisallowedChange("the XMP packet cannot be parsed, ISO 32000-2, 14.3.2") from error
    saving = {_PRODUCER, *_TIMES}
    if {k: v for k, v in before.items() if k not in saving} != {k: v for k, v in after.items() if k not in saving}:
        raise DisallowedChange("the XMP packet changes more than producer and dates, ISO 32000-2, 14.3.2")
    if not _is(_TOOL_NAMED, after.get(_PRODUCER)) or not all(_is(_TIME, after[one]) for one in _TIMES & after.keys()):
        raise DisallowedChange("the XMP packet changes more than producer and dates, ISO 32000-2, 14.3.2")
    if serialised != canonical:
        raise DisallowedChange("the XMP packet has content besides its properties, ISO 32000-2, 14.3.2")


def _canonical(packet: bytes) -> str:
    """Returns the packet as Canonical XML without pyHanko's version. Raises `ValueError` for entities and comments."""
    if b"<!" in packet:
        raise ValueError
    return canonicalize(_TOOLKIT.sub(b"", packet, 1).decode(), with_comments=True)


def _properties(packet: bytes) -> dict[ExpandedName, XmpValue]:
    properties = {name: value for root in parse_xmp(BytesIO(packet)) for name, value in root}
    if _ABOUT in properties and properties[_ABOUT].value == "":
        del properties[_ABOUT]  # an empty value means the document itself, as does its absence
    return properties


def _is(pattern: re.Pattern[str], value: XmpValue | None) -> bool:
    return (
        value is not None
        and isinstance(value.value, str)
        and not list(value.qualifiers.iter_quals())
        and bool(pattern.fullmatch(value.value))
    )
