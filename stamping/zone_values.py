"""From what was submitted to what is drawn: one mark for each zone of each signatory."""

from base64 import b64decode
from collections.abc import Sequence
from dataclasses import replace

from domain.session.fields import FieldValue
from domain.shared.times import rfc3339
from layout.engine import ZoneValue
from layout.handwriting.typed_signature import MAX_POINTS_PER_PIXEL
from layout.text.unicode_rules import isolated
from layout.zones.zone import Zone, ZoneType
from stamping.stamp_pdf import SignerSubmission, StampJob

_BUTTONS = frozenset({ZoneType.CHECKBOX, ZoneType.RADIO})
"""Zones whose options each have a box or a round button of their own."""


def marks_of(order: StampJob, zones: Sequence[Zone]) -> tuple[ZoneValue, ...]:
    """The marks of one file. A zone of somebody who did not sign stays empty, as does an empty value."""
    marks = (_mark(order, zone, order.signed[zone.recipient]) for zone in zones if zone.recipient in order.signed)
    return tuple(mark for mark in marks if mark is not None)


def _mark(order: StampJob, zone: Zone, by: SignerSubmission) -> ZoneValue | None:
    if zone.type is ZoneType.SIGNER_NAME:
        return ZoneValue(zone=zone, text=by.name)
    if zone.type is ZoneType.DATE_SIGNED:
        return ZoneValue(zone=zone, text=f"{by.signed_on:%d/%m/%Y}")
    if zone.type is ZoneType.SIGNATURE:
        return _signature(order, zone, by)
    values = by.content.values
    value = next((v for v in values if v.file_id == order.file_id and v.name == zone.name), None)
    return _value(zone, value) if value is not None else None


def _value(zone: Zone, value: FieldValue) -> ZoneValue | None:
    if value.png_base64 is not None:
        return _written(zone, value.png_base64, value.value if isinstance(value.value, str) else "")
    if zone.type is ZoneType.CHECKBOX and not zone.options:
        return ZoneValue(zone=zone, ticked=True) if value.value == "true" else None
    if zone.type in _BUTTONS:
        return ZoneValue(zone=zone, chosen=value.chosen) if value.chosen else None
    text = ", ".join(value.chosen)
    return ZoneValue(zone=zone, text=text) if text else None


def _signature(order: StampJob, zone: Zone, by: SignerSubmission) -> ZoneValue:
    small_print = f"{isolated(by.name)} · {rfc3339(by.completed_at)} · {order.session_id}"
    signature = by.content.signature
    if signature.png_base64 is None:  # typed before pictures were made of what is typed
        return ZoneValue(zone=zone, text=signature.text, small_print=small_print)
    return _written(zone, signature.png_base64, signature.text or "", small_print)


def _written(zone: Zone, png_base64: str, typed: str, small_print: str | None = None) -> ZoneValue:
    """A picture of what was typed, in letters of one size, or of what was drawn, as large as fits."""
    mark = ZoneValue(zone=zone, image=b64decode(png_base64), small_print=small_print)
    return replace(mark, max_points_per_pixel=MAX_POINTS_PER_PIXEL, alternative=typed) if typed else mark
