"""How far a seal goes: with a timestamp authority, with evidence, and what happens when it is down."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from adapters.sealing import timestamp_client
from adapters.sealing.sealer import PadesSealer, TargetLevel
from adapters.sealing.timestamp_client import HttpTimestampAuthority
from domain.seal.seal import SealLevel
from pades.certificates import new_crl
from ports.sealing import EvidenceFailed, SealedPdf, TrustAnchors
from ports.sealing import TimestampsFailed as Failed
from tests.adapters.sealing import timestamp_server
from tests.adapters.sealing.timestamp_server import TimestampServer, serving_timestamps
from tests.application.uploads import pdfs
from tests.fakes.processes import InlinePool
from tests.fakes.seals import KEYS, seal
from tests.layout.reading import check
from tests.pades.readers import pdfsig

ABOVE = [SealLevel.B_T, SealLevel.B_LT, SealLevel.B_LTA]
TROUBLES = [
    (timestamp_server.failing, "answers 500"),
    (timestamp_server.babbling, "answers what is no timestamp"),
    (timestamp_server.flooding, "answers more than 64 KiB"),
    (timestamp_server.refusing, "refuses: .*out of quota"),
    (timestamp_server.stamping_something_else, "signs something else"),
    (timestamp_server.answering_another, "refuses|no timestamp"),
    (timestamp_server.of_another_authority, "is not believed"),
    (timestamp_server.hanging, "does not answer within"),
]


@pytest.fixture
def authority() -> Iterator[TimestampServer]:
    with serving_timestamps() as server:
        yield server


def sealer(authority: TimestampServer, level: SealLevel = SealLevel.B_T, **others: Any) -> PadesSealer:
    trusted = TrustAnchors(seals=KEYS.trusted().seals, timestamps=authority.roots)
    goal = TargetLevel(
        level, HttpTimestampAuthority(authority.address, authority.roots), lambda: (new_crl(KEYS.authority),)
    )
    return PadesSealer(KEYS, lambda: trusted, InlinePool(), goal)


async def seal_pages(by: PadesSealer) -> SealedPdf:
    return await seal(pdfs.of_pages(2), by)


@pytest.mark.poppler
@pytest.mark.parametrize("level", ABOVE)
async def test_each_level_is_reached_and_found_by_others(
    level: SealLevel, authority: TimestampServer, tmp_path: Path
) -> None:
    sealed = await seal_pages(sealer(authority, level))

    told = pdfsig(sealed.pdf, tmp_path)
    assert sealed.level is level
    check(sealed.pdf)
    assert "Signature is Valid." in told
    assert "Signature has been Invalidated" not in told
    assert authority.crls_fetched == (0 if level is SealLevel.B_T else authority.crls_fetched)
    assert (b"/DSS" in sealed.pdf) is (level is not SealLevel.B_T)
    assert (b"/DocTimeStamp" in sealed.pdf) is (level is SealLevel.B_LTA)


@pytest.mark.poppler
@pytest.mark.parametrize("level", ABOVE)
async def test_a_seal_made_while_the_authority_is_down_is_raised_when_it_is_up(
    level: SealLevel, authority: TimestampServer, tmp_path: Path
) -> None:
    by = sealer(authority, level)
    authority.stop()
    sealed = await seal_pages(by)
    assert sealed.level is SealLevel.B_B
    with pytest.raises(Failed, match=r"at 127\.0\.0\.1 cannot be reached"):
        await by.augment_seal(sealed)

    authority.start()
    raised = await by.augment_seal(sealed)

    assert raised.level is level
    assert raised.pdf.startswith(sealed.pdf)  # by updates only: the seal stays as it was
    check(raised.pdf)
    told = pdfsig(raised.pdf, tmp_path)
    assert "Signature is Valid." in told


@pytest.mark.parametrize(("behaviour", "says"), TROUBLES)
async def test_an_authority_in_trouble_holds_no_seal_and_is_named(
    behaviour: Any, says: str, authority: TimestampServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    if behaviour is timestamp_server.hanging:
        monkeypatch.setattr(timestamp_client, "SECONDS", 0.3)
    authority.behaviour = behaviour
    by = sealer(authority)

    sealed = await seal_pages(by)

    assert sealed.level is SealLevel.B_B
    with pytest.raises(Failed, match=says):
        await by.augment_seal(sealed)


async def test_an_authority_that_failed_is_left_alone_for_a_while(authority: TimestampServer) -> None:
    authority.behaviour = timestamp_server.failing
    by = sealer(authority)

    levels = [(await seal_pages(by)).level for _ in range(3)]

    assert levels == [SealLevel.B_B] * 3
    assert len(authority.requests) == 1


async def test_without_evidence_to_be_had_the_level_below_is_published(authority: TimestampServer) -> None:
    trusted = TrustAnchors(seals=KEYS.trusted().seals, timestamps=authority.roots)
    goal = TargetLevel(
        SealLevel.B_LT, HttpTimestampAuthority(authority.address, authority.roots)
    )  # nobody knows of revocations
    by = PadesSealer(KEYS, lambda: trusted, InlinePool(), goal)

    sealed = await seal_pages(by)

    assert sealed.level is SealLevel.B_T
    with pytest.raises(EvidenceFailed, match="revocation status"):
        await by.augment_seal(sealed)


async def test_a_timestamp_of_an_authority_that_is_not_believed_proves_nothing(authority: TimestampServer) -> None:
    sealed = await seal_pages(sealer(authority))
    without = PadesSealer(KEYS, KEYS.trusted, InlinePool())

    assert await without.level_of(sealed.pdf) is SealLevel.B_B


async def test_evidence_that_is_not_covered_by_a_timestamp_is_no_highest_level(authority: TimestampServer) -> None:
    by, lower = sealer(authority, SealLevel.B_LT), sealer(authority)
    authority.stop()
    sealed = await seal_pages(lower)
    authority.start()
    stamped = await lower.augment_seal(sealed)  # a document timestamp, over the seal alone

    raised = await by.augment_seal(stamped)

    assert (stamped.level, raised.level) == (SealLevel.B_T, SealLevel.B_LT)


async def test_a_seal_that_has_reached_its_goal_is_left_as_it_is(authority: TimestampServer) -> None:
    by = sealer(authority)
    sealed = await seal_pages(by)

    assert await by.augment_seal(sealed) == sealed
