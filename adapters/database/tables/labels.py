"""The tables of what clients call their sessions."""

from sqlmodel import Field, Index, SQLModel


class LabelRow(SQLModel, table=True):
    """One label of a session, `domain.session.labels`; sessions are found by it."""

    __tablename__ = "labels"
    __table_args__ = (Index("labels_by_value", "organisation_id", "name", "value", "session_id"),)

    organisation_id: str = Field(primary_key=True, max_length=36)
    session_id: str = Field(primary_key=True, max_length=36)
    name: str = Field(primary_key=True, max_length=50)
    value: str = Field(max_length=500)


class ExternalIdRow(SQLModel, table=True):
    """An external id that only one session of the organisation may have."""

    __tablename__ = "external_ids"
    __table_args__ = (Index("external_ids_by_session", "organisation_id", "session_id"),)

    organisation_id: str = Field(primary_key=True, max_length=36)
    external_id: str = Field(primary_key=True, max_length=200)
    session_id: str = Field(max_length=36)
