"""Whether a PDF takes a seal: signatures of others hold under it, or it is refused and the reason given."""

from collections.abc import Callable

import pytest

from domain.ports.seals import NotSealable
from pades.sealability import check_sealable
from tests.foreign_pdfs.hostile_samples import of_revisions
from tests.foreign_pdfs.pdf_builder import file
from tests.foreign_pdfs.signed_samples import BROKEN, SIGNED, UNKNOWN, UNSEALABLE, signed


def _over(ranges: bytes) -> bytes:
    """A signature that claims to be about other parts of the file."""
    head, _, tail = signed().partition(b"/ByteRange [")
    covered, _, rest = tail.partition(b"]")
    return head + b"/ByteRange [" + ranges.ljust(len(covered)) + b"]" + rest


REFUSED: dict[str, tuple[Callable[[], bytes], str]] = {
    **UNSEALABLE,
    "a signature of words": (lambda: _over(b"0 (a) 1 1"), UNKNOWN),
    "a signature of a part of the file": (lambda: _over(b"0 9 9 9"), BROKEN),
    "a revision more than leaves room for a seal": (lambda: of_revisions(45), "has more than 40 revisions"),
    "what is no PDF": (lambda: b"%PDF-1.7\nno more", "cannot be added"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_takes_no_seal_is_refused_with_the_reason(name: str) -> None:
    make, reason = REFUSED[name]
    with pytest.raises(NotSealable, match=reason):
        check_sealable(make())


@pytest.mark.parametrize("name", ["signed by two", "signed and timestamped", "certified, to be filled in"])
def test_what_allows_another_signature_takes_a_seal(name: str) -> None:
    check_sealable(SIGNED[name]())


def test_what_nobody_signed_takes_a_seal() -> None:
    check_sealable(file())
