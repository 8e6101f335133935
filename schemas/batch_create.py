"""The request that creates a batch of sessions from a template (Specification 4.29)."""

from typing import Annotated

from pydantic import ConfigDict, Field
from pydantic.config import JsonDict

from domain.shared.limits import MAX_BATCH_ROWS, MAX_ROWS_PER_MINUTE, USUAL_ROWS_PER_MINUTE
from schemas.base import WHOLE, Identifier, RequestModel
from schemas.session_create import LABEL_USE, METADATA_RULE, ExternalId, Metadata, Name, SendingSettings
from schemas.session_from_template import EXAMPLE, RecipientsGiven, VariableValues, without_defaults

ROW_EXAMPLE: JsonDict = {name: EXAMPLE[name] for name in ("name", "recipients", "variableValues")}
SETTINGS_EXAMPLE: JsonDict = {
    "templateId": EXAMPLE["templateId"],
    "name": "Leases of Quay Street",
    "perMinute": 60,
    "sendImmediately": True,
}
BATCH_EXAMPLE: JsonDict = {**SETTINGS_EXAMPLE, "rows": [ROW_EXAMPLE]}


class BatchRowCreate(RequestModel):
    """One session of a batch."""

    model_config = ConfigDict(json_schema_extra={"examples": [ROW_EXAMPLE]})

    name: Name | None = Field(None, description="Name of the session for display. Default: that of the template.")
    recipients: RecipientsGiven = ()
    variable_values: VariableValues = Field({})
    external_id: ExternalId | None = Field(None, description=f"Your identifier of the session. {LABEL_USE}")
    metadata: Metadata = Field({}, description=METADATA_RULE, examples=[{"customer": "northwind"}])


class BatchSettings(SendingSettings):
    """A batch without its rows. Settings that are left out are taken from the template."""

    model_config = ConfigDict(json_schema_extra=without_defaults(SETTINGS_EXAMPLE))

    template_id: Identifier = Field(description="Identifier of an active template.", examples=[EXAMPLE["templateId"]])
    name: Name = Field(description="Name of the batch for display.", examples=["Leases of Quay Street"])
    per_minute: Annotated[int, Field(ge=1, le=MAX_ROWS_PER_MINUTE), WHOLE] = Field(
        USUAL_ROWS_PER_MINUTE, description="Sessions that are created in a minute at most."
    )


class BatchCreate(BatchSettings):
    """A batch to create: one session for each row."""

    model_config = ConfigDict(json_schema_extra=without_defaults(BATCH_EXAMPLE))

    rows: Annotated[tuple[BatchRowCreate, ...], Field(min_length=1, max_length=MAX_BATCH_ROWS)] = Field(
        description="The sessions, in their order."
    )
