"""External ids and metadata of sessions in SQL."""

from collections.abc import Collection, Iterator, Mapping

from sqlalchemy import ColumnElement, delete, select
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import SQLModel

from adapters.database.engine import insert_into
from adapters.database.tables.sessions import ExternalIdRow, LabelRow
from domain.session.labels import EXTERNAL_ID, labels_of
from domain.session.session import Session
from domain.shared.ids import OrganisationId, SessionId

_LABELS = SQLModel.metadata.tables[LabelRow.__tablename__].c
_EXTERNAL_IDS = SQLModel.metadata.tables[ExternalIdRow.__tablename__].c


async def write_labels(connection: AsyncConnection, session: Session) -> SessionId:
    """Writes missing labels of `session`. Returns the session that holds its unique external id, else its own id."""
    key = {"organisation_id": session.organisation_id, "session_id": session.session_id}
    rows = [{**key, "name": name, "value": value} for name, value in labels_of(session).items()]
    if rows:
        insertion = insert_into(LabelRow, connection.dialect).on_conflict_do_nothing()
        await connection.execute(insertion, rows)
    if session.external_id is None or not session.external_id_unique:
        return session.session_id
    insertion = insert_into(ExternalIdRow, connection.dialect).on_conflict_do_nothing()
    await connection.execute(insertion, {**key, "external_id": session.external_id})
    return await find_holder(connection, session.organisation_id, session.external_id) or session.session_id


async def remove_metadata(connection: AsyncConnection, session: Session) -> None:
    """Deletes the stored metadata of `session`, a draft whose metadata has changed."""
    mine = (_LABELS.organisation_id == session.organisation_id, _LABELS.session_id == session.session_id)
    await connection.execute(delete(LabelRow).where(*mine, _LABELS.name != EXTERNAL_ID))


async def find_holder(
    connection: AsyncConnection, organisation_id: OrganisationId, external_id: str
) -> SessionId | None:
    """Returns the id of the session with `external_id` as its unique external id, if there is one."""
    mine = (_EXTERNAL_IDS.organisation_id == organisation_id, _EXTERNAL_IDS.external_id == external_id)
    found: SessionId | None = (await connection.execute(select(_EXTERNAL_IDS.session_id).where(*mine))).scalar()
    return found


async def find_labels(
    connection: AsyncConnection, organisation_id: OrganisationId, sessions: Collection[str]
) -> dict[str, dict[str, str]]:
    """Returns the labels (name to value) of `sessions`, by session id."""
    query = select(_LABELS.session_id, _LABELS.name, _LABELS.value).where(
        _LABELS.organisation_id == organisation_id, _LABELS.session_id.in_(sessions)
    )
    found: dict[str, dict[str, str]] = {}
    for session_id, name, value in await connection.execute(query):
        found.setdefault(session_id, {})[name] = value
    return found


def labelled(organisation_id: OrganisationId, labels: Mapping[str, str]) -> Iterator[tuple[ColumnElement[bool], ...]]:
    """Yields the conditions for the rows of each of `labels`."""
    for name, value in labels.items():
        yield _LABELS.organisation_id == organisation_id, _LABELS.name == name, _LABELS.value == value
