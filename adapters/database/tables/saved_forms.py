"""The table of drafts. What recipients entered is encrypted."""

from datetime import datetime

from sqlalchemy import Column, LargeBinary
from sqlmodel import Field, SQLModel

from adapters.database.tables.core import UtcTime


class FormDraftRow(SQLModel, table=True):
    """What a recipient has filled in so far: a nonce and AES-256-GCM."""

    __tablename__ = "form_drafts"

    organisation_id: str = Field(primary_key=True, max_length=36)
    session_id: str = Field(primary_key=True, max_length=36)
    recipient_id: str = Field(primary_key=True, max_length=36)
    sealed: bytes = Field(sa_column=Column(LargeBinary(), nullable=False))
    saved_at: datetime = Field(sa_column=Column(UtcTime(), nullable=False))
