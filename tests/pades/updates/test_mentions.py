"""No object that the sealed bytes mention, in whatever spelling, can be added."""

import re
import zlib
from io import BytesIO

import pikepdf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.audit.verification_report import Verdict
from pades.updates.grammar import DisallowedChange
from pades.updates.mentions import check_mentions
from pades.verification.verify_file import verify_file
from tests.pades.verification.additions import Opened, content_added
from tests.pades.verification.incremental_updates import Written, usual_form, with_update
from tests.pades.verification.sealed_files import NOW, TRUSTED, pages, sealed

_BLANK = st.sampled_from(["", " ", "\n", "\r", "\t", "\0", "\f", "%x\n", "%R 1 obj\r", "  %\n %%\r\n"])
_BETWEEN = st.lists(_BLANK, max_size=3).map("".join)


@given(
    first=_BETWEEN, second=_BETWEEN, sign=st.sampled_from(["", "+", "-", "+0"]), zeros=st.sampled_from(["", "0", "000"])
)
def test_every_spelling_of_a_reference_is_a_mention(first: str, second: str, sign: str, zeros: str) -> None:
    if not first and not sign:
        first = " "
    reference = f"[{zeros}40{first}{sign}1{second}R]".encode()
    with pytest.raises(DisallowedChange, match="refers to an added object"):
        check_mentions(b"5 0 obj " + reference + b" endobj", {40, 41})
    check_mentions(b"5 0 obj " + reference + b" endobj", {41, 4, 140})


@pytest.mark.parametrize("text", [b"40 0 obj <<>> endobj", b"(40 0 R)", b"40 0.0 R"])
def test_definitions_and_texts_are_mentions_too(text: bytes) -> None:
    with pytest.raises(DisallowedChange):
        check_mentions(text, {40})


@pytest.mark.parametrize(
    "held", [b"40 0 RG", b"40 0 0 rg", b"140 0 R", b"40 0", b"40.5 0 R", b"[40 0] R", b"/R40 0 Rx"]
)
def test_what_no_reader_takes_for_a_reference_is_none(held: bytes) -> None:
    check_mentions(held, {40})


def _predicted(data: bytes) -> bytes:
    """`data` in rows of ten bytes, each less the one above it."""
    rows = [data[at : at + 10].ljust(10) for at in range(0, len(data), 10)]
    above = [bytes(10), *rows]
    return b"".join(
        b"\2" + bytes((one - before) % 256 for one, before in zip(row, up, strict=True))
        for row, up in zip(rows, above, strict=False)
    )


HELD = b"7 0 [1 2 3 4 5 6 40 %x\n1 R 7 8 9 10 11 12 13 14]"
PACKED: dict[str, tuple[bytes, bytes]] = {
    "packed": (b"/Filter/FlateDecode", zlib.compress(HELD)),
    "packed twice": (b"/Filter[/FlateDecode/FlateDecode]", zlib.compress(zlib.compress(HELD))),
    "predicted": (b"/Filter/FlateDecode/DecodeParms<</Predictor 12/Columns 10>>", zlib.compress(_predicted(HELD))),
    "in digits": (b"/Filter/ASCIIHexDecode", HELD.hex().encode()),
    "in escaped digits": (b"/Filter/ASCII#48exDecode", HELD.hex().encode()),
    "in lines of digits": (b"/Filter[/A85/Fl]", b"digits"),
}


@pytest.mark.parametrize("name", PACKED)
@pytest.mark.parametrize("first", [b"/First 4", b"/F#69rst 4"])
def test_references_in_object_streams_are_found(name: str, first: bytes) -> None:
    entries, data = PACKED[name]
    stream = b"9 0 obj<</N 1%b%b/Length %d>>stream\r\n%b\nendstream endobj" % (first, entries, len(data), data)
    with pytest.raises(DisallowedChange):
        check_mentions(stream, {40})
    if "digits" not in name:
        check_mentions(stream, {41})


@pytest.mark.parametrize("spelling", [b"%d +0 R", b"%d %%x\n0 R", b"%d 0%%\rR", b"0%d 0 R"])
def test_an_object_that_waits_in_another_spelling_gets_nothing(spelling: bytes) -> None:
    with pikepdf.open(BytesIO(pages(1))) as opened:
        size = int(opened.trailer.Size)
    waiting = {size: b"<</Type/Font/Subtype/Type3/CharProcs<</a %b>>>>" % (spelling % (size + 40))}
    before = sealed(with_update(pages(1), Written(waiting, usual_form(pages(1)))))
    assert verify_file(before, TRUSTED, NOW).verdict is Verdict.GENUINE
    assert verify_file(content_added(Opened(before), size + 40), TRUSTED, NOW).verdict is Verdict.CHANGED


def test_an_object_that_is_free_with_its_true_offset_takes_nothing() -> None:
    """Some readers find it all the same: it is a font whose letters come later."""
    opened = Opened(sealed(pages(1)))
    waits = opened.size + 30
    font = b"<</Type/Font/Subtype/Type3/CharProcs<</a %d 0 R>>>>" % waits
    prepared = with_update(opened.pdf, Written({opened.size: font}, usual_form(opened.pdf)))
    start = prepared.index(b"%d 0 obj" % opened.size, len(opened.pdf))
    table = prepared[len(opened.pdf) :]
    assert re.search(rb"%010d 00000 n" % start, table) or b"/XRef" in table
    freed = prepared[: len(opened.pdf)] + table.replace(b"%010d 00000 n" % start, b"%010d 00000 f" % start)
    before = sealed(freed)
    added = content_added(Opened(before), waits)
    assert verify_file(added, TRUSTED, NOW).verdict is Verdict.CHANGED
