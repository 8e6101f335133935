"""What was sealed before stays genuine."""

import pytest

from application.documents.verify import check_file
from domain.audit.verification_report import Verdict
from tests.pades.golden_seals import GOLDEN_TRUST, RECORDED_AT, SEALED


@pytest.mark.parametrize("name", SEALED)
def test_a_file_of_a_released_version_is_genuine(name: str) -> None:
    report = check_file(SEALED[name], GOLDEN_TRUST, RECORDED_AT)
    assert report.verdict is Verdict.GENUINE, report.findings
    assert report.seal
    assert report.seal.level
    assert name.endswith((f"-{report.seal.level.value}", "-raised"))
