"""Records changes of the settings of an organisation."""

from domain.audit.events import AuditContext
from domain.ports.administrative_acts import ActKind, AdministrativeActs, differing
from domain.ports.database import Organisation

_MEMBERS = ("name", "time_zone", "frame_origins", "language")


async def record_settings(
    acts: AdministrativeActs, audit: AuditContext, before: Organisation, after: Organisation
) -> None:
    """Records which settings differ."""
    old, new = ({name: _plain(getattr(one, name)) for name in _MEMBERS} for one in (before, after))
    change = differing(ActKind.ORGANISATION_CHANGED, after.organisation_id, old, new)
    await acts.add(after.organisation_id, audit, change)


def _plain(value: object) -> object:
    return [*value] if isinstance(value, tuple) else value
