"""What is said of files, whatever was done to them. `tampering` has what can be done."""

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import cache, partial
from typing import Any

import pytest
from cryptography.hazmat.primitives.serialization import Encoding
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.audit.verification_report import Check, FileReport, Outcome, Verdict
from domain.ports.seals import TrustAnchors
from domain.seal.seal import SealLevel
from pades.certificates import new_seal
from pades.verification.verify_file import verify_file
from tests.fakes.seals import KEYS, REFERENCE
from tests.pades.verification.sealed_files import (
    CLOCK,
    NOW,
    OURS,
    TRUSTED,
    YEAR,
    Sealing,
    TimestampAuthority,
    look_alike,
    pages,
    sealed,
    with_document_timestamp,
    with_revocations,
    with_revocations_by_others,
)
from tests.pades.verification.tampering import BYTES, FORGERIES, MARKS, SHADOWS, TOOLS

STAMPED = Sealing(KEYS.authority, KEYS.pair, CLOCK.stamper(NOW))
IN_TWELVE_YEARS = NOW + 12 * YEAR
"""The certificate of the seal has expired, that of its authority has not."""


@cache
def untouched() -> bytes:
    return sealed(pages())


def told(report: FileReport, check: Check) -> str:
    return " ".join(finding.text for finding in report.findings if finding.check is check)


def outcomes(report: FileReport) -> dict[Check, Outcome]:
    return {finding.check: finding.outcome for finding in report.findings}


def test_an_untouched_file_is_genuine_and_everything_that_is_looked_at_holds() -> None:
    report = verify_file(untouched(), TRUSTED, NOW)

    assert report.verdict is Verdict.GENUINE
    assert outcomes(report) == {
        Check.FILE: Outcome.HOLDS,
        Check.SEAL: Outcome.HOLDS,
        Check.CHANGES: Outcome.HOLDS,
        Check.AUTHORITY: Outcome.HOLDS,
        Check.STATEMENT: Outcome.HOLDS,
        Check.TIME: Outcome.OPEN,
        Check.LEVEL: Outcome.HOLDS,
    }
    assert report.seal
    assert (report.seal.level, report.seal.proven_at) == (SealLevel.B_B, None)
    assert report.seal.claimed_at
    assert report.seal.sealed_by.startswith("Undersign Seal ")
    assert report.seal.revision_sha256 == report.sha256


CHANGES = {**TOOLS, **BYTES, **FORGERIES}


@pytest.mark.parametrize("change", [pytest.param(name, marks=MARKS.get(name, ())) for name in CHANGES])
def test_what_a_tool_or_an_attacker_has_changed_is_changed(change: str) -> None:
    changed = CHANGES[change](untouched())
    assert changed != untouched()
    assert verify_file(changed, TRUSTED, NOW).verdict is Verdict.CHANGED


@pytest.mark.parametrize("attack", SHADOWS)
def test_shadow_documents_are_genuine_until_their_shadow_shows(attack: str) -> None:
    prepare, reveal = SHADOWS[attack]
    shadowed = sealed(prepare(pages()))
    assert verify_file(shadowed, TRUSTED, NOW).verdict is Verdict.GENUINE
    report = verify_file(reveal(shadowed), TRUSTED, NOW)
    assert report.verdict is Verdict.CHANGED
    assert outcomes(report)[Check.CHANGES] is Outcome.FAILS


def test_one_byte_changed_anywhere_shows() -> None:
    file = untouched()
    places = [*range(0, len(file), len(file) // 60), *_places_in_room(file), len(file) - 1]
    for place in places:
        changed = file[:place] + bytes([file[place] ^ 1]) + file[place + 1 :]
        verdict = verify_file(changed, TRUSTED, NOW).verdict
        assert verdict in {Verdict.CHANGED, Verdict.UNREADABLE}, f"byte {place}: {verdict}"


def _places_in_room(file: bytes) -> range:
    """Of the signature itself, which it cannot cover: its bytes are two digits each."""
    start = int(re.findall(rb"/ByteRange\s*\[0 (\d+)", file)[0])
    return range(start, start + 2_700, 53)


@pytest.mark.parametrize("length", [0, 1, 8, 500, 9_000, 20_000])
def test_a_file_that_is_cut_off_is_never_genuine(length: int) -> None:
    report = verify_file(untouched()[:length], TRUSTED, NOW)
    assert report.verdict in {Verdict.UNREADABLE, Verdict.CHANGED}
    assert Outcome.FAILS in outcomes(report).values()


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 38_000), st.binary(min_size=1, max_size=40), st.integers(0, 40))
def test_no_edit_makes_a_genuine_file_or_an_error(place: int, put: bytes, over: int) -> None:
    file = untouched()
    edited = file[:place] + put + file[place + over :]
    if edited != file:
        assert verify_file(edited, TRUSTED, NOW).verdict in {Verdict.CHANGED, Verdict.UNREADABLE}


@settings(max_examples=50, deadline=None)
@given(st.binary(max_size=400))
def test_any_bytes_at_all_are_reported_on(file: bytes) -> None:
    assert verify_file(file, TRUSTED, NOW).verdict is Verdict.UNREADABLE
    assert not verify_file(b"%PDF-1.7\n" + file, TRUSTED, NOW).verdict.is_intact


def test_a_pdf_without_a_seal_is_not_sealed() -> None:
    report = verify_file(pages(), TRUSTED, NOW)
    assert report.verdict is Verdict.NOT_SEALED
    assert report.seal is None


def test_an_authority_that_says_the_same_of_itself_is_not_believed() -> None:
    report = verify_file(sealed(pages(), LOOK_ALIKE), TRUSTED, NOW)
    assert report.verdict is Verdict.UNKNOWN_AUTHORITY
    assert outcomes(report)[Check.AUTHORITY] is Outcome.FAILS
    assert "Names can be made up" in told(report, Check.AUTHORITY)


def test_a_seal_over_the_signature_of_a_stranger_is_genuine_and_says_so() -> None:
    report = verify_file(sealed(sealed(pages(), LOOK_ALIKE)), TRUSTED, NOW)
    assert outcomes(report)[Check.EARLIER] is Outcome.OPEN
    assert "There is a signature of “Undersign Seal" in told(report, Check.EARLIER)


def test_an_expired_certificate_without_a_timestamp_proves_nothing() -> None:
    report = verify_file(untouched(), TRUSTED, IN_TWELVE_YEARS)
    assert report.verdict is Verdict.UNPROVEN
    assert outcomes(report)[Check.TIME] is Outcome.FAILS
    assert outcomes(report)[Check.SEAL] is Outcome.HOLDS


def test_an_expired_certificate_with_a_timestamp_was_valid_when_it_sealed() -> None:
    report = verify_file(sealed(pages(), STAMPED), TRUSTED, IN_TWELVE_YEARS)
    assert report.verdict is Verdict.GENUINE
    assert report.seal
    assert report.seal.level is SealLevel.B_T
    assert report.seal.proven_at == NOW


def test_a_timestamp_of_a_strange_authority_proves_nothing() -> None:
    report = verify_file(sealed(pages(), STAMPED), KEYS.trusted(), IN_TWELVE_YEARS)
    assert report.verdict is Verdict.UNPROVEN
    assert "an authority that is not trusted here" in told(report, Check.TIME)


SHORT = TimestampAuthority(years=2)
FORMER = new_seal(KEYS.authority)
LOOK_ALIKE = Sealing(*look_alike(KEYS.authority, KEYS.pair))
BOTH = TrustAnchors(KEYS.trusted().seals, (SHORT.der, CLOCK.der))
FORMER_TOO = TrustAnchors((*TRUSTED.seals, FORMER.certificate.public_bytes(Encoding.DER)))
OWN = TrustAnchors((KEYS.pair.certificate.public_bytes(Encoding.DER),))
SOON = NOW + timedelta(minutes=1)


def stamped_at(at: datetime, clock: TimestampAuthority = CLOCK) -> bytes:
    return sealed(pages(), Sealing(KEYS.authority, KEYS.pair, clock.stamper(at)))


def of_former() -> bytes:
    return sealed(pages(), Sealing(KEYS.authority, FORMER))


def renewed() -> bytes:
    kept = with_revocations(stamped_at(NOW, SHORT), KEYS.authority)
    return with_document_timestamp(kept, CLOCK.stamper(NOW + YEAR / 2))


def revoked_later() -> bytes:
    return with_revocations(stamped_at(NOW - timedelta(days=1)), KEYS.authority, revoked=(KEYS.pair,))


def kept_and_changed(tool: str) -> bytes:
    return TOOLS[tool](with_revocations(stamped_at(NOW), KEYS.authority))


VERDICTS: dict[str, tuple[Callable[[], bytes], TrustAnchors, datetime, Verdict]] = {
    "nobody is trusted": (untouched, TrustAnchors(()), NOW, Verdict.UNKNOWN_AUTHORITY),
    "a former key": (of_former, FORMER_TOO, NOW, Verdict.GENUINE),
    "a former key that is not trusted": (of_former, TRUSTED, NOW, Verdict.UNKNOWN_AUTHORITY),
    "a look-alike over a genuine seal": (lambda: sealed(untouched(), LOOK_ALIKE), TRUSTED, NOW, Verdict.CHANGED),
    "a timestamp after the certificate expired": (
        lambda: stamped_at(NOW + 11 * YEAR), TRUSTED, IN_TWELVE_YEARS, Verdict.UNPROVEN,
    ),
    "an expired timestamp": (lambda: stamped_at(NOW, SHORT), BOTH, IN_TWELVE_YEARS, Verdict.UNPROVEN),
    "an expired timestamp under another one": (renewed, BOTH, IN_TWELVE_YEARS, Verdict.GENUINE),
    "a certificate revoked after it provably sealed": (revoked_later, TRUSTED, SOON, Verdict.GENUINE),
    "a certificate that is trusted itself": (untouched, OWN, NOW, Verdict.GENUINE),
    "a certificate that is trusted itself, expired": (untouched, OWN, IN_TWELVE_YEARS, Verdict.UNPROVEN),
    **{
        f"{tool} after validation data": (partial(kept_and_changed, tool), TRUSTED, SOON, Verdict.CHANGED)
        for tool in ("a page added by MuPDF at the end", "a comment added by MuPDF")
    },
    **{
        f"no PDF: {file[:9]!r}": (partial(bytes, file), TRUSTED, NOW, Verdict.UNREADABLE)
        for file in (b"", b"GIF89a", b"PK\x03\x04" + bytes(2000), b"<html>%PDF</html>", bytes(5000))
    },
}  # fmt: skip


@pytest.mark.parametrize("name", VERDICTS)
def test_the_verdict_of_a_file(name: str) -> None:
    make, trusted, now, verdict = VERDICTS[name]
    assert verify_file(make(), trusted, now).verdict is verdict


def test_levels_are_those_that_are_reached() -> None:
    stamped = sealed(pages(), STAMPED)
    kept = with_revocations(with_revocations(stamped, KEYS.authority), CLOCK.root)
    archived = with_document_timestamp(kept, CLOCK.stamper(NOW + timedelta(seconds=5)))
    levels = [verify_file(file, TRUSTED, NOW + timedelta(minutes=1)).seal for file in (stamped, kept, archived)]
    assert [seal and seal.level for seal in levels] == [SealLevel.B_T, SealLevel.B_LT, SealLevel.B_LTA]


@pytest.mark.parametrize("add", [with_revocations, with_revocations_by_others])
def test_what_keeps_a_seal_checkable_is_no_change_and_leaves_its_revision_known(add: Any) -> None:
    stamped = sealed(pages(), STAMPED)
    report = verify_file(add(stamped, KEYS.authority), TRUSTED, NOW + timedelta(minutes=1))
    assert report.verdict is Verdict.GENUINE
    assert "hold only validation data" in told(report, Check.CHANGES)
    assert report.seal
    assert report.seal.revision_sha256 == verify_file(stamped, TRUSTED, NOW).sha256


def test_a_certificate_that_was_taken_back_is_not_believed() -> None:
    file = with_revocations(sealed(pages(), OURS), KEYS.authority, revoked=(KEYS.pair,))
    report = verify_file(file, TRUSTED, NOW + timedelta(minutes=1))
    assert report.verdict is Verdict.UNPROVEN
    assert "was revoked" in told(report, Check.TIME)


def test_what_the_seal_states_is_repeated_of_trusted_seals_only() -> None:
    file = sealed(pages())
    stranger = sealed(pages(), LOOK_ALIKE)

    ours, theirs, changed = (
        verify_file(one, TRUSTED, NOW) for one in (file, stranger, file.replace(b"(Reference", b"(Different"))
    )

    assert (ours.seal and ours.seal.statement, told(ours, Check.STATEMENT)) == (
        REFERENCE,
        f"The seal says: {REFERENCE.text}",
    )
    assert (theirs.seal and theirs.seal.statement, told(theirs, Check.STATEMENT)) == (None, "")
    assert (changed.seal and changed.seal.statement, changed.verdict) == (None, Verdict.CHANGED)
