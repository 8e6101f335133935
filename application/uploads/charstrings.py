"""Charstrings, which draw the glyphs of CFF and Type 1 programs: each reader draws the same outline.

Readers treat operators that they do not know, that lack operands or have too many, or that stand in another order, in
different ways: some leave the glyph out, or replace the whole font. Type 2 charstrings (Adobe technical note 5177) are
those of CFF, and Type 1 charstrings those of Adobe Type 1 Font Format, chapter 6.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import ClassVar

from fontTools.encodings.StandardEncoding import StandardEncoding


class OddProgram(Exception):
    """A font, or its program, that readers may interpret differently."""


@contextmanager
def damaged_is_odd() -> Iterator[None]:
    """Raises `OddProgram` instead of the errors that fontTools raises on a damaged program."""
    try:
        yield
    except OddProgram:
        raise
    except Exception as error:
        raise OddProgram from error


_MAX_DEPTH = 10
_MAX_NUMBER = 32_000
_ESCAPE, _LONG = 12, 255
_CALL, _RETURN, _END, _CALL_SHARED = 10, 11, 14, 29

_DOT_SECTION = 0x0C00
_SHORT, _MASKS, _HINTS = 28, frozenset({19, 20}), frozenset({1, 3, 18, 23})
_MOVES = {21: 2, 22: 1, 4: 1}
_DRAW = {
    5: (2, 2, {0}),
    6: (1, 1, {0}),
    7: (1, 1, {0}),
    8: (6, 6, {0}),
    24: (8, 6, {2}),
    25: (8, 2, {0}),
    26: (4, 4, {0, 1}),
    27: (4, 4, {0, 1}),
    30: (4, 4, {0, 1}),
    31: (4, 4, {0, 1}),
    0x0C22: (7, 8, {7}),
    0x0C23: (13, 14, {13}),
    0x0C24: (9, 10, {9}),
    0x0C25: (11, 12, {11}),
}
"""Type 2: the least number of operands, and the remainders of it when divided by the second number."""

_WIDTH_AND_HEIGHT = 0x0C07
_WIDTHS_1 = {13: 2, _WIDTH_AND_HEIGHT: 4}
_HINTS_1 = {1: 2, 3: 2, _DOT_SECTION: 0, 0x0C01: 6, 0x0C02: 6}
_MOVES_1 = {21: (0, 1), 22: (0,), 4: (1,)}
_DRAW_1 = {5: (0, 1), 6: (0,), 7: (1,), 8: (0, 1, 0, 1, 0, 1), 30: (1, 0, 1, 0), 31: (0, 0, 1, 1)}
"""Type 1: operators of a point, with the axes, 0 or 1, along which their operands move it."""

_CLOSE, _ACCENTED, _DIV, _CALL_OTHER, _POP, _SET_POINT = 9, 0x0C06, 0x0C0C, 0x0C10, 0x0C11, 0x0C21
_FLEX_POINTS = 7


class _Run(ABC):
    """Follows one charstring."""

    most_operands: ClassVar[int]
    has_short_numbers: ClassVar[bool]

    def __init__(self) -> None:
        self._stack: list[float] = []
        self._parts: tuple[float, ...] = ()

    def parts(self, charstring: bytes) -> list[str]:
        """Returns the names of the two glyphs that it consists of, most often none. Raises `OddProgram`."""
        try:
            require(self._follow(charstring, 0))
        except (IndexError, ZeroDivisionError):
            raise OddProgram from None
        require(all(code in range(256) for code in self._parts))
        names = [StandardEncoding[int(code)] for code in self._parts]
        require(".notdef" not in names)
        return names

    def _follow(self, code: bytes, depth: int) -> bool:
        """Returns whether the glyph has ended, else a subroutine has returned."""
        require(depth <= _MAX_DEPTH)
        stack, at, has_ended = self._stack, 0, False
        while not has_ended:
            byte = code[at]
            at += 1
            if byte >= 32:
                value, at = self._number(code, byte, at)
                stack.append(value)
                require(len(stack) <= self.most_operands)
            elif byte == _SHORT and self.has_short_numbers:
                require(at + 2 <= len(code))
                stack.append(int.from_bytes(code[at : at + 2], "big", signed=True))
                at += 2
            elif byte == _RETURN and depth:
                break
            elif byte in {_CALL, _CALL_SHARED}:
                has_ended = self._call(byte, depth)
            else:
                if byte == _ESCAPE:
                    byte = _ESCAPE << 8 | code[at]
                    at += 1
                at += self._do(byte)
                has_ended = byte in {_END, _ACCENTED}
        require(at == len(code))
        return has_ended

    def _number(self, code: bytes, byte: int, at: int) -> tuple[float, int]:
        """Returns the number that begins with `byte`, and where it ends."""
        if byte <= 246:
            return byte - 139, at
        if byte == _LONG:
            require(at + 4 <= len(code))
            return self._long(int.from_bytes(code[at : at + 4], "big", signed=True)), at + 4
        if byte <= 250:
            return (byte - 247) * 256 + code[at] + 108, at + 1
        return (251 - byte) * 256 - code[at] - 108, at + 1

    @abstractmethod
    def _long(self, value: int) -> float: ...

    @abstractmethod
    def _call(self, operator: int, depth: int) -> bool:
        """Follows a subroutine. Returns whether the glyph has ended."""

    @abstractmethod
    def _do(self, operator: int) -> int:
        """Follows an operator. Returns the number of bytes after it that belong to it."""


class Type2Run(_Run):
    """Follows a charstring that may call the subroutines of its font dictionary, and those of all."""

    most_operands = 48
    has_short_numbers = True

    def __init__(self, own: Sequence[bytes], shared: Sequence[bytes]) -> None:
        super().__init__()
        self._own = own
        self._shared = shared
        self._hints = 0
        self._has_width = self._has_moved = self._has_path = self._has_drawn = False

    def _long(self, value: int) -> float:
        return value / 65_536

    def _call(self, operator: int, depth: int) -> bool:
        subroutines = self._own if operator == _CALL else self._shared
        bias = 107 if len(subroutines) < 1_240 else 1_131 if len(subroutines) < 33_900 else 32_768
        return self._follow(subroutines[_index(self._stack.pop() + bias)], depth + 1)

    def _do(self, operator: int) -> int:
        count, length = len(self._stack), 0
        if operator in _HINTS or operator in _MASKS:
            require(operator in _MASKS or count > 1)
            require(not self._has_moved or not count)
            self._take_width(is_there=count % 2 == 1)
            self._hints += count // 2
            length = -(-self._hints // 8) if operator in _MASKS else 0
        elif operator in _MOVES:
            self._has_moved, self._has_path, self._has_drawn = True, True, False
            self._take_width(is_there=count != _MOVES[operator])
            require(count - _MOVES[operator] in {0, 1})
        elif operator == _DOT_SECTION:
            require(not count)
            self._has_path = self._has_path and not self._has_drawn  # some readers begin another path
        elif operator == _END:
            self._take_width(is_there=count % 2 == 1)
            require(count in {0, 1, 4, 5})
            self._parts = tuple(self._stack[-2:]) if count > 1 else ()
        else:
            least, divisor, remainders = _DRAW.get(operator, (self.most_operands + 1, 1, ()))
            require(self._has_path and count >= least and count % divisor in remainders)
            self._has_drawn = True
        self._stack.clear()
        return length

    def _take_width(self, *, is_there: bool) -> None:
        """Takes another operand of the first operator as the width of the glyph."""
        require(not is_there or not self._has_width)
        self._has_width = True


class Type1Run(_Run):
    """Follows a charstring that may call `subroutines`.

    `_results`: what a procedure of `OtherSubrs` left for `pop`. `_flex`: the points of a curve that is drawn as flex.
    """

    most_operands = 24
    has_short_numbers = False

    def __init__(self, subroutines: Sequence[bytes]) -> None:
        super().__init__()
        self._subroutines = subroutines
        self._results: list[float] = []
        self._point = [0.0, 0.0]
        self._has_width = self._has_path = self._has_moved = self._may_set_point = self._replaces_hints = False
        self._flex: int | None = None
        self._is_in_hints = 0

    def _long(self, value: int) -> float:
        return value

    def _call(self, operator: int, depth: int) -> bool:
        require(operator == _CALL and not self._results)
        subroutine = self._subroutines[_index(self._stack.pop())]
        replaces, self._replaces_hints = self._replaces_hints, False
        self._is_in_hints += replaces
        has_ended = self._follow(subroutine, depth + 1)
        self._is_in_hints -= replaces
        return has_ended

    def _do(self, operator: int) -> int:
        stack = self._stack
        if operator == _DIV:
            divisor = stack.pop()
            stack.append(stack.pop() / divisor)
        elif operator == _CALL_OTHER:
            which, count = stack.pop(), _index(stack.pop())
            given = [stack.pop() for _ in range(count)]
            self._call_other(which, given)
        elif operator == _POP:
            stack.append(self._results.pop())
        else:
            require(not self._results and all(abs(value) <= _MAX_NUMBER for value in stack))
            self._apply(operator)
            stack.clear()
        return 0

    def _call_other(self, which: float, given: list[float]) -> None:
        require(not self._results)
        count = len(given)
        if which == 1 and count == 0:
            require(self._has_path and self._flex is None)
            self._flex, self._has_moved = 0, False
        elif which == 2 and count == 0 and self._flex is not None:
            require(self._has_moved)
            self._flex, self._has_moved = self._flex + 1, False
        elif which == 0 and count == 3:
            require(self._flex == _FLEX_POINTS and not self._has_moved)
            require([given[1], given[0]] == [round(value) for value in self._point])
            self._results, self._flex, self._may_set_point = [given[0], given[1]], None, True
        elif which == 3 and count == 1:
            require(len(self._subroutines) > 3 and self._subroutines[3] == bytes([_RETURN]))
            self._results, self._replaces_hints = given, True
        else:
            raise OddProgram

    def _apply(self, operator: int) -> None:
        operands, may_set_point = self._stack, self._may_set_point
        self._may_set_point = False
        if operator in _WIDTHS_1:
            require(not self._has_width and len(operands) == _WIDTHS_1[operator])
            self._has_width = True
            self._point = [operands[0], operands[1] if operator == _WIDTH_AND_HEIGHT else 0]
            return
        require(self._has_width)
        if operator in _HINTS_1:
            require(len(operands) == _HINTS_1[operator])
            return
        require(not self._is_in_hints)
        if operator in _MOVES_1:
            require(not (self._has_moved and self._flex is not None))
            self._has_moved = self._has_path = True
            self._move(_MOVES_1[operator])
        elif operator in _DRAW_1:
            require(self._has_path and self._flex is None)
            self._move(_DRAW_1[operator])
        elif operator == _SET_POINT:
            require(may_set_point and len(operands) == 2)
        elif operator == _CLOSE:
            require(self._has_path and self._flex is None and not operands)
            self._has_path = False
        elif operator == _ACCENTED:
            require(not self._has_path and len(operands) == 5)
            self._parts = tuple(operands[-2:])
        else:
            require(operator == _END and self._flex is None and not operands)

    def _move(self, axes: Sequence[int]) -> None:
        require(len(self._stack) == len(axes))
        for axis, length in zip(axes, self._stack, strict=True):
            self._point[axis] += length


def check_accented(parts: Mapping[str, Sequence[str]]) -> None:
    """Checks that glyphs consist of glyphs that are there, and that consist of none."""
    require(all(part in parts and not parts[part] for names in parts.values() for part in names))


def require(holds: bool) -> None:
    if not holds:
        raise OddProgram


def _index(value: float) -> int:
    require(value >= 0 and value == int(value))
    return int(value)
