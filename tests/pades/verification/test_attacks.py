"""Attacks from a grammar: each leaves a changed file, or one in which nothing that is seen or done is another.

ATTACKS says how many are tried; `--hypothesis-seed` repeats a run.
"""

import os
import re
import subprocess
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, event, given, settings

from application.documents.verify import check_file
from domain.audit.verification_report import Verdict
from domain.ports.seals import SealNotValid
from layout.pdf.compare_pages import first_difference
from pades.seal_validation import check_seal
from pades.updates.check_updates import check_updates
from pades.updates.grammar import DisallowedChange
from pades.verification.verify_file import verify_file
from tests.pades.verification.attacks import Attacked, attacks
from tests.pades.verification.prepared_documents import base, certificate, drawing_certificate
from tests.pades.verification.sealed_files import NOW, TRUSTED
from tests.programs import program

COUNT = int(os.environ.get("ATTACKS", "300"))

_ACTIVE = re.compile(rb"/(?:A|AA|OpenAction|JS|JavaScript|URI|Launch|XFA|GoToR|SubmitForm|ImportData)\b")
_BASES = [(prepared, raised) for prepared in (False, True) for raised in (False, True)]

_many = settings(
    max_examples=COUNT,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
_some = settings(_many, max_examples=max(COUNT // 20, 20))

# Hypothesis compares the state of the global `random` around each draw. Threads that earlier tests of the process have
# started change it too, such as those of Temporal workers and of trace exporters, whose libraries draw identifiers and
# pauses from it. No strategy of these tests uses it.
pytestmark = pytest.mark.filterwarnings("ignore:Do not use the `random` module inside strategies")


@pytest.fixture(scope="module", autouse=True)
def _sealed_before_draws() -> None:
    """Seals the documents outside of the strategies, so that a draw takes no time in which a thread could run."""
    for prepared, raised in _BASES:
        base(is_prepared=prepared, is_raised=raised)
    certificate()
    drawing_certificate()


@pytest.mark.poppler
@_many
@given(attacks())
def test_what_is_added_is_refused_or_shows_nothing(attack: Attacked) -> None:
    before, after, told = attack.base, attack.pdf, attack.told
    try:
        check_updates(after, before.end)
    except DisallowedChange as refused:
        event(f"refused: {refused}")
        return
    event("taken for evidence")
    assert first_difference(before.pdf, after) is None, told
    assert _base_drawn_by_poppler(before.pdf) == _drawn_by_poppler(after), told
    assert not _ACTIVE.search(after[len(before.pdf) :]), told


@_some
@given(attacks())
def test_no_attack_is_found_genuine_by_one_check_and_changed_by_another(attack: Attacked) -> None:
    before, after, told = attack.base, attack.pdf, attack.told
    try:
        check_updates(after, before.end)
    except DisallowedChange:
        assert verify_file(after, TRUSTED, NOW).verdict in {Verdict.CHANGED, Verdict.UNREADABLE}, told
        with pytest.raises(SealNotValid):
            check_seal(after, TRUSTED)
    else:
        if b"/DocTimeStamp" in after[len(before.pdf) :]:  # of which nobody made a token
            assert verify_file(after, TRUSTED, NOW).verdict is not Verdict.GENUINE
            return
        assert check_file(after, TRUSTED, NOW).verdict is Verdict.GENUINE, told
        check_seal(after, TRUSTED)


@pytest.mark.parametrize(("is_prepared", "is_raised"), _BASES)
def test_what_is_attacked_is_genuine_before(is_prepared: bool, is_raised: bool) -> None:
    attacked = base(is_prepared=is_prepared, is_raised=is_raised)
    assert check_file(attacked.pdf, TRUSTED, NOW).verdict is Verdict.GENUINE


@cache
def _base_drawn_by_poppler(pdf: bytes) -> list[bytes]:
    return _drawn_by_poppler(pdf)


def _drawn_by_poppler(pdf: bytes) -> list[bytes]:
    """Every page as poppler draws it."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "file.pdf"
        path.write_bytes(pdf)
        drawing = [program("pdftoppm"), "-r", "72", str(path), str(Path(folder) / "page")]
        subprocess.run(drawing, check=True, capture_output=True)
        return [page.read_bytes() for page in sorted(Path(folder).glob("page*.ppm"))]
