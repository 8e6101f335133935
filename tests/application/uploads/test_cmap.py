"""CMaps that a PDF embeds are read if they have the usual parts only."""

import pytest

from application.uploads.charstrings import OddProgram
from application.uploads.cmap import CMap, read_cmap

CMAP = b"""%%!PS-Adobe-3.0 Resource-CMap
/CIDInit /ProcSet findresource begin 12 dict begin begincmap
/CIDSystemInfo 3 dict dup begin /Registry (Adobe) def /Ordering (Own) def /Supplement 0 def end def
/CMapName /Own def /CMapVersion 1.0 def /CMapType 1 def /XUID [1 10 25404] def %b
1 begincodespacerange %b endcodespacerange
%b
endcmap CMapName currentdict /CMap defineresource pop end end
%%%%EndResource"""

_PAIRS = b"<0000> <FFFF>"


@pytest.mark.parametrize(
    ("head", "space", "codes", "read"),
    [
        (b"", _PAIRS, b"1 begincidrange <0000> <00ff> 0 endcidrange", CMap(2, 0, 65_535, is_vertical=False)),
        (b"/WMode 1 def", b"<00> <ff>", b"1 begincidrange <00> <ff> 0 endcidrange", CMap(1, 0, 255, is_vertical=True)),
        (b"", b"<20> <97>", b"2 begincidchar <20> 1\n<97> 58 endcidchar", CMap(1, 32, 151, is_vertical=False)),
        (b"", _PAIRS, b"", CMap(2, 0, 65_535, is_vertical=False)),
    ],
)  # fmt: skip
def test_usual_cmaps_are_read(head: bytes, space: bytes, codes: bytes, read: CMap) -> None:
    assert read_cmap(CMAP % (head, space, codes)) == read


@pytest.mark.parametrize(
    ("head", "space", "codes"),
    [
        (b"/Identity-H usecmap", _PAIRS, b""),
        (b"/WMode 1 def /WMode 1 def", _PAIRS, b""),
        (b"/WMode 2 def", _PAIRS, b""),
        (b"{", _PAIRS, b""),
        (b"(\\", _PAIRS, b""),
        (b"", b"<0000> <00FF>", b""),
        (b"", b"<00> <FFFF>", b""),
        (b"", b"<000000> <FFFFFF>", b""),
        (b"", _PAIRS, b"2 begincidrange <0000> <00ff> 0 endcidrange"),
        (b"", _PAIRS, b"1 begincidrange <0000> <01ff> 0 endcidrange"),
        (b"", _PAIRS, b"1 begincidrange <0009> <0001> 0 endcidrange"),
        (b"", _PAIRS, b"1 begincidrange <00> <ff> 0 endcidrange"),
        (b"", _PAIRS, b"1 begincidrange <0000> <00ff> 65400 endcidrange"),
        (b"", _PAIRS, b"1 begincidrange <0000> <00ff> 0.0 endcidrange"),
        (b"", _PAIRS, b"1 begincidrange <0000> <00ff> 0 endcidrange 1 begincidchar <0038> 20 endcidchar"),
        (b"", _PAIRS, b"1 begincidchar <0038> 20 endcidchar 1 begincidchar <0038> 21 endcidchar"),
        (b"", _PAIRS, b"1 beginnotdefrange <0000> <ffff> 9 endnotdefrange"),
        (b"", _PAIRS, b"1 beginbfchar <0038> <0038> endbfchar"),
        (b"", b"<20> <97>", b"1 begincidchar <98> 1 endcidchar"),
        (b"", _PAIRS, b"endcmap 1 begincidchar <0038> 20 endcidchar"),
    ],
)
def test_what_readers_may_read_otherwise_is_refused(head: bytes, space: bytes, codes: bytes) -> None:
    with pytest.raises(OddProgram):
        read_cmap(CMAP % (head, space, codes))


@pytest.mark.parametrize("data", [b"", b"begincmap", b"1 begincodespacerange <00> <ff>", CMAP[:200]])
def test_a_program_that_ends_early_is_refused(data: bytes) -> None:
    with pytest.raises(OddProgram):
        read_cmap(data)
