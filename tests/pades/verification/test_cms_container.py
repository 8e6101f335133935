"""Every byte of the container of a signature counts, though nothing covers it."""

import re

import pytest

from pades.cms import is_canonical_cms
from tests.fakes.seals import KEYS
from tests.pades.verification.authorities import TimestampAuthority
from tests.pades.verification.sealed_files import OURS, Sealing, pages, sealed
from tests.pades.verification.test_verify_file import NOW

BELIEVED = KEYS.trusted().seals


def room(pdf: bytes) -> bytes:
    start, end = map(int, re.findall(rb"/ByteRange\s*\[0 (\d+) (\d+)", pdf)[-1])
    return pdf[start:end]


@pytest.fixture(scope="module")
def tidy() -> bytes:
    return room(sealed(pages()))


def test_the_container_of_a_seal_is_tidy(tidy: bytes) -> None:
    assert is_canonical_cms(tidy, BELIEVED)


def test_so_is_one_with_a_timestamp() -> None:
    stamped = sealed(pages(), Sealing(OURS.authority, OURS.seal, TimestampAuthority().stamper(NOW)))
    assert is_canonical_cms(room(stamped), BELIEVED)


@pytest.mark.parametrize(
    "spoiled",
    [
        lambda found: found[:-3] + b"01>",
        lambda found: found[:-2] + b" >",
        lambda found: found[:-2] + b">",
        lambda found: found.upper()[:90] + found[90:],
        lambda found: b"(" + found[1:],
        lambda found: b"<>",
        lambda found: b"",
    ],
)
def test_what_does_not_belong_into_it_is_seen(tidy: bytes, spoiled: object) -> None:
    assert not is_canonical_cms(spoiled(tidy), BELIEVED)  # type: ignore[operator]


def test_what_no_signature_covers_is_held_to_its_form(tidy: bytes) -> None:
    """Versions, algorithms, embedded certificates: a change of any bit of them, or the signature sees it itself."""
    contents = bytes.fromhex(tidy[1:-1].decode())
    length = 4 + int.from_bytes(contents[2:4], "big")
    places = range(0, length, 9)
    seen = sum(
        not is_canonical_cms(_room_of(contents[:at] + bytes([contents[at] ^ 1]) + contents[at + 1 :]), BELIEVED)
        for at in places
    )

    assert seen > 0.55 * len(
        places
    )  # the rest is signed: attributes, the hash, the signature, the certificate of the seal


def _room_of(contents: bytes) -> bytes:
    return b"<" + contents.hex().encode() + b">"
