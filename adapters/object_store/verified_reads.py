"""The base of the stores: it checks names, and returns content only after its digest was verified."""

import re
from abc import ABC, abstractmethod

from domain.ports.object_store import ObjectConflict, ObjectDamaged, ObjectMissing
from domain.shared.object_names import ObjectReference, make_reference


class VerifiedReads(ABC):
    """The reads of `ObjectStore`, based on `_read`."""

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
        """Returns the content stored under `name`. Raises `ObjectMissing`."""


_PART = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")


def check_name(name: str) -> str:
    """Returns `name` if it is valid; raises `ValueError` otherwise."""
    if not _is_name(name):
        raise ValueError(f"not the name of an object: {name!r}")
    return name


def check_prefix(prefix: str) -> str:
    """Returns `prefix` if it names a whole folder; raises `ValueError` otherwise."""
    if not prefix.endswith("/") or not _is_name(prefix[:-1]):
        raise ValueError(f"not the prefix of a folder: {prefix!r}")
    return prefix


def _is_name(text: str) -> bool:
    return all(_PART.fullmatch(part) for part in text.split("/"))
