"""The record of administrative acts in memory."""

from domain.audit.events import AuditContext
from domain.ports.administrative_acts import AdministrativeAct, Change
from domain.shared.ids import OrganisationId


class RecordedActs:
    """Implements `AdministrativeActs`."""

    def __init__(self) -> None:
        self._acts: list[AdministrativeAct] = []

    async def add(self, organisation_id: OrganisationId, audit: AuditContext, change: Change) -> None:
        kind, actor_id = audit.actor.kind.value, audit.actor.id
        act_id = str(len(self._acts))
        self._acts.insert(0, AdministrativeAct(act_id, organisation_id, audit.at, kind, actor_id, audit.ip, change))

    async def list(self, organisation_id: OrganisationId, limit: int) -> tuple[AdministrativeAct, ...]:
        return tuple(act for act in self._acts if act.organisation_id == organisation_id)[:limit]

    async def list_about(self, organisation_id: OrganisationId, about: str) -> tuple[AdministrativeAct, ...]:
        return tuple(act for act in self._acts if (act.organisation_id, act.change.about) == (organisation_id, about))
