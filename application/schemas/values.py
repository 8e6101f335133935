"""Values of fields (Specification 4.18)."""

from typing import Any

from pydantic import ConfigDict, Field

from application.schemas.base import KEY_RULE, FileUuid, RecipientUuid, ResponseModel, SessionUuid, Timestamp
from domain.session.reported_values import InputValue
from domain.session.status import SessionStatus
from layout.schema.input import LABEL_RULE, FieldType

_VALUE = (
    "The value, by `fieldType`. `checkbox`: a boolean, or with options the texts of the ticked ones. `number`: a "
    "number, or its text if a double would round its decimals or overflow. `date`: ISO 8601, such as `2026-07-01`, or "
    "`2026-07` for a month; as entered if the year has two digits. `radio` and `dropdown`: the text of the option. "
    "`initials`: whether they were given; the picture is only on the signed PDF. Other types: the text. null: nothing "
    "was entered."
)
_TEXT = (
    "The value as printed on the signed PDF: a number with all its digits, a date in its `dateFormat`, typed initials. "
    "null for checkboxes, drawn initials, and if nothing was entered."
)
_RECIPIENT = {"recipientId": "b1f6c0de-6a55-4d0e-8f57-0c6f5a1d2e3f", "recipientKey": "client"}
_EXAMPLE: dict[str, Any] = {
    "sessionId": "3f0b1c9a-5d7e-4a64-9f0e-0a1b2c3d4e5f",
    "sessionStatus": "inProgress",
    "files": [
        {
            "fileId": "5f0c3c1e-3f0b-4b7a-9d5c-6f1f2a3b4c5d",
            "fileName": "Consulting agreement.pdf",
            "values": [
                {"name": name, "label": label, "fieldType": kind, "value": value, "text": text}
                | {**_RECIPIENT, "completedAt": "2026-06-12T10:30:00.000Z"}
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
    """The value of one field."""

    name: str = Field(description="Name of the field, unique in its file.", examples=["purchase-order"])
    label: str = Field(description=LABEL_RULE, examples=["Purchase order"])
    field_type: FieldType = Field(description="Type of the field.")
    value: InputValue = Field(description=_VALUE, examples=["PO-7731", 1250.5, "2026-07-01", True])
    text: str | None = Field(description=_TEXT, examples=["PO-7731", "1250.50", "01/07/2026"])
    recipient_id: RecipientUuid = Field(description="Unique identifier of the recipient who entered the value.")
    recipient_key: str = Field(description=KEY_RULE, examples=["client"])
    completed_at: Timestamp = Field(description="Time at which the recipient signed.")


class FileValuesRead(ResponseModel):
    """The values of one document."""

    file_id: FileUuid
    file_name: str = Field(description="Name of the file.", examples=["Consulting agreement.pdf"])
    values: tuple[ValueRead, ...] = Field(description="One entry per field of a recipient who has signed, in order.")


class ValuesRead(ResponseModel):
    """The values of recipients who have signed, without signatures. `completedAt` is the time of signing."""

    model_config = ConfigDict(json_schema_extra={"examples": [_EXAMPLE]})

    session_id: SessionUuid
    session_status: SessionStatus = Field(description="Status of the session.")
    files: tuple[FileValuesRead, ...] = Field(description="The documents, in order.")
