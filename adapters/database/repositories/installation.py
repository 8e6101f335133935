"""The facts of the installation in SQL."""

from collections.abc import Collection
from datetime import UTC, datetime

from sqlmodel import col, delete, select

from adapters.database.engine import insert_into, reading, writing
from adapters.database.repository import Repository
from adapters.database.tables.installation import InstallationRow
from domain.installation import Facts


class DatabaseInstallation(Repository):
    """The recorded facts. Methods raise `DatabaseUnavailable`."""

    async def read(self) -> Facts:
        """Returns all recorded facts; none before the first start."""
        async with reading(self._engine) as connection:
            rows = (await connection.execute(select(InstallationRow.name, InstallationRow.value))).all()
        return {row.name: row.value for row in rows}

    async def add(self, facts: Facts) -> Facts:
        """Records the facts of names that have none yet. Returns all recorded facts."""
        insert = insert_into(InstallationRow, self._engine.dialect).on_conflict_do_nothing()
        async with writing(self._engine) as connection:
            await connection.execute(insert, _rows(facts))
        return await self.read()

    async def forget(self, names: Collection[str]) -> None:
        """Deletes the facts of these names, which the next start records again."""
        async with writing(self._engine) as connection:
            await connection.execute(delete(InstallationRow).where(col(InstallationRow.name).in_(names)))

    async def replace(self, facts: Facts) -> None:
        """Records the facts, in place of those of the same names."""
        if not facts:
            return
        insert = insert_into(InstallationRow, self._engine.dialect)
        changed = {"value": insert.excluded.value, "recorded_at": insert.excluded.recorded_at}
        async with writing(self._engine) as connection:
            await connection.execute(insert.on_conflict_do_update(index_elements=["name"], set_=changed), _rows(facts))


def _rows(facts: Facts) -> list[dict[str, object]]:
    now = datetime.now(UTC)
    return [{"name": name, "value": value, "recorded_at": now} for name, value in facts.items()]
