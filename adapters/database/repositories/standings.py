"""The standing of clients and users in SQL (`domain.shared.standing`): all that ends their credentials is here."""

from typing import Any

from sqlalchemy import ColumnElement, Row, Select, bindparam, func, or_, select
from sqlmodel import and_, col

from adapters.database.tables.organisations import ClientRow, GrantRow, OrganisationRow, UserRow
from domain.shared.standing import Standing

IS_PENDING: ColumnElement[bool] = and_(col(UserRow.invited_at).is_not(None), col(UserRow.accepted_at).is_(None))
"""Whether a user has not accepted the invitation."""

_IS_CLOSED = col(OrganisationRow.closed_at).is_not(None)
_IS_USER_ENDED = or_(col(UserRow.disabled_at).is_not(None), IS_PENDING, _IS_CLOSED)

OF_USER: Select[Any, Any] = (
    select(col(UserRow.generation), _IS_USER_ENDED.label("is_ended"))
    .join(OrganisationRow, col(OrganisationRow.organisation_id) == col(UserRow.organisation_id))
    .where(col(UserRow.user_id) == bindparam("user_id"))
    .where(col(UserRow.organisation_id) == bindparam("organisation_id"))
)

CLIENT: Select[*tuple[Any, ...]] = (
    select(
        *(column for column in ClientRow.__table__.columns if column.name != "generation"),  # type: ignore[attr-defined]
        col(UserRow.role),
        (col(ClientRow.generation) + func.coalesce(UserRow.generation, 0)).label("generation"),
        or_(
            col(ClientRow.revoked_at).is_not(None),
            _IS_CLOSED,
            # An outer join: the user is missing unless the client is a connected app.
            and_(col(UserRow.user_id).is_not(None), _IS_USER_ENDED),
        ).label("is_ended"),
    )
    .join(OrganisationRow, col(OrganisationRow.organisation_id) == col(ClientRow.organisation_id))
    .outerjoin(GrantRow, col(GrantRow.client_id) == col(ClientRow.client_id))
    .outerjoin(UserRow, col(UserRow.user_id) == col(GrantRow.user_id))
    .where(col(ClientRow.client_id) == bindparam("client_id"))
)
"""The query for a client, with the role of the user who approved it, and its standing."""


def to_standing(row: Row[*tuple[Any, ...]]) -> Standing:
    return Standing(row.generation, is_ended=bool(row.is_ended))
