"""Generating: the signed PDF of one file, stamped, sealed, checked and stored under a name by its materials."""

from temporalio import activity
from temporalio.exceptions import ApplicationError

from activities.heartbeats import heartbeats
from activities.interface import GeneratedDocument
from activities.stamp_job import stamp_document
from domain.seal.level import Seal, SealLevel
from domain.seal.materials import Materials, Signatory
from domain.seal.statement import Statement
from domain.session.fields import SubmittedContent
from domain.shared.object_names import ObjectReference
from pades.placeholder import prepare_seal
from pades.seal_validation import read_seal_statement
from ports.object_store import ObjectStore
from ports.process_pool import ProcessPool
from ports.seals import PreparedPdf, Sealer
from stamping.stamp_pdf import SignerSubmission, StampJob


class DocumentActivities:
    """Makes signed PDFs in the pool of child processes."""

    def __init__(self, objects: ObjectStore, pool: ProcessPool, sealer: Sealer) -> None:
        self._objects = objects
        self._pool = pool
        self._sealer = sealer

    @activity.defn
    async def generate_document(self, materials: Materials) -> GeneratedDocument:
        """See `interface.generate_document`.

        A file has one signed PDF: the first that was made from the same materials. Its name derives from the materials.
        Nothing is stored before its seal was validated.

        Raises:
            ApplicationError: the stamped PDF has another number of pages, or the stored PDF states other materials.
            SealFailed: the PDF cannot be sealed, or the seal is invalid.
        """
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
                "the stored PDF with the name of this signed PDF was made from other entries", type="NotWhole"
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
        )
        stamped = await self._pool.run(stamp_document, order, room, statement)
        if stamped.page_count != materials.page_count:
            raise ApplicationError(
                f"the signed PDF has {stamped.page_count} pages, the one sent had {materials.page_count}",
                type="NotWhole",
            )
        return stamped.prepared

    async def _signed(self, signatory: Signatory) -> SignerSubmission:
        content = await self._objects.get(signatory.submission)
        read = SubmittedContent.model_validate_json(content)
        return SignerSubmission(signatory.name, signatory.completed_at, signatory.date_signed, read)
