"""The updates permitted after a seal: timestamps and validation data only. ETSI EN 319 142-1, 5.4 and 5.5.

An update may hold a document timestamp in a new invisible field, a document security store, and the objects that these
need. Everything else is rejected by its syntax, so the result does not depend on how a PDF reader interprets
references, missing values or unknown keys.
"""

import re
from collections.abc import Mapping

from pyhanko.pdf_utils.misc import PdfError

from pades.containers import contents_of, token_riders
from pades.der import first_length
from pades.evidence import Evidence, evidence_riders
from pades.parse_errors import PARSE_ERRORS
from pades.signatures import embedded_signatures, read_store, signers_of, store_keys
from pades.updates.grammar import Dictionary, DisallowedChange, Name, Reference, Stream, Value, read_update
from pades.updates.mentions import check_mentions
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
_EXTENSIONS: dict[str, tuple[int, ...]] = {"ESIC": (1, 2, 5), "ADBE": (3, 5, 8)}
"""The levels of extensions that announce a document security store, by developer. ETSI EN 319 142-1, 5.4.2."""

_KINDS = ("Certs", "CRLs", "OCSPs")
_OF_ONE_SIGNATURE = {"Cert": "Certs", "CRL": "CRLs", "OCSP": "OCSPs"}
_DATE = re.compile(rb"D:\d{14}(?:Z|[+-]\d\d'\d\d'?)?")
_IDENTIFIER_LENGTHS = {16, 32}
_KEYWORDS = re.compile(
    rb"PK[\x01-\x08]|%PDF|%%EOF|xref|obj|stream|trailer|<(?:html|!doctype|\?xml|script|svg)", re.IGNORECASE
)
"""What other programs could take for the begin or the end of another file."""

_NO_EVIDENCE = (
    "its document security store holds more than certificates, CRLs and OCSP responses, ISO 32000-2, 12.8.4.3"
)
_TAKEN_OUT = "it removes items of the document security store, ISO 32000-2, 12.8.4.3"


def check_updates(pdf: bytes, end: int) -> None:
    """Raises `DisallowedChange` unless only timestamps and validation data follow the sealed bytes, up to `end`."""
    if end == len(pdf):
        return
    sealed = end
    try:
        revision = Revision(pdf[:end])
        while end < len(pdf):
            update = read_update(pdf, end)
            _check_update(Delta(revision, update), pdf)
            revision.add(update)
            end = update.end
    except (PdfError, ValueError, LookupError, TypeError, AttributeError, AssertionError, RecursionError) as error:
        raise DisallowedChange("the sealed revision cannot be parsed") from error
    check_mentions(pdf[:sealed], revision.additions.numbers)
    check_references(pdf, revision.referrers)
    _check_evidence(revision)


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
    numbers = [size - 1, *(identifier.number for identifier in (*update.objects, *update.containers))]
    for container in update.containers:
        delta.revision.additions.numbers.add(container.number)
        delta.revision.referrers[container.number] = set()
        if container.generation or container.number < size:
            raise DisallowedChange("it reuses an object number, ISO 32000-2, 7.3.10")
    if (
        (new.get("Root"), new.get("Prev"), new.get("Size")) != (old["Root"], delta.revision.startxref, max(numbers) + 1)
        or (update.xref is None and not delta.revision.has_table)
        or not new.keys() <= (_XREF | _OF_ONE_REVISION | old.keys()) - {"XRefStm"}
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
        stamp = to_dictionary(delta.new(field["V"], number_of(identifier)))
        if field["V"] in delta.update.packed:
            raise DisallowedChange("a signature dictionary is in an object stream, ISO 32000-2, 7.5.7")
        _check_timestamp(delta, stamp, pdf)
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
    if first != 0 or after + length != delta.update.end or contents_of(reserved_region) != contents:
        raise DisallowedChange("the ByteRange of a timestamp does not cover the file, ISO 32000-2, 12.8.1")
    delta.revision.additions.timestamps.append(contents)
    _check_token(contents, is_padded=True)


def _check_token(written: bytes, *, is_padded: bool) -> None:
    if len(written) < 2:
        raise DisallowedChange("the Contents entry of a timestamp is empty, ISO 32000-2, 12.8.5")
    try:
        length = first_length(written)
        if written[length:].strip(b"\0" if is_padded else b""):
            raise DisallowedChange("bytes follow the timestamp token in Contents, ISO 32000-2, 12.8.5")
        riders = list(token_riders(written[:length]))
    except PARSE_ERRORS as error:
        raise DisallowedChange("a timestamp cannot be parsed, RFC 3161, 2.4.2") from error
    if riders:
        raise DisallowedChange(f"a timestamp holds {riders[0]}")


def _check_evidence(revision: Revision) -> None:
    """Checks that the added validation data leads to the signatures in the file, and is nothing else."""
    additions = revision.additions
    signatures = embedded_signatures(revision.reader).readable
    contents = [bytes(one.pkcs7_content) for one in signatures]
    if not additions.named <= store_keys([*contents, *additions.timestamps]):
        raise DisallowedChange(f"{_NO_EVIDENCE}: an entry for a signature that is not in the file")
    before, _ = read_store(revision.reader)
    added = Evidence(*(tuple(additions.data[key]) for key in _KINDS))
    stamps = (one[: first_length(one)] for one in (*additions.timestamps, *additions.tokens))
    riders = evidence_riders(added, before, signers_of(signatures, stamps))
    if riders:
        raise DisallowedChange(f"{_NO_EVIDENCE}: {riders[0]}")


def _check_extensions(old: Value | None, new: Value | None) -> None:
    """Checks the extensions dictionary: a document security store may add its entry. ISO 32000-1, 7.12."""
    if old == new:
        return
    before, after = {} if old is None else to_dictionary(old), to_dictionary(new)
    added = {key: value for key, value in after.items() if key in _EXTENSIONS.keys() - before.keys()}
    kind = {"Type": Name("Extensions")} if old is None and "Type" in after else {}
    expect_same({**before, **kind}, after, ignoring=set(added))
    for developer, extension in added.items():
        entries = to_dictionary(extension)
        level = entries.get("ExtensionLevel")
        kind = {"Type": Name("DeveloperExtensions")} if "Type" in entries else {}
        expect_same({"BaseVersion": Name("1.7"), **kind}, entries, ignoring={"ExtensionLevel"})
        if not isinstance(level, int) or level not in _EXTENSIONS[developer]:
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
    if isinstance(old, list) and old[:1] != new[:1]:
        return False
    kept = old if isinstance(old, list) else []
    return all(
        isinstance(part, bytes) and len(part) in _IDENTIFIER_LENGTHS and not _KEYWORDS.search(part)
        for part in new
        if part not in kept
    )


def _check_store(delta: Delta, old: Value | None, new: Value | None, referrer: int) -> bool:
    """Checks that the DSS is new or only has additions; returns whether the update writes it."""
    if old == new and not _is_touched(delta, new):
        return False
    is_written = old != new or (isinstance(new, Reference) and new in delta.unaccounted)
    before, after, referrer = delta.pair_or_new(old, new, referrer)
    expect_same(before, after, ignoring={*_KINDS, "VRI", "Type"})
    if after.get("Type", Name("DSS")) != Name("DSS"):
        raise DisallowedChange(_NO_EVIDENCE)
    streams = {key: _check_streams(delta, before.get(key), after.get(key), (key, referrer)) for key in _KINDS}
    _check_validations(delta, before.get("VRI"), after.get("VRI"), (streams, referrer))
    if is_written and not any(streams.values()):
        raise DisallowedChange("its document security store is empty, ISO 32000-2, 12.8.4.3")
    return is_written


def _is_touched(delta: Delta, store: Value | None) -> bool:
    """Whether the update writes a store that is named as before, or one of its arrays."""
    named = [store, *store.values()] if isinstance(store, dict) else [store]
    return any(isinstance(one, Reference) and one in delta.unaccounted for one in named)


def _check_streams(delta: Delta, old: Value | None, new: Value | None, place: tuple[str, int]) -> list[Value]:
    """Checks that an array of the store keeps its items; returns the items it has now."""
    before = delta.revision.items(old)
    key, referrer = place
    array: Value | Stream | None = new
    if isinstance(new, Reference):
        if new == old and new not in delta.unaccounted:
            return before
        array, referrer = delta.new_or_added(new, referrer), new.number
    elif new == old:
        return before
    if not isinstance(array, list) or any(one not in array for one in before):
        raise DisallowedChange(_TAKEN_OUT)
    for one in array:
        if one not in before:
            delta.revision.additions.data[key].append(_contents(delta.new(one, referrer)))
    return array


def _contents(stream: Value | Stream) -> bytes:
    if not isinstance(stream, Stream) or not stream.entries.keys() <= {"Length", "Filter"}:
        raise DisallowedChange(_NO_EVIDENCE)
    return stream.data()


def _check_validations(
    delta: Delta, old: Value | None, new: Value | None, place: tuple[Mapping[str, list[Value]], int]
) -> None:
    """Checks the VRI dictionary, which assigns items of the store to signatures."""
    if old == new and not (isinstance(new, Reference) and new in delta.unaccounted):
        return
    streams, referrer = place
    before, after, referrer = delta.pair_or_new(old, new, referrer)
    if not before.keys() <= after.keys():
        raise DisallowedChange(_TAKEN_OUT)
    for key, one in after.items():
        if one == before.get(key):
            continue
        entry = one if isinstance(one, dict) else to_dictionary(delta.new(one, referrer))
        holder = referrer if isinstance(one, dict) else number_of(one)
        delta.revision.additions.named.add(key)
        _check_time(delta, entry, holder)
        for kind, whole in _OF_ONE_SIGNATURE.items():
            listed = entry.get(kind, [])
            if not isinstance(listed, list) or any(stream not in streams[whole] for stream in listed):
                raise DisallowedChange(_NO_EVIDENCE)
            for stream in listed:
                delta.revision.referrers[number_of(stream)].add(holder)


def _check_time(delta: Delta, entry: Dictionary, referrer: int) -> None:
    """Checks the type of an entry of the store, and when it was made: a date or a timestamp. ISO 32000-2, 12.8.4.4."""
    expect_same({}, entry, ignoring={"Type", "TU", "TS", *_OF_ONE_SIGNATURE})
    made = entry.get("TU", b"D:20260101000000")
    if entry.get("Type", Name("VRI")) != Name("VRI") or not isinstance(made, bytes) or not _DATE.fullmatch(made):
        raise DisallowedChange(_NO_EVIDENCE)
    if "TS" in entry:
        token = _contents(delta.new(entry["TS"], referrer))
        _check_token(token, is_padded=False)
        delta.revision.additions.tokens.append(token)
