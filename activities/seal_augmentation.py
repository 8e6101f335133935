"""Augments the seal of a signed PDF by incremental updates, which leave the published bytes unchanged."""

from temporalio import activity

from activities.heartbeats import heartbeats
from activities.interface import AugmentedDocument, AugmentRequest
from domain.seal.level import Seal, SealLevel
from domain.shared.object_names import ObjectReference, augmented_name, session_prefix
from ports.object_store import ObjectStore
from ports.seals import SealedPdf, Sealer


class SealActivities:
    """Adds timestamps and validation data that were unavailable when the PDF was sealed."""

    def __init__(self, objects: ObjectStore, sealer: Sealer) -> None:
        self._objects = objects
        self._sealer = sealer

    @activity.defn
    async def augment_seal(self, request: AugmentRequest) -> AugmentedDocument:
        """See `interface.augment_seal`.

        Raises:
            SealFailed: nothing can be added now, or the result is invalid and was not stored.
        """
        async with heartbeats():
            return await self._find(request) or await self._make(request)

    async def _find(self, request: AugmentRequest) -> AugmentedDocument | None:
        """Returns the result of an earlier attempt for the same signed PDF, the highest level first."""
        for level in reversed(SealLevel):
            if level.is_at_least(_level(request)) and level is not _level(request):
                stored = await self._objects.find(_name(request, level))
                if stored is not None:
                    found = await self._sealer.level_of(await self._objects.get(stored))
                    return AugmentedDocument(signed=stored, seal=Seal(level=found, goal=self._sealer.goal))
        return None

    async def _make(self, request: AugmentRequest) -> AugmentedDocument:
        signed = _signed(request)
        before = SealedPdf(await self._objects.get(signed), _level(request))
        raised = await self._sealer.augment_seal(before)
        if raised.level is not before.level:
            signed = await self._objects.put(_name(request, raised.level), raised.pdf, "application/pdf")
        return AugmentedDocument(signed=signed, seal=Seal(level=raised.level, goal=self._sealer.goal))


def _level(request: AugmentRequest) -> SealLevel:
    return request.file.seal_level or SealLevel.B_B


def _signed(request: AugmentRequest) -> ObjectReference:
    if request.file.signed is None:
        raise ValueError("only what is signed can have its seal raised")
    return request.file.signed


def _name(request: AugmentRequest, level: SealLevel) -> str:
    prefix = session_prefix(request.organisation_id, request.session_id)
    return augmented_name(prefix, request.file.file_id, _signed(request).sha256, level.value)
