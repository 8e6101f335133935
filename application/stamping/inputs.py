"""The fields of a document, and the values that recipients entered."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple

from domain.session.fields import Field, FieldKind
from domain.session.recipients import Recipient
from domain.session.reported_values import FileValues, RecipientValue, to_typed_value
from domain.session.snapshot import SessionFile, SessionSnapshot
from domain.session.submission import FieldValue, SubmittedContent
from domain.session.value_parsers import DEFAULT_DATE_FORMAT
from domain.shared.object_names import ObjectReference
from layout.zone import ZONES, Zone

_KINDS = frozenset(FieldKind)
"""Types of zones that recipients fill in. The other types belong to signatures."""

_Read = Callable[[ObjectReference], Awaitable[bytes]]
_Kept = dict[tuple[str, str], FieldValue]


class FieldPlacement(NamedTuple):
    """A field, and the zone in which its value is printed."""

    field: Field
    zone: Zone


def field_placements(file: SessionFile, zones: Sequence[Zone]) -> tuple[FieldPlacement, ...]:
    """Returns the fields of a document with these `zones`, in document order."""
    return tuple(FieldPlacement(_field(file, zone), zone) for zone in zones if zone.type.value in _KINDS)


async def read_values(read: _Read, session: SessionSnapshot, people: Sequence[Recipient]) -> tuple[FileValues, ...]:
    """Returns the values of those `people` who have signed, by file. `read` reads an object of the session."""
    signed = {person.key: person for person in people if person.submission is not None}
    written = await asyncio.gather(*(read(person.submission) for person in signed.values() if person.submission))
    contents = map(SubmittedContent.model_validate_json, written)
    kept: _Kept = {(value.file_id, value.name): value for content in contents for value in content.values}
    return tuple(await asyncio.gather(*(_read_file(read, file, signed, kept) for file in session.files)))


async def _read_file(read: _Read, file: SessionFile, signed: dict[str, Recipient], kept: _Kept) -> FileValues:
    zones = ZONES.validate_json(await read(file.zones)) if signed and file.zones else ()
    values = tuple(
        RecipientValue(field, to_typed_value(field, kept[field.file_id, field.name]), who.recipient_id, who.key, at)
        for field, zone in field_placements(file, zones)
        if (who := signed.get(zone.recipient)) and (at := who.completed_at)
    )
    return FileValues(file.file_id, file.file_name, values)


def _field(file: SessionFile, zone: Zone) -> Field:
    return Field(
        file_id=file.file_id,
        name=zone.name,
        kind=FieldKind(zone.type.value),
        label=zone.label,
        required=zone.required,
        options=tuple(option.text for option in zone.options),
        date_format=zone.date_format or DEFAULT_DATE_FORMAT,
    )
