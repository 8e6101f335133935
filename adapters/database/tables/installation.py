"""The facts that all processes of this installation share (`domain.installation`)."""

from datetime import datetime

from sqlalchemy import Text
from sqlmodel import Field, SQLModel

from adapters.database.tables.columns import UtcTime


class InstallationRow(SQLModel, table=True):
    """A fact, by its name."""

    __tablename__ = "installation"

    name: str = Field(primary_key=True, max_length=80)
    value: str = Field(sa_type=Text)
    recorded_at: datetime = Field(sa_type=UtcTime)
