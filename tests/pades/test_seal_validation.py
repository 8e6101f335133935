"""What makes a seal no seal of ours: a certificate that has ended, a changed byte, an authority that is not there."""

from datetime import timedelta

import pytest

from domain.ports.seals import SealNotValid, TrustAnchors
from domain.seal.seal import SealLevel
from pades.seal_validation import check_seal
from tests.fakes.seals import KEYS
from tests.pades.genuine_updates import sealed_pages
from tests.pades.verification.sealed_files import CLOCK, Sealing, pages, sealed, with_revocations
from tests.pades.verification.test_trust import NOW, ROOT, SUB, by, der, issue


def test_a_seal_whose_certificate_has_ended_is_refused() -> None:
    ended = issue(ROOT, until=NOW - timedelta(days=1))
    with pytest.raises(SealNotValid, match="it has expired"):
        check_seal(by(ROOT, ended), TrustAnchors((der(ended),)))


def test_a_file_that_was_changed_after_it_was_sealed_is_refused() -> None:
    assert b"/Lang (en)" in sealed_pages()
    with pytest.raises(SealNotValid, match="was changed after it was sealed"):
        check_seal(sealed_pages().replace(b"/Lang (en)", b"/Lang (fr)"), KEYS.trusted())


@pytest.mark.parametrize(("pdf", "message"), [(pages(), "has no seal"), (b"no PDF", "cannot be checked")])
def test_what_has_no_seal_is_refused(pdf: bytes, message: str) -> None:
    with pytest.raises(SealNotValid, match=message):
        check_seal(pdf, KEYS.trusted())


def test_evidence_without_the_highest_authority_does_not_last() -> None:
    seal = issue(SUB)
    stamped = sealed(pages(1), Sealing(SUB, seal, CLOCK.stamper(NOW)))
    trusted = TrustAnchors(seals=(der(seal),), timestamps=(CLOCK.der,))
    assert check_seal(stamped, trusted) is SealLevel.B_T
    assert check_seal(with_revocations(stamped, SUB), trusted) is SealLevel.B_T
