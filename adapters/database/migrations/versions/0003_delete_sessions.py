"""Who had the scope `write:sessions` gets `delete:sessions`, which deleting for ever needs."""

from collections.abc import Callable

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_BEFORE, _NEW = "write:sessions", "delete:sessions"
_TABLES = {
    name: sa.table(name, sa.column(key, sa.String()), sa.column("scopes", sa.JSON()))
    for name, key in (("clients", "client_id"), ("approvals", "code_sha256"))
}


def upgrade() -> None:
    _change(lambda scopes: [*scopes, _NEW] if _BEFORE in scopes and _NEW not in scopes else scopes)


def downgrade() -> None:
    _change(lambda scopes: [scope for scope in scopes if scope != _NEW])


def _change(change: Callable[[list[str]], list[str]]) -> None:
    connection = op.get_bind()
    for table in _TABLES.values():
        key = table.c[0]
        for found, scopes in connection.execute(sa.select(key, table.c.scopes)).all():
            if change(scopes) != scopes:
                connection.execute(sa.update(table).where(key == found).values(scopes=change(scopes)))
