"""Lines and dashes without a length get one, so that all readers draw their ends."""

import pytest

from application.uploads.content_state import Named
from application.uploads.plain_content import plain_content
from application.uploads.stroke_lengths import plain_dashes


def plain(content: bytes) -> bytes:
    once = plain_content(content, Named())
    assert plain_content(once, Named()) == once
    return once


@pytest.mark.parametrize(
    ("content", "written"),
    [
        (b"100 300 m 100 300 l S", b"100 300 m 100.001 300 l S"),
        (b"100 300 m 100.00 +300. l S", b"100 300 m 100.001 300 l S"),
        (b"100 300 m 100.0001 300 l S", b"100 300 m 100.001 300 l S"),
        (b"30 w 1 300 m 1 300 l h S", b"30 w 1 300 m 1.03 300 l h S"),
        (b"q 30 w Q 5 3 m 5 3 l S", b"q 30 w Q 5 3 m 5.001 3 l S"),
        (b"100000 3 m 100000 3 l S", b"100000 3 m 100001 3 l S"),
        (b"100 300 m h S", b"100 300 m 100.001 300 l S"),
        (b"[0 40] 0 d", b"[0.04 40] 0 d"),
        (b"[0 40 0] 5 d", b"[0.04 40 0.04] 5 d"),
        (b"[0 4 2 4]0 d", b"[0.002 4 2 4]0 d"),
    ],
)
def test_what_has_no_length_gets_one(content: bytes, written: bytes) -> None:
    assert plain(content).split() == written.split()


@pytest.mark.parametrize(
    "content",
    [
        b"100 300 m 200 300 l 200 300 l S",
        b"100 300 m 100 300.5 l S",
        b"0 0 0 0 re W n",
        b"[3 0] 0 d",
        b"[] 0 d",
        b"100 300 m % a remark\n100 300 l S",
    ],
)
def test_what_all_readers_draw_stays(content: bytes) -> None:
    assert plain(content) == content


def test_dashes_that_have_no_length_at_all_stay() -> None:
    assert plain_dashes([0, 0]) == [0, 0]
