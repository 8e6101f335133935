"""The bounds of a glyph hold all that it draws."""

import pikepdf
import pytest

from application.uploads.glyph_bounds import Box, bounds_of, united


@pytest.mark.parametrize(
    ("content", "box"),
    [
        (b"500 0 d0 0 0 500 700 re f", (0, 0, 500, 700)),
        (b"500 0 d0 q 2 0 0 3 10 20 cm 0 0 50 70 re f Q", (10, 20, 110, 230)),
        (b"500 0 d0 q 2 0 0 2 0 0 cm Q 9 9 m 5 7 l 1 2 3 4 5 6 c f", (1, 2, 9, 9)),
        (b"500 0 d0 10 w 100 100 m 400 600 l S", (50, 50, 450, 650)),
        (b"500 0 d0 q 500 0 0 700 0 -10 cm BI /W 1 /H 1 /CS /G /BPC 8 ID a EI Q", (0, -10, 500, 690)),
        (b"500 0 d0 q 0 8 -8 0 0 0 cm /Picture Do Q", (-8, 0, 0, 8)),
        (b"500 0 d0 0 0 9 9 re n", (0, 0, 0, 0)),
        (b"500 0 d0", (0, 0, 0, 0)),
        (b"500 0 d0 /Form Do", None),
        (b"500 0 d0 BT /F 9 Tf (4) Tj ET", None),
        (b"500 0 d0 /Shading sh", None),
    ],
)
def test_bounds(content: bytes, box: Box | None) -> None:
    with pikepdf.new() as pdf:
        assert bounds_of(pikepdf.Stream(pdf, content), {"/Picture"}) == box


def test_boxes_are_united() -> None:
    assert united([(0, 5, 9, 9), (-1, 6, 3, 20)]) == (-1, 5, 9, 20)
    assert united([]) is None
