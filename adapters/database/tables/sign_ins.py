"""The tables of the ways into the app. They hold hashes of secrets only."""

from datetime import datetime

from sqlalchemy import Column, ForeignKey, Index, String, Text
from sqlmodel import Field, SQLModel

from adapters.database.tables.core import UtcTime


class SignInLinkRow(SQLModel, table=True):
    """A link in a mail that nobody has used."""

    __tablename__ = "sign_in_links"
    __table_args__ = (Index("sign_in_links_by_email", "email"), Index("sign_in_links_by_end", "ends_at"))

    secret_sha256: str = Field(primary_key=True, max_length=64)
    email: str = Field(max_length=254)
    goes_to: str = Field(sa_column=Column(Text, nullable=False))
    ends_at: datetime = Field(sa_column=Column(UtcTime(), nullable=False))


class SignInRow(SQLModel, table=True):
    """A browser in which a person is signed in."""

    __tablename__ = "sign_ins"
    __table_args__ = (Index("sign_ins_by_end", "ends_at"),)

    secret_sha256: str = Field(primary_key=True, max_length=64)
    user_id: str = Field(sa_column=Column(String(36), ForeignKey("users.user_id"), nullable=False, index=True))
    began_at: datetime = Field(sa_column=Column(UtcTime(), nullable=False))
    ends_at: datetime = Field(sa_column=Column(UtcTime(), nullable=False))
