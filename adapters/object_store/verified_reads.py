"""Verified reads, shared by the stores: content is returned only after its digest was checked."""

from abc import ABC, abstractmethod

from domain.shared.object_names import ObjectReference, make_reference
from ports.object_store import ObjectConflict, ObjectDamaged, ObjectMissing


class VerifiedReads(ABC):
    """The reading half of `ObjectStore`, made of `_read`."""

    async def get(self, reference: ObjectReference) -> bytes:
        content = await self._read(reference.name)
        if make_reference(reference.name, content) != reference:
            raise ObjectDamaged(reference.name)
        return content

    async def find(self, name: str) -> ObjectReference | None:
        try:
            return make_reference(name, await self._read(name))
        except ObjectMissing:
            return None

    async def _check_same(self, name: str, content: bytes) -> None:
        """Raises `ObjectConflict` if the object `name` differs from `content`."""
        if await self._read(name) != content:
            raise ObjectConflict(name)

    @abstractmethod
    async def _read(self, name: str) -> bytes:
        """All that is stored under `name`; raises `ObjectMissing`."""
