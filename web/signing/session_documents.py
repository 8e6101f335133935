"""The stored documents of a session: blocks, zones and submissions."""

import asyncio
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

from application.off_loop import off_loop
from application.stamping.inputs import FieldPlacement, field_placements
from application.uploads.session_copies import CopiedImage, read_copied_images
from domain.ports.object_store import ObjectStore
from domain.session.recipients import Recipient
from domain.session.session import Session, SessionFile
from domain.session.submission import SubmittedContent
from domain.shared.object_names import ObjectReference
from layout.schema.block_document import BlockDocument
from layout.schema.part import FILLED
from layout.zone import ZONES, Zone


class SessionDocument(NamedTuple):
    """A file of a session with its blocks, zones and images (by file id)."""

    file: SessionFile
    blocks: BlockDocument
    zones: tuple[Zone, ...]
    images: Mapping[str, CopiedImage]

    def blanks_of(self, recipient: Recipient) -> tuple[FieldPlacement, ...]:
        return tuple(
            blank for blank in field_placements(self.file, self.zones) if blank.zone.recipient == recipient.key
        )


def blanks_of(documents: Sequence[SessionDocument], recipient: Recipient) -> list[FieldPlacement]:
    """Returns the inputs of `recipient` in all documents."""
    return [blank for document in documents for blank in document.blanks_of(recipient)]


_Parsed = tuple[BlockDocument, tuple[Zone, ...], Mapping[str, CopiedImage]]


class DocumentReader:
    """Reads documents from the object store. Caches the latest parsed ones by the hash of their content."""

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._kept: OrderedDict[tuple[str, str, str | None], _Parsed] = OrderedDict()

    async def read(self, objects: ObjectStore, session: Session) -> tuple[SessionDocument, ...]:
        """Returns the block documents of `session`, in order."""
        parts = [(file, (file.source, file.zones)) for file in session.files if file.source and file.zones]
        return tuple(await asyncio.gather(*(self._read_one(objects, *part) for part in parts)))

    async def _read_one(
        self, objects: ObjectStore, file: SessionFile, parts: tuple[ObjectReference, ObjectReference]
    ) -> SessionDocument:
        key = (parts[0].sha256, parts[1].sha256, file.images.sha256 if file.images else None)
        if key not in self._kept:
            source, zones, images = await asyncio.gather(
                objects.get(parts[0]), objects.get(parts[1]), read_copied_images(objects, file)
            )
            read = partial(BlockDocument.model_validate_json, source, context=FILLED)
            blocks = await off_loop(len(source), read)
            self._kept[key] = (blocks, tuple(await off_loop(len(zones), lambda: ZONES.validate_json(zones))), images)
        parsed = self._kept[key]
        self._kept.move_to_end(key)
        if len(self._kept) > self._capacity:
            self._kept.popitem(last=False)
        return SessionDocument(file, *parsed)


DOCUMENTS = DocumentReader(capacity=64)


async def read_submissions(objects: ObjectStore, session: Session) -> Mapping[str, SubmittedContent]:
    """Returns the submissions of recipients who have signed, by recipient key. Later recipients see these values."""
    references = [recipient.submission for recipient in session.recipients if recipient.submission]
    contents = await asyncio.gather(*(objects.get(reference) for reference in references))
    submitted = (SubmittedContent.model_validate_json(content) for content in contents)
    return {content.recipient_key: content for content in submitted}
