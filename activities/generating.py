"""Generating: the signed PDF of one file, stamped, sealed, checked and stored under its fixed name."""

from temporalio import activity
from temporalio.exceptions import ApplicationError

from activities.heartbeats import heartbeats
from activities.interface import GeneratedDocument, GenerateRequest, Signatory
from activities.stamping import stamp_document
from adapters.object_store.port import ObjectStore
from adapters.processes import ProcessPool
from adapters.sealing.port import Prepared, Sealer
from adapters.sealing.preparing import prepare_seal
from domain.fields import SubmittedContent
from domain.objects import session_prefix, signed_name
from domain.sealing import Seal
from domain.statements import ReferenceDocument, SignedDocument, Signer, Statement
from stamping.orders import Signed, StampOrder


class Generating:
    """Makes signed PDFs in the pool of child processes."""

    def __init__(self, objects: ObjectStore, pool: ProcessPool, sealer: Sealer) -> None:
        self._objects = objects
        self._pool = pool
        self._sealer = sealer

    @activity.defn
    async def generate_document(self, request: GenerateRequest) -> GeneratedDocument:
        """See `interface.generate_document`.

        What is stored under the fixed name already is what counts: a second try never makes a second PDF. Nothing is
        stored before its seal was found valid.

        Raises:
            ApplicationError: the stamped PDF does not have the pages of the one that was sent.
            SealFailed: it cannot be sealed, or the seal does not hold.
        """
        async with heartbeats():
            return await self._generate(request)

    async def _generate(self, request: GenerateRequest) -> GeneratedDocument:
        name = signed_name(session_prefix(request.organisation_id, request.session_id), request.file.file_id)
        stored = await self._objects.find(name)
        if stored is not None:
            level = await self._sealer.level_of(await self._objects.get(stored))
            return GeneratedDocument(signed=stored, seal=Seal(level=level, goal=self._sealer.goal))
        statement = statement_of(request)
        sealed = await self._sealer.seal(await self._prepare(request, statement), statement)
        stored = await self._objects.put(name, sealed.pdf, "application/pdf")
        return GeneratedDocument(signed=stored, seal=Seal(level=sealed.level, goal=self._sealer.goal))

    async def _prepare(self, request: GenerateRequest, statement: Statement) -> Prepared:
        file, room = request.file, self._sealer.room_for(statement)
        if file.zones is None:  # nobody fills anything in: it stays as it was sent
            return await self._pool.run(prepare_seal, await self._objects.get(file.rendered), room, statement)
        order = StampOrder(
            session_id=request.session_id,
            file_id=file.file_id,
            pdf=await self._objects.get(file.rendered),
            zones=await self._objects.get(file.zones),
            signed={signatory.key: await self._signed(signatory) for signatory in request.signatories},
        )
        stamped = await self._pool.run(stamp_document, order, room, statement)
        if stamped.page_count != file.page_count:
            raise ApplicationError(
                f"the signed PDF has {stamped.page_count} pages, the one sent had {file.page_count}", type="NotWhole"
            )
        return stamped.prepared

    async def _signed(self, signatory: Signatory) -> Signed:
        content = await self._objects.get(signatory.submission)
        return Signed(signatory.name, signatory.completed_at, SubmittedContent.model_validate_json(content))


def statement_of(request: GenerateRequest) -> Statement:
    """What the seal of the PDF states: who signed it, in the order of time, or that it is for reference."""
    file = request.file
    if file.zones is None:
        return ReferenceDocument(session_id=request.session_id, file_id=file.file_id)
    signers = (
        Signer(name=one.name, email=one.email, identified_by=one.identified_by, signed_at=one.completed_at)
        for one in sorted(request.signatories, key=lambda one: one.completed_at)
    )
    return SignedDocument(session_id=request.session_id, file_id=file.file_id, signers=tuple(signers))
