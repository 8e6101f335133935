"""Converts submissions to zone values: one for each zone of a signer."""

from base64 import b64decode
from collections.abc import Sequence
from dataclasses import replace

from application.stamping.stamp_job import SignerSubmission, StampJob
from domain.session.submission import FieldValue
from domain.shared.times import rfc3339
from layout.engine import ZoneValue
from layout.handwriting.typed_signature import MAX_POINTS_PER_PIXEL
from layout.text.bidi import isolated
from layout.zone import Zone, ZoneType

_BUTTONS = frozenset({ZoneType.CHECKBOX, ZoneType.RADIO})
"""Zones with a box or button for each option."""


def zone_values_of(job: StampJob, zones: Sequence[Zone]) -> tuple[ZoneValue, ...]:
    """Returns the values of one file. Empty values and zones of recipients who have not signed get none."""
    values = (_zone_value(job, zone, job.signed[zone.recipient]) for zone in zones if zone.recipient in job.signed)
    return tuple(value for value in values if value is not None)


def _zone_value(job: StampJob, zone: Zone, by: SignerSubmission) -> ZoneValue | None:
    if zone.type is ZoneType.SIGNER_NAME:
        return ZoneValue(zone=zone, text=by.name)
    if zone.type is ZoneType.DATE_SIGNED:
        return ZoneValue(zone=zone, text=f"{by.signed_on:%d/%m/%Y}")
    if zone.type is ZoneType.SIGNATURE:
        small_print = f"{isolated(by.name)} · {rfc3339(by.completed_at)} · {job.session_id}"
        signature = by.content.signature
        if signature.png_base64 is None:  # typed before typed names were rendered as images
            return ZoneValue(zone=zone, text=signature.text, small_print=small_print)
        return _image(zone, signature.png_base64, signature.text or "", small_print)
    values = by.content.values
    value = next((v for v in values if v.file_id == job.file_id and v.name == zone.name), None)
    return _value(zone, value) if value is not None else None


def _value(zone: Zone, value: FieldValue) -> ZoneValue | None:
    if value.png_base64 is not None:
        return _image(zone, value.png_base64, value.value if isinstance(value.value, str) else "")
    if zone.type is ZoneType.CHECKBOX and not zone.options:
        return ZoneValue(zone=zone, ticked=True) if value.value == "true" else None
    if zone.type in _BUTTONS:
        return ZoneValue(zone=zone, chosen=value.chosen) if value.chosen else None
    text = ", ".join(value.chosen)
    return ZoneValue(zone=zone, text=text) if text else None


def _image(zone: Zone, png_base64: str, typed: str, small_print: str | None = None) -> ZoneValue:
    """Returns a value with an image: of typed text in a fixed font size, or of a drawing, as large as fits."""
    value = ZoneValue(zone=zone, image=b64decode(png_base64), small_print=small_print)
    return replace(value, max_points_per_pixel=MAX_POINTS_PER_PIXEL, alternative=typed) if typed else value
