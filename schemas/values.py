"""Values of fields (Specification 4.18)."""

from pydantic import Field

from domain.session.session import SessionStatus
from domain.session.values import InputValue
from layout.schema.block_document import FieldType
from schemas.base import KEY_RULE, LABEL_RULE, FileUuid, RecipientUuid, ResponseModel, SessionUuid, Timestamp

_VALUE = (
    "The value, by `fieldType`. `checkbox`: a boolean, or with options the texts of the ticked ones. `number`: a "
    "number; null beyond the range of a double. `date`: ISO 8601, such as `2026-07-01`, or `2026-07` for a month; as "
    "entered if the year has two digits. `radio` and `dropdown`: the text of the option. `initials`: whether they were "
    "given; the picture is only on the signed PDF. Other types: the text. null: nothing was entered."
)
_TEXT = (
    "The value as printed on the signed PDF: a number with all its digits, a date in its `dateFormat`, typed initials. "
    "null for checkboxes, drawn initials, and if nothing was entered."
)


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

    session_id: SessionUuid
    session_status: SessionStatus = Field(description="Status of the session.")
    files: tuple[FileValuesRead, ...] = Field(description="The documents, in order.")
