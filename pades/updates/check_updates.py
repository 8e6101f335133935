"""The updates permitted after a seal: timestamps and validation data only. ETSI EN 319 142-1, 5.4 and 5.5.

An update may hold a document timestamp in a new invisible field, a document security store, and the objects that these
need. Everything else is rejected by its syntax, so the result does not depend on how a PDF reader interprets
references, missing values or unknown keys.
"""

import re
from collections.abc import Mapping

from asn1crypto import crl, ocsp, x509
from pyhanko.pdf_utils.misc import PdfError

from pades.updates.grammar import Dictionary, DisallowedChange, Name, Reference, Stream, Value, read_update
from pades.updates.metadata import check_information, check_packet
from pades.updates.revisions import TRAILER, Delta, Revision, check_references, expect_same, number_of, to_dictionary

_XREF = {"Type", "W", "Index", "Length", "Filter", "DecodeParms", "XRefStm"}
_OF_ONE_REVISION = {"Size", "Prev", "ID", "Root", "Info"}

_FIELD: Dictionary = {
    "FT": Name("Sig"), "Type": Name("Annot"), "Subtype": Name("Widget"), "F": 132, "Rect": [0, 0, 0, 0],
}  # fmt: skip
"""The entries of an invisible field: no size, with the flags Print and Locked. ISO 32000-1: 12.7.4.5, 12.5.3."""

_FIELD_NAME = re.compile(rb"Timestamp[0-9a-f-]{0,40}")
_TIMESTAMP: Dictionary = {
    "Type": Name("DocTimeStamp"), "Filter": Name("Adobe.PPKLite"), "SubFilter": Name("ETSI.RFC3161"),
}  # fmt: skip
_DEVELOPERS = {"ESIC", "ADBE"}
_EXTENSION = {"Type", "BaseVersion", "ExtensionLevel"}

_KINDS = {"Certs": x509.Certificate, "CRLs": crl.CertificateList, "OCSPs": ocsp.OCSPResponse}
_OF_ONE_SIGNATURE = {"Cert": "Certs", "CRL": "CRLs", "OCSP": "OCSPs"}
_SIGNATURE_HASH = re.compile(r"[0-9A-F]{40}")
_NO_EVIDENCE = (
    "its document security store holds more than certificates, CRLs and OCSP responses, ISO 32000-2, 12.8.4.3"
)
_TAKEN_OUT = "it removes items of the document security store, ISO 32000-2, 12.8.4.3"


def check_updates(pdf: bytes, end: int) -> None:
    """Raises `DisallowedChange` unless only timestamps and validation data follow the sealed bytes, up to `end`."""
    if end == len(pdf):
        return
    try:
        revision = Revision(pdf[:end])
        while end < len(pdf):
            update = read_update(pdf, end)
            _check_update(Delta(revision, update), pdf)
            revision.add(update)
            end = update.end
    except (PdfError, ValueError, LookupError, TypeError, AttributeError, AssertionError, RecursionError) as error:
        raise DisallowedChange("the sealed revision cannot be parsed") from error
    check_references(pdf, revision.referrers)


def _check_update(delta: Delta, pdf: bytes) -> None:
    _check_trailer(delta)
    root = delta.revision.trailer["Root"]
    old, new, referrer = delta.pair(root, root, None)
    expect_same(old, new, ignoring={"AcroForm", "DSS", "Extensions", "Metadata"})
    is_stamped = _check_form(delta, old.get("AcroForm"), new.get("AcroForm"), (referrer, pdf))
    has_evidence = _check_store(delta, old.get("DSS"), new.get("DSS"), referrer)
    _check_extensions(old.get("Extensions"), new.get("Extensions"))
    _check_metadata(delta, old.get("Metadata"), new.get("Metadata"), referrer)
    if delta.unaccounted or not (is_stamped or has_evidence):
        raise DisallowedChange("it has objects that no timestamp or DSS refers to, or neither a timestamp nor a DSS")


def _check_trailer(delta: Delta) -> None:
    old, new, update = delta.revision.trailer, delta.update.trailer, delta.update
    size = delta.revision.size
    expect_same(old, new, ignoring=_XREF | _OF_ONE_REVISION)
    numbers = [size - 1, *(identifier.number for identifier in update.objects)]
    if update.xref is not None:
        numbers.append(update.xref.number)
        delta.revision.referrers[update.xref.number] = set()
        if update.xref.generation or update.xref.number < size:
            raise DisallowedChange("it reuses an object number, ISO 32000-2, 7.3.10")
    if (
        (new.get("Root"), new.get("Prev"), new.get("Size")) != (old["Root"], delta.revision.startxref, max(numbers) + 1)
        or (update.xref is None) is not delta.revision.has_table
        or not new.keys() <= _XREF - {"DecodeParms", "XRefStm"} | _OF_ONE_REVISION | old.keys()
        or not _is_identifier(old.get("ID"), new.get("ID"))
    ):
        raise DisallowedChange("its trailer has another catalogue, xref offset, size or identifier, ISO 32000-2, 7.5.5")
    if old.get("Info") != new.get("Info") or new.get("Info") in update.objects:
        before, after, _ = delta.pair_or_new(old.get("Info"), new.get("Info"), TRAILER)
        check_information(before, after)


def _check_form(delta: Delta, old: Value | None, new: Value | None, place: tuple[int, bytes]) -> bool:
    """Checks that the form is unchanged or has one new field with a document timestamp; returns whether it has."""
    if old is None and new is None:
        return False
    referrer, pdf = place
    before, after, referrer = delta.pair(old, new, referrer)
    expect_same(before, after, ignoring={"Fields"})
    fields = delta.appended(before.get("Fields"), after.get("Fields"), referrer)
    if len(fields) > 1:
        raise DisallowedChange("it adds more than one field to the form, ISO 32000-2, 12.7.3")
    for identifier in fields:
        field = to_dictionary(delta.new(identifier, None))  # its referrers are known
        _check_field(delta, field, identifier)
        _check_timestamp(delta, to_dictionary(delta.new(field["V"], number_of(identifier))), pdf)
    return bool(fields)


def _check_field(delta: Delta, field: Dictionary, identifier: Value) -> None:
    expect_same(_FIELD, field, ignoring={"T", "TU", "P", "V"})
    for name in (field.get("T"), field.get("TU", b"Timestamp")):
        if not isinstance(name, bytes) or not _FIELD_NAME.fullmatch(name):
            raise DisallowedChange("it adds a form field that is not a document timestamp, ISO 32000-2, 12.8.5")
    page, _, number = pages = delta.pair(field["P"], field["P"], None)
    expect_same(page, pages.new, ignoring={"Annots"})
    shown = delta.appended(page.get("Annots"), pages.new.get("Annots"), number)
    if page.get("Type") != Name("Page") or shown != [identifier]:
        raise DisallowedChange("it changes a page object, ISO 32000-2, 7.7.3.3")


def _check_timestamp(delta: Delta, stamp: Dictionary, pdf: bytes) -> None:
    expect_same(_TIMESTAMP, stamp, ignoring={"Contents", "ByteRange"})
    contents, covered = stamp.get("Contents"), stamp.get("ByteRange")
    if not isinstance(contents, bytes) or not isinstance(covered, list) or len(covered) != 4:
        raise DisallowedChange("it adds a signature dictionary that is not a document timestamp, ISO 32000-2, 12.8.5")
    first, start, after, length = (one if isinstance(one, int) else -1 for one in covered)
    reserved_region = pdf[max(start, delta.update.start) : max(after, 0)]
    if first != 0 or after + length != delta.update.end or reserved_region.lower() != b"<%b>" % contents.hex().encode():
        raise DisallowedChange("the ByteRange of a timestamp does not cover the file, ISO 32000-2, 12.8.1")
    if contents[_length_of(contents) :].strip(b"\0"):
        raise DisallowedChange("bytes follow the timestamp token in Contents, ISO 32000-2, 12.8.5")


def _length_of(der: bytes) -> int:
    """Returns the encoded length of the first value in `der`, its header included. ITU-T X.690, 8.1.3."""
    if len(der) < 2:
        raise DisallowedChange("the Contents entry of a timestamp is empty, ISO 32000-2, 12.8.5")
    more = der[1] & 0x7F if der[1] & 0x80 else 0
    return 2 + more + (int.from_bytes(der[2 : 2 + more], "big") if more else der[1])


def _check_extensions(old: Value | None, new: Value | None) -> None:
    """Checks the extensions dictionary: a document security store may add its entry. ISO 32000-1, 7.12."""
    if old == new:
        return
    before, after = {} if old is None else to_dictionary(old), to_dictionary(new)
    added = {key: value for key, value in after.items() if key in _DEVELOPERS - before.keys()}
    expect_same(before, after, ignoring=set(added))
    for extension in added.values():
        entries = to_dictionary(extension)
        expect_same({}, entries, ignoring=_EXTENSION)
        if not all(isinstance(value, int | Name) for value in entries.values()):
            raise DisallowedChange("it changes dictionary entries of the sealed revision")


def _check_metadata(delta: Delta, old: Value | None, new: Value | None, referrer: int) -> None:
    if old == new and new not in delta.update.objects:
        return
    if not isinstance(new, Reference) or old not in (None, new):
        raise DisallowedChange("it replaces the metadata stream, ISO 32000-2, 14.3.2")
    if old is None:
        stream, before = delta.new(new, referrer), None
    else:
        stream, before = delta.unaccounted.pop(new), delta.revision.packet(new)
        delta.revision.referrers[new.number].add(referrer)
    if not isinstance(stream, Stream):
        raise DisallowedChange("it replaces the metadata stream, ISO 32000-2, 14.3.2")
    expect_same({"Type": Name("Metadata"), "Subtype": Name("XML")}, stream.entries, ignoring={"Length", "Filter"})
    check_packet(before, stream.data())


def _is_identifier(old: Value | None, new: Value | None) -> bool:
    """Whether `new` is a file identifier with the permanent part of `old`. ISO 32000-1, 14.4."""
    if not isinstance(new, list) or len(new) != 2:
        return False
    if not all(isinstance(part, bytes) and len(part) <= 64 for part in new):
        return False
    return not isinstance(old, list) or old[:1] == new[:1]


def _check_store(delta: Delta, old: Value | None, new: Value | None, referrer: int) -> bool:
    """Checks that the DSS is new or only has additions; returns whether the update writes it."""
    if new is None and old is None:
        return False
    is_written = old != new or (isinstance(new, Reference) and new in delta.unaccounted)
    before, after, referrer = delta.pair_or_new(old, new, referrer)
    expect_same(before, after, ignoring={*_KINDS, "VRI", "Type"})
    if after.get("Type", Name("DSS")) != Name("DSS"):
        raise DisallowedChange(_NO_EVIDENCE)
    streams = {key: _check_streams(delta, before.get(key), after.get(key), (key, referrer)) for key in _KINDS}
    _check_validations(delta, before.get("VRI"), after.get("VRI"), (streams, referrer))
    return is_written


def _check_streams(delta: Delta, old: Value | None, new: Value | None, place: tuple[str, int]) -> list[Value]:
    """Checks that an array of the store keeps its items; returns the items it has now."""
    before = delta.revision.items(old)
    if new == old:
        return before
    key, referrer = place
    if not isinstance(new, list) or any(one not in new for one in before):
        raise DisallowedChange(_TAKEN_OUT)
    for one in new:
        if one not in before:
            _check_stream(delta.new(one, referrer), key)
    return new


def _check_stream(stream: Value | Stream, key: str) -> None:
    if not isinstance(stream, Stream) or not stream.entries.keys() <= {"Length", "Filter"}:
        raise DisallowedChange(_NO_EVIDENCE)
    try:
        _ = _KINDS[key].load(stream.data(), strict=True)[0]  # forces parsing
    except (ValueError, TypeError, KeyError) as error:
        raise DisallowedChange(_NO_EVIDENCE) from error


def _check_validations(
    delta: Delta, old: Value | None, new: Value | None, place: tuple[Mapping[str, list[Value]], int]
) -> None:
    """Checks the VRI dictionary, which assigns items of the store to signatures."""
    if old == new:
        return
    streams, referrer = place
    before = {} if old is None else to_dictionary(delta.revision.value(old) if isinstance(old, Reference) else old)
    after = to_dictionary(new)
    if not before.keys() <= after.keys():
        raise DisallowedChange(_TAKEN_OUT)
    for key, one in after.items():
        if one == before.get(key):
            continue
        entry = to_dictionary(delta.new(one, referrer))
        expect_same({}, entry, ignoring={"Type", *_OF_ONE_SIGNATURE})
        if not _SIGNATURE_HASH.fullmatch(key) or entry.get("Type", Name("VRI")) != Name("VRI"):
            raise DisallowedChange(_NO_EVIDENCE)
        for kind, whole in _OF_ONE_SIGNATURE.items():
            listed = entry.get(kind, [])
            if not isinstance(listed, list) or any(stream not in streams[whole] for stream in listed):
                raise DisallowedChange(_NO_EVIDENCE)
            for stream in listed:
                delta.revision.referrers[number_of(stream)].add(number_of(one))
