"""SealAugmentation stores what proves more beside what was published, once, and only if it holds."""

from collections.abc import Iterator

import pytest
from temporalio.testing import ActivityEnvironment

from activities.interface import AugmentedDocument, AugmentRequest
from activities.signed_documents import DocumentActivities
from adapters.sealing.sealer import PadesSealer, TargetLevel
from adapters.sealing.timestamp_client import HttpTimestampAuthority
from domain.ports.seals import SealFailed, TimestampsFailed, TrustAnchors
from domain.seal.seal import Seal, SealLevel
from domain.shared.ids import SessionId
from tests.adapters.sealing.timestamp_server import TimestampServer, serving_timestamps
from tests.application.uploads import pdfs
from tests.builders import ORGANISATION, VERIFY_URL, file, identifier
from tests.fakes.object_store import MemoryObjectStore
from tests.fakes.processes import InlinePool
from tests.fakes.seals import KEYS, SEALER, seal

SESSION = SessionId(identifier("session"))
LOW = Seal(level=SealLevel.B_B, goal=SealLevel.B_T)


@pytest.fixture
def authority() -> Iterator[TimestampServer]:
    with serving_timestamps() as server:
        yield server


@pytest.fixture
def objects() -> MemoryObjectStore:
    return MemoryObjectStore()


@pytest.fixture
async def unsealed(objects: MemoryObjectStore) -> AugmentRequest:
    return await published(objects)


def sealer(authority: TimestampServer, trusted: TrustAnchors | None = None) -> PadesSealer:
    believed = trusted or TrustAnchors(seals=KEYS.trusted().seals, timestamps=authority.roots)
    goal = TargetLevel(SealLevel.B_T, HttpTimestampAuthority(authority.address, authority.roots))
    return PadesSealer(KEYS.current, lambda: believed, InlinePool(), goal)


async def published(objects: MemoryObjectStore, content: bytes = b"") -> AugmentRequest:
    """A signed PDF that was sealed without a timestamp, with `content` in it."""
    sealed = await seal(pdfs.pdf(trailer=content), SEALER)
    prefix = f"organisations/{ORGANISATION}/sessions/{SESSION}/"
    signed = await objects.put(
        f"{prefix}files/{file().file_id}/signed{content.hex()}.pdf", sealed.pdf, "application/pdf"
    )
    waiting = file().model_copy(update={"signed": signed, "seal_level": LOW.level, "seal_goal": LOW.goal})
    return AugmentRequest(organisation_id=ORGANISATION, session_id=SESSION, file=waiting)


async def augment_seal(objects: MemoryObjectStore, by: PadesSealer, request: AugmentRequest) -> AugmentedDocument:
    return await ActivityEnvironment().run(
        DocumentActivities(objects, InlinePool(), by, VERIFY_URL).augment_seal, request
    )


async def test_the_raised_pdf_is_stored_beside_the_one_that_was_published(
    authority: TimestampServer, objects: MemoryObjectStore, unsealed: AugmentRequest
) -> None:
    assert unsealed.file.signed

    raised = await augment_seal(objects, sealer(authority), unsealed)

    assert raised.seal == Seal(level=SealLevel.B_T, goal=SealLevel.B_T)
    before, after = await objects.get(unsealed.file.signed), await objects.get(raised.signed)
    assert raised.signed.name.endswith(f"/raised-{unsealed.file.signed.sha256}-B-T.pdf")
    assert after.startswith(before)
    assert after != before


async def test_a_second_try_finds_what_the_first_has_stored(
    authority: TimestampServer, objects: MemoryObjectStore, unsealed: AugmentRequest
) -> None:
    first = await augment_seal(objects, sealer(authority), unsealed)
    authority.stop()
    assert await augment_seal(objects, sealer(authority), unsealed) == first


async def test_the_augmentation_of_another_signed_pdf_is_not_used(
    authority: TimestampServer, objects: MemoryObjectStore
) -> None:
    await augment_seal(objects, sealer(authority), await published(objects, b"/First true"))
    request = await published(objects, b"/Second true")
    assert request.file.signed

    raised = await augment_seal(objects, sealer(authority), request)

    assert (await objects.get(raised.signed)).startswith(await objects.get(request.file.signed))


async def test_without_an_authority_or_a_valid_augmentation_nothing_is_stored(
    authority: TimestampServer, objects: MemoryObjectStore, unsealed: AugmentRequest
) -> None:
    untrusting = TrustAnchors(seals=KEYS.trusted().seals)  # no timestamp is trusted where the result is validated
    with pytest.raises(SealFailed, match="stays at B-B"):
        await augment_seal(objects, sealer(authority, untrusting), unsealed)
    authority.stop()
    with pytest.raises(TimestampsFailed, match="cannot be reached"):
        await augment_seal(objects, sealer(authority), unsealed)
    assert len(objects.objects) == 1


async def test_without_an_authority_any_more_the_seal_is_left_as_it_is_and_waits_for_nothing(
    objects: MemoryObjectStore, unsealed: AugmentRequest
) -> None:
    raised = await augment_seal(objects, SEALER, unsealed)
    assert raised == AugmentedDocument(signed=unsealed.file.signed, seal=Seal(level=SealLevel.B_B, goal=SealLevel.B_B))
