"""Strokes and dashes without a length, of which some readers draw the round or square ends and others nothing.

ISO 32000-2, 8.5.3.2 and 8.4.3.6. Such a line or dash gets a length that is not seen.
"""

from collections.abc import Sequence

_OPERATORS = frozenset(b"w m l d q Q".split())
_OF_WIDTH, _OF_DISTANCE, _OF_DASHES = 1e-3, 1e-5, 1e-3
"""The length as a part of the width of the line, of its distance from the origin, and of the shortest other dash."""


class StrokeLengths:
    """Follows a content stream, operator by operator. Takes a line as one unit wide until the stream says more."""

    def __init__(self) -> None:
        self._width = 1.0
        self._saved: list[float] = []
        self._start: list[float] = []

    def operands(self, operator: bytes, operands: bytes) -> bytes:
        """Returns the operands of an operator with a length that all readers draw, most often as they are."""
        start, self._start = self._start, []
        if operator not in _OPERATORS or b"%" in operands:
            return operands
        match operator:
            case b"q":
                self._saved.append(self._width)
            case b"Q" if self._saved:
                self._width = self._saved.pop()
            case b"w":
                self._width = _numbers(operands)[0]
            case b"m":
                self._start = _numbers(operands)
            case b"l" if start:
                return self._line(start, operands)
            case b"d":
                return _dashes(operands)
        return operands

    def _line(self, start: list[float], operands: bytes) -> bytes:
        x, y = _numbers(operands)
        least = max(self._width * _OF_WIDTH, abs(start[0]) * _OF_DISTANCE)
        if max(abs(x - start[0]), abs(y - start[1])) >= least / 2:
            return operands
        return b" %b " % _written([start[0] + least, start[1]])


def _dashes(operands: bytes) -> bytes:
    listed, _, phase = operands.partition(b"[")[2].partition(b"]")
    lengths = _numbers(listed)
    plain = plain_dashes(lengths)
    return operands if plain == lengths else b" [%b]%b " % (_written(plain), phase)


def plain_dashes(lengths: Sequence[float]) -> list[float]:
    """Returns the lengths of dashes and gaps with no dash of length 0, unless all are 0."""
    least = min((length for length in lengths if length > 0), default=0) * _OF_DASHES
    is_odd = len(lengths) % 2
    return [length or (least if is_odd or place % 2 == 0 else 0) for place, length in enumerate(lengths)]


def _numbers(operands: bytes) -> list[float]:
    return [float(number) for number in operands.replace(b"\0", b" ").split()]


def _written(numbers: Sequence[float]) -> bytes:
    return b" ".join(f"{number:.9f}".rstrip("0").rstrip(".").encode() for number in numbers)
