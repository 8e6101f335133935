"""Converts submissions to marks: one for each zone of a signer."""

from base64 import b64decode
from collections.abc import Sequence
from dataclasses import replace

from domain.session.fields import FieldValue
from domain.shared.times import rfc3339
from layout.engine import Mark
from layout.hand.typed_signature import POINTS_A_PIXEL
from layout.text.unicode_rules import isolated
from layout.zones.zones import Zone, ZoneType
from stamping.stamp_pdf import SignerSubmission, StampJob

_BUTTONS = frozenset({ZoneType.CHECKBOX, ZoneType.RADIO})
"""Zones with a box or button for each option."""


def marks_of(job: StampJob, zones: Sequence[Zone]) -> tuple[Mark, ...]:
    """Returns the marks of one file. Empty values and zones of recipients who have not signed get none."""
    marks = (_mark(job, zone, job.signed[zone.recipient]) for zone in zones if zone.recipient in job.signed)
    return tuple(mark for mark in marks if mark is not None)


def _mark(job: StampJob, zone: Zone, by: SignerSubmission) -> Mark | None:
    if zone.type is ZoneType.SIGNER_NAME:
        return Mark(zone=zone, text=by.name)
    if zone.type is ZoneType.DATE_SIGNED:
        return Mark(zone=zone, text=f"{by.signed_on:%d/%m/%Y}")
    if zone.type is ZoneType.SIGNATURE:
        return _signature(job, zone, by)
    values = by.content.values
    value = next((v for v in values if v.file_id == job.file_id and v.name == zone.name), None)
    return _value(zone, value) if value is not None else None


def _value(zone: Zone, value: FieldValue) -> Mark | None:
    if value.png_base64 is not None:
        return _written(zone, value.png_base64, value.value if isinstance(value.value, str) else "")
    if zone.type is ZoneType.CHECKBOX and not zone.options:
        return Mark(zone=zone, ticked=True) if value.value == "true" else None
    if zone.type in _BUTTONS:
        return Mark(zone=zone, chosen=value.chosen) if value.chosen else None
    text = ", ".join(value.chosen)
    return Mark(zone=zone, text=text) if text else None


def _signature(job: StampJob, zone: Zone, by: SignerSubmission) -> Mark:
    small_print = f"{isolated(by.name)} · {rfc3339(by.completed_at)} · {job.session_id}"
    signature = by.content.signature
    if signature.png_base64 is None:  # typed before pictures were made of what is typed
        return Mark(zone=zone, text=signature.text, small_print=small_print)
    return _written(zone, signature.png_base64, signature.text or "", small_print)


def _written(zone: Zone, png_base64: str, typed: str, small_print: str | None = None) -> Mark:
    """Returns a mark with an image: of typed text in a fixed font size, or of a drawing, as large as fits."""
    mark = Mark(zone=zone, picture=b64decode(png_base64), small_print=small_print)
    return replace(mark, points_a_pixel=POINTS_A_PIXEL, spoken=typed) if typed else mark
