"""Identifiers. Each is a UUID in lower-case text form, with a type of its own."""

from typing import NamedTuple, NewType
from uuid import UUID

OrganisationId = NewType("OrganisationId", str)
ClientId = NewType("ClientId", str)
ApplicationId = NewType("ApplicationId", str)
UserId = NewType("UserId", str)
SessionId = NewType("SessionId", str)
FileId = NewType("FileId", str)
RecipientId = NewType("RecipientId", str)
TemplateId = NewType("TemplateId", str)
BatchId = NewType("BatchId", str)
EventId = NewType("EventId", str)


class RecipientRef(NamedTuple):
    """A recipient of a session of an organisation."""

    organisation_id: OrganisationId
    session_id: SessionId
    recipient_id: RecipientId


_SHOWN = 80  # characters of a value in a message


def is_identifier(text: str) -> bool:
    """Returns whether `text` is a UUID in lower case with hyphens."""
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False


def advice_on_id(name: str, value: str) -> str:
    """Returns a sentence on the parameter `name` unless `value` is an identifier."""
    return "" if is_identifier(value) else f" “{value[:_SHOWN]}” is no {name}, which is a UUID in lower case."
