"""Seals: what they cover, which changes break them, and how far they go with a timestamp authority."""

from collections.abc import Iterator
from typing import Any

import pytest

from adapters.sealing import timestamp_client
from adapters.sealing.sealer import PadesSealer
from domain.ports.seals import EvidenceFailed, NotSealable, PreparedPdf, SealedPdf, SealNotValid
from domain.ports.seals import TimestampsFailed as Failed
from domain.seal.seal import SealLevel
from layout.engine import render
from pades.prepare_seal import prepare_seal
from tests.adapters.sealing import timestamp_server
from tests.adapters.sealing.timestamp_server import TimestampServer, serving_timestamps
from tests.application.uploads import pdfs
from tests.fakes.processes import InlinePool
from tests.fakes.seals import KEYS, REFERENCE, SEALER, MemoryKeys, seal, sealer_at
from tests.layout.documents import document, signature
from tests.pades.verification.test_file_structure import having_length


def ours() -> bytes:
    rendered = render(document(signature("For the client")), ["client"])
    assert rendered.pdf
    return rendered.pdf


async def test_no_change_is_allowed_after_the_seal() -> None:
    sealed = await seal(ours(), SEALER)
    assert b"/DocMDP" in sealed.pdf
    assert b"/P 1" in sealed.pdf


@pytest.mark.parametrize("place", [50, 400, -500])
async def test_a_changed_byte_breaks_the_seal(place: int) -> None:
    sealed = bytearray((await seal(pdfs.of_pages(3), SEALER)).pdf)
    sealed[place] ^= 1
    with pytest.raises(SealNotValid):
        await SEALER.level_of(bytes(sealed))


@pytest.mark.parametrize("added", [b"\n% and then", b" ", b"\nstartxref\n0\n%%EOF\n"])
async def test_content_after_the_seal_breaks_it(added: bytes) -> None:
    sealed = await seal(ours(), SEALER)
    with pytest.raises(SealNotValid):
        await SEALER.level_of(sealed.pdf + added)


async def test_a_pdf_without_a_seal_has_no_level() -> None:
    with pytest.raises(SealNotValid, match="notSealed"):
        await SEALER.level_of(ours())


async def test_a_seal_under_another_authority_is_not_ours() -> None:
    strangers = MemoryKeys()
    sealed = await seal(ours(), PadesSealer(strangers.current, strangers.trusted, InlinePool()))
    with pytest.raises(SealNotValid, match="unknownAuthority"):
        await SEALER.level_of(sealed.pdf)


async def test_seals_of_before_hold_after_another_key_took_over() -> None:
    keys = MemoryKeys(KEYS.authority)
    before = await seal(ours(), PadesSealer(keys.current, keys.trusted, InlinePool()))
    keys.rotate()
    assert await PadesSealer(keys.current, keys.trusted, InlinePool()).level_of(before.pdf) is SealLevel.B_B


async def test_what_verification_does_not_call_genuine_is_not_published() -> None:
    with pytest.raises(SealNotValid, match="contradictory, because of file"):
        await seal(having_length(b"900000"), SEALER)


def test_only_pdfs_are_sealed() -> None:
    with pytest.raises(NotSealable):
        prepare_seal(b"%PDF-1.7 of somebody", 1000, REFERENCE)


def test_a_signature_that_does_not_fit_is_refused_rather_than_cut() -> None:
    with pytest.raises(NotSealable, match="reserved"):
        PreparedPdf(pdf=b"<0000>", digest=b"", start=0, end=6).with_signature(b"abc")


TROUBLES = [
    (timestamp_server.failing, "answers 500"),
    (timestamp_server.answering(b"<html>Sign in to the network</html>"), "returned an invalid timestamp"),
    (timestamp_server.answering(b"\x30" * 1_000_000), "answers more than 64 KiB"),
    (timestamp_server.answering(timestamp_server.REFUSAL), "refuses: .*out of quota"),
    (timestamp_server.changing("hashed_message", b"\0" * 32, "message_imprint"), "signs something else"),
    (timestamp_server.changing("nonce", 7), "refuses|invalid timestamp"),
    (timestamp_server.of_another_authority, "is not trusted"),
    (timestamp_server.hanging, "does not answer within"),
    (None, r"at 127\.0\.0\.1:\d+ cannot be reached"),
]


@pytest.fixture
def authority() -> Iterator[TimestampServer]:
    with serving_timestamps() as server:
        yield server


async def seal_pages(by: PadesSealer) -> SealedPdf:
    return await seal(pdfs.of_pages(2), by)


@pytest.mark.parametrize(("behaviour", "says"), TROUBLES)
async def test_an_authority_in_trouble_holds_no_seal_and_is_named(
    behaviour: Any, says: str, authority: TimestampServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    if behaviour is timestamp_server.hanging:
        monkeypatch.setattr(timestamp_client, "SECONDS", 0.3)
    authority.behaviour = behaviour
    if behaviour is None:
        authority.stop()
    by = sealer_at(authority)

    sealed = await seal_pages(by)

    assert sealed.level is SealLevel.B_B
    with pytest.raises(Failed, match=says):
        await by.augment_seal(sealed)


async def test_an_authority_that_failed_is_left_alone_for_a_while(authority: TimestampServer) -> None:
    authority.behaviour = timestamp_server.failing
    by = sealer_at(authority)

    levels = [(await seal_pages(by)).level for _ in range(3)]

    assert levels == [SealLevel.B_B] * 3
    assert len(authority.requests) == 1


async def test_without_evidence_to_be_had_the_level_below_is_published(authority: TimestampServer) -> None:
    by = sealer_at(authority, SealLevel.B_LT, has_crl=False)

    sealed = await seal_pages(by)

    assert sealed.level is SealLevel.B_T
    with pytest.raises(EvidenceFailed, match="revocation status"):
        await by.augment_seal(sealed)


async def test_an_untrusted_timestamp_proves_nothing(authority: TimestampServer) -> None:
    sealed = await seal_pages(sealer_at(authority))
    without = PadesSealer(KEYS.current, KEYS.trusted, InlinePool())
    assert await without.level_of(sealed.pdf) is SealLevel.B_B


async def test_evidence_that_is_not_covered_by_a_timestamp_is_no_highest_level(authority: TimestampServer) -> None:
    by, lower = sealer_at(authority, SealLevel.B_LT), sealer_at(authority)
    authority.stop()
    sealed = await seal_pages(lower)
    authority.start()
    stamped = await lower.augment_seal(sealed)  # a document timestamp, over the seal alone

    raised = await by.augment_seal(stamped)

    assert (stamped.level, raised.level) == (SealLevel.B_T, SealLevel.B_LT)


async def test_a_seal_that_has_reached_its_goal_is_left_as_it_is(authority: TimestampServer) -> None:
    by = sealer_at(authority)
    sealed = await seal_pages(by)
    assert await by.augment_seal(sealed) == sealed
