"""Signed PDFs: stamped, sealed, validated and stored, and the later augmentation of their seals."""

from temporalio import activity
from temporalio.exceptions import ApplicationError

from activities.heartbeats import heartbeats
from activities.interface import AugmentedDocument, AugmentRequest, GeneratedDocument
from application.sessions.make_unsealed_document import make_unsealed_document
from application.stamping.stamp_job import SignerSubmission, StampJob
from domain.ports.object_store import ObjectStore
from domain.ports.process_pool import ProcessPool, run_jobs_for
from domain.ports.seals import PreparedPdf, SealedPdf, Sealer
from domain.seal.seal import Seal, SealLevel, Statement
from domain.session.materials import Materials, Signatory
from domain.session.submission import SubmittedContent
from domain.shared.object_names import ObjectReference, augmented_name, session_prefix
from pades.prepare_seal import prepare_seal
from pades.seal_validation import read_seal_statement


class DocumentActivities:
    """Generates signed PDFs in the pool of child processes, and augments their seals."""

    def __init__(self, objects: ObjectStore, pool: ProcessPool, sealer: Sealer, verify_url: str) -> None:
        self._objects = objects
        self._pool = pool
        self._sealer = sealer
        self._verify_url = verify_url

    @activity.defn
    async def generate_document(self, materials: Materials) -> GeneratedDocument:
        """Generates a signed PDF, or returns the stored one. A PDF is stored only after its seal was validated.

        Raises:
            ApplicationError: the stamped PDF has another number of pages, or the stored PDF states other materials.
            SealFailed: the PDF cannot be sealed, or the seal is invalid.
        """
        run_jobs_for(materials.organisation_id)
        async with heartbeats():
            stored = await self._objects.find(materials.signed_name)
            if stored is None:
                stored, level = await self._make(materials)
            else:
                level = await self._check(stored, materials)
            return GeneratedDocument(signed=stored, seal=Seal(level=level, goal=self._sealer.goal))

    async def _check(self, stored: ObjectReference, materials: Materials) -> SealLevel:
        pdf = await self._objects.get(stored)
        level = await self._sealer.level_of(pdf)
        if await self._pool.run(read_seal_statement, pdf) != materials.statement:
            raise ApplicationError(
                "the stored PDF with the name of this signed PDF was generated from other materials", type="NotWhole"
            )
        return level

    async def _make(self, materials: Materials) -> tuple[ObjectReference, SealLevel]:
        statement = materials.statement
        sealed = await self._sealer.seal(await self._prepare(materials, statement), statement)
        return await self._objects.put(materials.signed_name, sealed.pdf, "application/pdf"), sealed.level

    async def _prepare(self, materials: Materials, statement: Statement) -> PreparedPdf:
        room, rendered = self._sealer.reserved_bytes(statement), await self._objects.get(materials.rendered)
        if materials.zones is None:  # no recipient has fields in it, so it stays unchanged
            return await self._pool.run(prepare_seal, rendered, room, statement)
        order = StampJob(
            session_id=materials.session_id,
            file_id=materials.file_id,
            pdf=rendered,
            zones=await self._objects.get(materials.zones),
            signed={signatory.key: await self._signed(signatory) for signatory in materials.signatories},
            verify_url=self._verify_url,
        )
        stamped = await self._pool.run(make_unsealed_document, order, room, statement)
        if stamped.page_count != materials.page_count:
            raise ApplicationError(
                f"the signed PDF has {stamped.page_count} pages, the one sent had {materials.page_count}",
                type="NotWhole",
            )
        return stamped.prepared

    async def _signed(self, signatory: Signatory) -> SignerSubmission:
        content = await self._objects.get(signatory.submission)
        submitted = SubmittedContent.model_validate_json(content)
        return SignerSubmission(signatory.name, signatory.completed_at, signatory.date_signed, submitted)

    @activity.defn
    async def augment_seal(self, request: AugmentRequest) -> AugmentedDocument:
        """Raises `SealFailed` if nothing can be added now, or the result is invalid and was not stored."""
        run_jobs_for(request.organisation_id)
        async with heartbeats():
            return await self._find_augmented(request) or await self._augment(request)

    async def _find_augmented(self, request: AugmentRequest) -> AugmentedDocument | None:
        """Returns the result of an earlier attempt for the same signed PDF, the highest level first."""
        for level in reversed(SealLevel):
            if level.is_at_least(_level(request)) and level is not _level(request):
                stored = await self._objects.find(_augmented_name(request, level))
                if stored is not None:
                    found = await self._sealer.level_of(await self._objects.get(stored))
                    return AugmentedDocument(signed=stored, seal=Seal(level=found, goal=self._sealer.goal))
        return None

    async def _augment(self, request: AugmentRequest) -> AugmentedDocument:
        signed = _signed_pdf(request)
        before = SealedPdf(await self._objects.get(signed), _level(request))
        augmented = await self._sealer.augment_seal(before)
        if augmented.level is not before.level:
            signed = await self._objects.put(
                _augmented_name(request, augmented.level), augmented.pdf, "application/pdf"
            )
        return AugmentedDocument(signed=signed, seal=Seal(level=augmented.level, goal=self._sealer.goal))


def _level(request: AugmentRequest) -> SealLevel:
    return request.file.seal_level or SealLevel.B_B


def _signed_pdf(request: AugmentRequest) -> ObjectReference:
    if request.file.signed is None:
        raise ValueError("a file without a signed PDF has no seal")
    return request.file.signed


def _augmented_name(request: AugmentRequest, level: SealLevel) -> str:
    prefix = session_prefix(request.organisation_id, request.session_id)
    return augmented_name(prefix, request.file.file_id, _signed_pdf(request).sha256, level.value)
