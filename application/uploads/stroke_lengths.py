"""Strokes and dashes without a length, of which some readers draw the round or square ends and others nothing.

ISO 32000-2, 8.5.3.2 and 8.4.3.6. Such a line or dash gets a length that is not seen.
"""

from collections.abc import Sequence

_PATHS = frozenset(b"m l h".split())
_OPERATORS = _PATHS | frozenset(b"w d q Q".split())
_OF_WIDTH, _OF_DISTANCE, _OF_DASHES = 1e-3, 1e-5, 1e-3
"""The length as a part of the width of the line, of its distance from the origin, and of the shortest other dash."""


class StrokeLengths:
    """Follows a content stream, operator by operator. Takes a line as one unit wide until the stream says more."""

    def __init__(self) -> None:
        self._width = 1.0
        self._saved: list[float] = []
        self._start: list[float] = []

    def plain(self, operator: bytes, operands: bytes) -> bytes | None:
        """Returns what to write instead of an operator with its operands; None if both stay."""
        start, self._start = self._start, []
        if operator not in _OPERATORS or b"%" in operands:
            return None
        if operator == b"d":
            return _dashes(operands)
        if operator in _PATHS:
            return self._path(operator, _numbers(operands), start)
        if operator == b"q":
            self._saved.append(self._width)
        elif operator == b"w":
            self._width = _numbers(operands)[0]
        elif self._saved:
            self._width = self._saved.pop()
        return None

    def _path(self, operator: bytes, numbers: list[float], start: list[float]) -> bytes | None:
        """Follows an operator of a path. `start`: where the path has begun just before."""
        match operator:
            case b"m":
                self._start = numbers
            case b"h" if start:
                return self._line(start)
            case b"l" if start:
                far = max(abs(numbers[0] - start[0]), abs(numbers[1] - start[1]))
                return self._line(start) if far < self._least(start[0]) / 2 else None
        return None

    def _least(self, distance: float) -> float:
        return max(self._width * _OF_WIDTH, abs(distance) * _OF_DISTANCE)

    def _line(self, start: list[float]) -> bytes:
        return b" %b l" % _written([start[0] + self._least(start[0]), start[1]])


def _dashes(operands: bytes) -> bytes | None:
    listed, _, phase = operands.partition(b"[")[2].partition(b"]")
    lengths = _numbers(listed)
    plain = plain_dashes(lengths)
    return None if plain == lengths else b" [%b]%b d" % (_written(plain), phase)


def plain_dashes(lengths: Sequence[float]) -> list[float]:
    """Returns the lengths of dashes and gaps with no dash of length 0, unless all are 0."""
    least = min((length for length in lengths if length > 0), default=0) * _OF_DASHES
    is_odd = len(lengths) % 2
    return [length or (least if is_odd or place % 2 == 0 else 0) for place, length in enumerate(lengths)]


def _numbers(operands: bytes) -> list[float]:
    return [float(number) for number in operands.replace(b"\0", b" ").split()]


def _written(numbers: Sequence[float]) -> bytes:
    return b" ".join(f"{number:.9f}".rstrip("0").rstrip(".").encode() for number in numbers)
