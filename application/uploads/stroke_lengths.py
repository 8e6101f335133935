"""Strokes and dashes without a length, of which some readers draw the round or square ends and others nothing.

ISO 32000-2, 8.5.3.2 and 8.4.3.6. Such a line or dash gets a length that is not seen, and a line that ends where a dash
begins goes on a little.
"""

import math
from bisect import bisect
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, pairwise

_PATHS = frozenset(b"m l h c v y re S B B*".split())
_OPERATORS = _PATHS | frozenset(b"w J d gs q Q".split())
_ENDS = frozenset(b"m re S B B*".split())
"""Operators that end an open subpath, without closing it."""

_OF_WIDTH, _OF_DISTANCE, _OF_DASHES = 1e-3, 1e-5, 1e-3
"""The length as a part of the width of the line, of its distance from the origin, and of the shortest other dash."""

_NEAR, _OF_SHORTEST, _OF_LENGTH, _OF_CURVE = 0.003, 0.005, 1e-5, 1e-3
"""How near a line ends to a dash: in units, as a part of the shortest dash, and of the length of the line or curve."""

_STEPS = 32
"""The lines by which the length of a curve is measured."""

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class _Dashes:
    """A pattern of dashes: where each begins, and the pattern again, its length, and that of the shortest dash."""

    begins: Sequence[float]
    length: float
    shortest: float
    phase: float


@dataclass(frozen=True, slots=True)
class _Stroke:
    """How lines are drawn. `has_ends`: whether their ends may be round or square."""

    width: float = 1.0
    has_ends: bool = False
    dashes: _Dashes | None = None


@dataclass(slots=True)
class _Line:
    """A subpath so far. `pieces`: where each begins, its operator and operands. `is_new`: whether it is a point."""

    start: Point
    end: Point
    pieces: list[tuple[Point, bytes, list[float]]] = field(default_factory=list)
    is_new: bool = True


class StrokeLengths:
    """Follows a content stream, operator by operator. Takes a line as one unit wide until the stream says more."""

    def __init__(self) -> None:
        self._stroke = _Stroke()
        self._saved: list[_Stroke] = []
        self._line: _Line | None = None

    def plain(self, operator: bytes, operands: bytes) -> bytes | None:
        """Returns what to write instead of an operator with its operands; None if both stay."""
        if operator not in _OPERATORS or b"%" in operands:
            self._line = None
            return None
        if operator in _PATHS:
            return self._path(operator, operands)
        return self._state(operator, operands)

    def _state(self, operator: bytes, operands: bytes) -> bytes | None:
        match operator:
            case b"w":
                self._stroke = replace(self._stroke, width=_numbers(operands)[0])
            case b"J":
                self._stroke = replace(self._stroke, has_ends=_numbers(operands)[0] > 0)
            case b"gs":
                self._stroke = replace(self._stroke, has_ends=True)
            case b"d":
                listed, _, phase = operands.partition(b"[")[2].partition(b"]")
                lengths = _numbers(listed)
                plain = plain_dashes(lengths)
                self._stroke = replace(self._stroke, dashes=_pattern(plain, _numbers(phase)[0]))
                return None if plain == lengths else b" [%b]%b d" % (_written(plain), phase)
            case b"q":
                self._saved.append(self._stroke)
            case b"Q" if self._saved:
                self._stroke = self._saved.pop()
        return None

    def _path(self, operator: bytes, operands: bytes) -> bytes | None:
        """Follows an operator of a path."""
        line, numbers = self._line, _numbers(operands)
        if operator in _ENDS:
            self._line = _Line((numbers[0], numbers[1]), (numbers[0], numbers[1])) if operator == b"m" else None
            added = self._added(line) if line is not None else b""
            return added + operands + operator if added else None
        if line is None or (operator == b"h" and not line.is_new):
            self._line = None
            return None
        if operator == b"h":
            self._line = None
            return self._shortest(line)
        end = (numbers[-2], numbers[-1])
        if operator == b"l":
            far = max(abs(end[0] - line.end[0]), abs(end[1] - line.end[1]))
            if line.is_new and far < self._least(line) / 2:
                line.is_new = False
                return self._shortest(line)
        line.pieces.append((line.end, operator, numbers))
        line.end, line.is_new = end, False
        return None

    def _added(self, line: _Line) -> bytes:
        """Returns what to add to a line that ends where a dash begins."""
        dashes = self._stroke.dashes
        if dashes is None or line.is_new or not self._stroke.has_ends:
            return b""
        length = sum(_length(*piece) for piece in line.pieces)
        is_straight = all(operator == b"l" for _, operator, _ in line.pieces)
        near = max(_NEAR, _OF_SHORTEST * dashes.shortest, (_OF_LENGTH if is_straight else _OF_CURVE) * length)
        place = (length + dashes.phase) % dashes.length
        after = bisect(dashes.begins, place)
        if all(abs(place - begin) >= near for begin in dashes.begins[after - 1 : after + 1]):
            return b""
        return b" %b l " % _written([line.end[0] + 2 * near, line.end[1]])

    def _least(self, line: _Line) -> float:
        return max(self._stroke.width * _OF_WIDTH, abs(line.start[0]) * _OF_DISTANCE)

    def _shortest(self, line: _Line) -> bytes:
        return b" %b l" % _written([line.start[0] + self._least(line), line.start[1]])


def plain_dashes(lengths: Sequence[float]) -> list[float]:
    """Returns the lengths of dashes and gaps with no dash of length 0, unless all are 0."""
    least = min((length for length in lengths if length > 0), default=0) * _OF_DASHES
    is_odd = len(lengths) % 2
    return [length or (least if is_odd or place % 2 == 0 else 0) for place, length in enumerate(lengths)]


def _pattern(lengths: Sequence[float], phase: float) -> _Dashes | None:
    """Returns the pattern of dashes and gaps of these lengths (8.4.3.6); None for solid lines."""
    if not any(lengths):
        return None
    around = [0.0, *accumulate([*lengths] * (1 + len(lengths) % 2))]
    return _Dashes(around[::2], around[-1], min(length for length in lengths if length > 0), phase)


def _length(start: Point, operator: bytes, numbers: Sequence[float]) -> float:
    """Returns the length of the line of `l`, or the curve of `c`, `v` or `y` (8.5.2.2)."""
    pairs = list(zip(numbers[::2], numbers[1::2], strict=True))
    if operator == b"l":
        return math.dist(start, pairs[0])
    controls = {b"c": pairs, b"v": [start, *pairs], b"y": [*pairs, pairs[-1]]}[operator]
    points = [_on_curve([start, *controls], step / _STEPS) for step in range(_STEPS + 1)]
    return sum(math.dist(*ends) for ends in pairwise(points))


def _on_curve(points: Sequence[Point], part: float) -> Point:
    rest = 1 - part
    factors = rest**3, 3 * part * rest**2, 3 * part**2 * rest, part**3
    return (
        sum(factor * x for factor, (x, _) in zip(factors, points, strict=True)),
        sum(factor * y for factor, (_, y) in zip(factors, points, strict=True)),
    )


def _numbers(operands: bytes) -> list[float]:
    return [float(number) for number in operands.replace(b"\0", b" ").split()]


def _written(numbers: Sequence[float]) -> bytes:
    return b" ".join(f"{number:.9f}".rstrip("0").rstrip(".").encode() for number in numbers)
