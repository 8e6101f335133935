"""What hostile PDFs do to sealing: they are refused at upload, or sealed. A child that one of them ends is replaced."""

from collections.abc import AsyncIterator

import pytest
from temporalio.testing import ActivityEnvironment

from activities.signed_documents import DocumentActivities
from adapters.processes.job_limits import UNTRUSTED_FILES, JobLimits
from adapters.processes.pool import ForkServerPool
from adapters.sealing.factory import SEALING
from adapters.sealing.sealer import PadesSealer
from application.uploads.pdf_limits import PdfRefused
from application.uploads.validate_pdf import validate_pdf
from domain.ports.process_pool import ProcessDied
from domain.session.materials import Materials
from domain.shared.ids import FileId, SessionId
from domain.shared.limits import MAX_PDF
from pades.prepare_seal import prepare_seal
from tests.application.uploads import pdfs
from tests.builders import ORGANISATION, VERIFY_URL, identifier
from tests.fakes.object_store import MemoryObjectStore
from tests.fakes.seals import KEYS, REFERENCE
from tests.foreign_pdfs.hostile_samples import ALLOWED_ATTRIBUTES, REFUSED, of_revisions

pytestmark = pytest.mark.foreign_pdfs

LITTLE = 200 * 1024**2
"""Bytes, half of them for programs: what is refused has to be refused within these."""


@pytest.fixture(scope="module")
async def quarantine() -> AsyncIterator[ForkServerPool]:
    modules = ("application.uploads.validate_pdf", "pades.sealability")
    pool = ForkServerPool(1, limits=JobLimits(seconds=60, memory=LITTLE), warm_modules=modules)
    yield pool
    await pool.close()


@pytest.fixture(scope="module")
async def workshop() -> AsyncIterator[ForkServerPool]:
    """The child processes of a worker, with the limits for files of strangers."""
    pool = ForkServerPool(1, limits=UNTRUSTED_FILES, warm_modules=SEALING)
    yield pool
    await pool.close()


@pytest.fixture(params=REFUSED)
def refused(request: pytest.FixtureRequest) -> tuple[bytes, str]:
    """A PDF and why it is refused; made while no event loop runs, since signing takes one."""
    make, reason = REFUSED[request.param]
    return make(), reason


async def test_what_would_keep_sealing_busy_is_refused_at_upload(
    refused: tuple[bytes, str], quarantine: ForkServerPool
) -> None:
    content, reason = refused
    assert len(content) <= MAX_PDF
    with pytest.raises(PdfRefused, match=reason):
        await quarantine.run(validate_pdf, content)


async def test_a_file_of_more_revisions_than_can_be_checked_later_is_written_anew(workshop: ForkServerPool) -> None:
    rewritten = (await workshop.run(validate_pdf, of_revisions(999))).rewritten
    assert rewritten is not None
    assert rewritten.count(b"startxref") == 1


@pytest.mark.parametrize("name", ALLOWED_ATTRIBUTES)
async def test_what_is_taken_is_sealed_within_the_limits(name: str, workshop: ForkServerPool) -> None:
    content = (await workshop.run(validate_pdf, ALLOWED_ATTRIBUTES[name]())).rewritten
    assert content is not None
    sealer = PadesSealer(KEYS.current, KEYS.trusted, workshop)
    sealed = await sealer.seal(await workshop.run(prepare_seal, content, 16_000, REFERENCE), REFERENCE)
    assert sealed.pdf.startswith(content)


async def test_a_file_that_outlives_the_limits_ends_its_child_and_stores_nothing_and_the_next_one_is_sealed() -> None:
    pool = ForkServerPool(1, limits=JobLimits(seconds=2, memory=UNTRUSTED_FILES.memory), warm_modules=SEALING)
    await pool.run(prepare_seal, pdfs.pdf(), 1000, REFERENCE)
    objects = MemoryObjectStore()
    generating = DocumentActivities(objects, pool, PadesSealer(KEYS.current, KEYS.trusted, pool), VERIFY_URL)

    endless = await _uploaded(objects, of_revisions(60_000), "endless")  # as if it had been taken
    with pytest.raises(ProcessDied):
        await ActivityEnvironment().run(generating.generate_document, endless)
    assert [name for name in objects.objects if "signed" in name] == []

    sound = await _uploaded(objects, pdfs.pdf(), "sound")
    generated = await ActivityEnvironment().run(generating.generate_document, sound)
    await pool.close()
    assert (await objects.get(generated.signed)).startswith(pdfs.pdf())


async def _uploaded(objects: MemoryObjectStore, content: bytes, name: str) -> Materials:
    return Materials(
        organisation_id=ORGANISATION,
        session_id=SessionId(identifier("session")),
        file_id=FileId(identifier(name)),
        page_count=1,
        rendered=await objects.put(f"{name}.pdf", content, "application/pdf"),
        zones=None,
        signatories=(),
    )
