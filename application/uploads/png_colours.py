"""Colour profiles of PNGs that state a gamma and primaries instead of a profile (PNG specification, gAMA and cHRM)."""

import struct
from collections.abc import Mapping, Sequence
from typing import Any

Matrix = Sequence[Sequence[float]]
"""Three rows of three numbers."""

_SRGB = (0.3127, 0.329, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06)
"""White, red, green and blue of sRGB as x and y (CIE 1931)."""

_LIKE_SRGB = range(44_000, 47_000)
"""Gammas, in 100,000ths, that stand for the curve of sRGB; nearly all files have 45,455."""

_TOLERANCE = 0.01
_D50 = (0.9642, 1.0, 0.8249)
"""The white of profiles (ICC.1, 7.2.16)."""

_BRADFORD: Matrix = ((0.8951, 0.2664, -0.1614), (-0.7502, 1.7135, 0.0367), (0.0389, -0.0685, 1.0296))


def profile_of(facts: Mapping[Any, object]) -> bytes | None:
    """Returns an ICC profile of the gamma and the primaries in `facts` of a PNG, as Pillow reads them.

    Returns None if the colours are those of sRGB, or if `facts` state none.
    """
    gamma, primaries = facts.get("gamma"), facts.get("chromaticity", _SRGB)
    if "srgb" in facts or not isinstance(gamma, float) or not isinstance(primaries, tuple) or len(primaries) != 8:
        return None
    is_usual = all(abs(one - other) < _TOLERANCE for one, other in zip(primaries, _SRGB, strict=True))
    if not 0.01 < gamma < 10 or (is_usual and round(gamma * 100_000) in _LIKE_SRGB):
        return None
    try:
        return _written(1 / gamma, _columns(primaries))
    except (ZeroDivisionError, struct.error):
        return None


def _columns(primaries: Sequence[float]) -> list[list[float]]:
    """Returns the colours of red, green and blue as XYZ, adapted to the white of profiles."""
    white, *colours = (_xyz(primaries[at], primaries[at + 1]) for at in range(0, 8, 2))
    shares = _times(_inverse(list(zip(*colours, strict=True))), white)
    responses = [_times(_BRADFORD, one) for one in (white, _D50)]
    scale = [new / old for old, new in zip(*responses, strict=True)]
    adapted = []
    for colour, share in zip(colours, shares, strict=True):
        response = _times(_BRADFORD, [share * part for part in colour])
        scaled = [one * other for one, other in zip(response, scale, strict=True)]
        adapted.append(_times(_inverse(_BRADFORD), scaled))
    return adapted


def _xyz(x: float, y: float) -> list[float]:
    return [x / y, 1.0, (1 - x - y) / y]


def _times(matrix: Matrix, vector: Sequence[float]) -> list[float]:
    return [sum(one * other for one, other in zip(row, vector, strict=True)) for row in matrix]


def _inverse(matrix: Matrix) -> Matrix:
    (a, b, c), (d, e, f), (g, h, i) = matrix
    determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    adjugate = (
        (e * i - f * h, c * h - b * i, b * f - c * e),
        (f * g - d * i, a * i - c * g, c * d - a * f),
        (d * h - e * g, b * g - a * h, a * e - b * d),
    )
    return [[part / determinant for part in row] for row in adjugate]


def _written(exponent: float, columns: Sequence[Sequence[float]]) -> bytes:
    """Returns a display profile of three primaries and one curve (ICC.1, 7 and 8.3)."""
    curve = b"curv" + struct.pack(">IIH", 0, 1, round(exponent * 256))
    text = b"PNG\0"
    tags = [
        (b"desc", b"desc" + struct.pack(">II", 0, len(text)) + text + bytes(78)),
        (b"wtpt", _place(_D50)),
        *((name, _place(column)) for name, column in zip((b"rXYZ", b"gXYZ", b"bXYZ"), columns, strict=True)),
        *((name, curve) for name in (b"rTRC", b"gTRC", b"bTRC")),
    ]
    at, table, body = 128 + 4 + 12 * len(tags), struct.pack(">I", len(tags)), b""
    for name, content in tags:
        table += name + struct.pack(">II", at + len(body), len(content))
        body += content + bytes(-len(content) % 4)
    head = struct.pack(">I4xI4s4s4s", at + len(body), 0x02100000, b"mntr", b"RGB ", b"XYZ ")
    head += bytes(12) + b"acsp" + bytes(28) + _place(_D50)[8:] + bytes(48)
    return head + table + body


def _place(colour: Sequence[float]) -> bytes:
    return b"XYZ " + struct.pack(">I3i", 0, *(round(part * 65_536) for part in colour))
