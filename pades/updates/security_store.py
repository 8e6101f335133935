"""Document security stores: what a PDF holds for checking its signatures. ISO 32000-2, 12.8.4.3."""

import re
from collections.abc import Mapping

from asn1crypto import crl, ocsp, x509

from pades.updates.grammar import Stream
from pades.updates.revisions import Delta, expect_same, number_of, to_dictionary
from pades.updates.syntax import DisallowedChange, Name, Reference, Value

_KINDS = {"Certs": x509.Certificate, "CRLs": crl.CertificateList, "OCSPs": ocsp.OCSPResponse}
_OF_ONE_SIGNATURE = {"Cert": "Certs", "CRL": "CRLs", "OCSP": "OCSPs"}
_SIGNATURE_HASH = re.compile(r"[0-9A-F]{40}")

_NO_EVIDENCE = "its store holds something that is no certificate, nor about revocations"
_TAKEN_OUT = "it takes something out of the store of certificates"


def check_store(delta: Delta, old: Value | None, new: Value | None, referrer: int) -> bool:
    """The store may be new, or hold more than before. Whether the update writes it.

    Raises:
        ForeignAddition: it was changed otherwise.
    """
    if new is None and old is None:
        return False
    is_written = old != new or (isinstance(new, Reference) and new in delta.unaccounted)
    before, after, referrer = delta.pair_or_new(old, new, referrer)
    expect_same(before, after, ignoring={*_KINDS, "VRI", "Type"})
    if after.get("Type", Name("DSS")) != Name("DSS"):
        raise DisallowedChange(_NO_EVIDENCE)
    held = {key: _check_streams(delta, before.get(key), after.get(key), (key, referrer)) for key in _KINDS}
    _check_validations(delta, before.get("VRI"), after.get("VRI"), (held, referrer))
    return is_written


def _check_streams(delta: Delta, old: Value | None, new: Value | None, place: tuple[str, int]) -> list[Value]:
    """An array of the store, which keeps what it had. What it has now."""
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
        _ = _KINDS[key].load(stream.data(), strict=True)[0]  # reads what it is made of
    except (ValueError, TypeError, KeyError) as error:
        raise DisallowedChange(_NO_EVIDENCE) from error


def _check_validations(
    delta: Delta, old: Value | None, new: Value | None, place: tuple[Mapping[str, list[Value]], int]
) -> None:
    """What of the store belongs to which signature."""
    if old == new:
        return
    held, referrer = place
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
            if not isinstance(listed, list) or any(stream not in held[whole] for stream in listed):
                raise DisallowedChange(_NO_EVIDENCE)
            for stream in listed:
                delta.revision.referrers[number_of(stream)].add(number_of(one))
