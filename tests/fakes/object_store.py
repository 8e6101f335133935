"""Objects in memory, with the promises of a real store."""

from itertools import count
from urllib.parse import quote

from adapters.object_store.verified_reads import check_name, check_prefix
from domain.ports.object_store import Download, ObjectConflict, ObjectDamaged, ObjectMissing
from domain.shared.object_names import ObjectReference, make_reference


class MemoryObjectStore:
    def __init__(self) -> None:
        self.objects: dict[str, bytes] = {}
        self.downloads: dict[str, tuple[ObjectReference, Download]] = {}
        self._numbers = count(1)

    async def put(self, name: str, content: bytes, content_type: str) -> ObjectReference:
        if self.objects.setdefault(check_name(name), content) != content:
            raise ObjectConflict(name)
        return make_reference(name, content)

    async def get(self, reference: ObjectReference) -> bytes:
        content = self.objects.get(reference.name)
        if content is None:
            raise ObjectMissing(reference.name)
        if make_reference(reference.name, content) != reference:
            raise ObjectDamaged(reference.name)
        return content

    async def find(self, name: str) -> ObjectReference | None:
        content = self.objects.get(check_name(name))
        return None if content is None else make_reference(name, content)

    async def count(self, prefix: str) -> int:
        return sum(name.startswith(check_prefix(prefix)) for name in self.objects)

    async def delete_prefix(self, prefix: str) -> int:
        folder = check_prefix(prefix)
        names = [name for name in self.objects if name.startswith(folder)]
        for name in names:
            del self.objects[name]
        return len(names)

    async def signed_url(self, reference: ObjectReference, download: Download) -> str:
        url = f"https://objects.example.com/{quote(reference.name)}?number={next(self._numbers)}"
        self.downloads[url] = (reference, download)
        return url
