"""What recipients entered (Specification 4.18)."""

from typing import Annotated, Any

from pydantic import ConfigDict, Field

from domain.session.session import SessionStatus
from domain.session.values import InputValue
from domain.shared.ids import FileId, RecipientId, SessionId
from layout.schema.block_document import FieldType
from schemas.base import ResponseModel, Timestamp

_VALUE = (
    "what was entered, by `fieldType`: `checkbox` a boolean, with options the texts of those that are ticked; `number` "
    "a number, null beyond the range of a double; `date` ISO 8601, `2026-07-01` or of a month `2026-07`, but as it was "
    "entered where the year has two digits; `radio` and `dropdown` the text of the option; `initials` whether they "
    "were given: the picture is on the signed PDF alone; all others the text. null: nothing was entered"
)
_TEXT = (
    "the letters of it as they are printed on the signed PDF: a number with all its digits, a date in its "
    "`dateFormat`, initials that were typed; null of checkboxes, of drawn initials, and where nothing was entered"
)
_EXAMPLE: dict[str, Any] = {
    "sessionId": "3f0b1c9a-5d7e-4a64-9f0e-0a1b2c3d4e5f",
    "sessionStatus": "inProgress",
    "files": [
        {
            "fileId": "5f0c3c1e-3f0b-4b7a-9d5c-6f1f2a3b4c5d",
            "fileName": "Consulting agreement.pdf",
            "values": [
                {
                    "name": name,
                    "label": label,
                    "fieldType": kind,
                    "value": value,
                    "text": text,
                    "recipientId": "b1f6c0de-6a55-4d0e-8f57-0c6f5a1d2e3f",
                    "recipientKey": "client",
                    "completedAt": "2026-06-12T10:30:00.000Z",
                }
                for name, label, kind, value, text in (
                    ("purchase-order", "Purchase order", "text", "PO-7731", "PO-7731"),
                    ("monthly-fee", "Monthly fee", "number", 1250.5, "1250.50"),
                    ("starts-on", "Starts on", "date", "2026-07-01", "01/07/2026"),
                    ("payment", "Payment", "radio", "Bank transfer", "Bank transfer"),
                    ("initials", "Initials", "initials", True, "RØ"),
                )
            ],
        }
    ],
}


class ValueRead(ResponseModel):
    """What one recipient entered into one input."""

    name: Annotated[str, Field(description="name of the input, unique in its file", examples=["purchase-order"])]
    label: str
    field_type: FieldType
    value: Annotated[InputValue, Field(description=_VALUE, examples=["PO-7731", 1250.5, "2026-07-01", True])]
    text: Annotated[str | None, Field(description=_TEXT, examples=["PO-7731", "1250.50", "01/07/2026"])]
    recipient_id: Annotated[RecipientId, Field(description="who entered it")]
    recipient_key: Annotated[str, Field(description="by which blocks name that recipient", examples=["client"])]
    completed_at: Annotated[Timestamp, Field(description="when that recipient signed")]


class FileValuesRead(ResponseModel):
    """What was entered into one document."""

    file_id: FileId
    file_name: str
    values: Annotated[
        tuple[ValueRead, ...],
        Field(description="one for each input of a recipient who has signed, in the order of the document"),
    ]


class ValuesRead(ResponseModel):
    """What recipients who have signed entered. Signatures are no values: that somebody signed is `completedAt`."""

    model_config = ConfigDict(json_schema_extra={"examples": [_EXAMPLE]})

    session_id: SessionId
    session_status: SessionStatus
    files: tuple[FileValuesRead, ...]
