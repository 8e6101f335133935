"""The table of one-time codes. It holds hashes only, made with a key that is not in the database."""

from datetime import datetime

from sqlalchemy import Column
from sqlmodel import Field, SQLModel

from adapters.database.tables.core import UtcTime


class EmailCodeRow(SQLModel, table=True):
    """The latest code of a recipient, how many were sent since `window_began_at`, and how many wrong ones entered."""

    __tablename__ = "email_codes"

    organisation_id: str = Field(primary_key=True, max_length=36)
    session_id: str = Field(primary_key=True, max_length=36)
    recipient_id: str = Field(primary_key=True, max_length=36)
    code_hash: str = Field(max_length=64)
    tries_left: int
    sent_at: datetime = Field(sa_column=Column(UtcTime(), nullable=False))
    ends_at: datetime = Field(sa_column=Column(UtcTime(), nullable=False))
    window_began_at: datetime = Field(sa_column=Column(UtcTime(), nullable=False))
    sent_in_window: int
    guesses: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
