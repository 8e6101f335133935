"""The bounds of what a glyph of a Type 3 font draws, in units of its glyph space (ISO 32000-2, 9.6.4)."""

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, field

import pikepdf
from pikepdf import Matrix, Object, Stream

Box = tuple[float, float, float, float]
"""Left, bottom, right and top."""

_PICTURE = ((0, 0), (1, 0), (0, 1), (1, 1))
_MITRE = 10.0
"""The length of a corner of a line, as a multiple of its width, unless the glyph says less (8.4.3.5)."""

_UNKNOWN = frozenset({"Tj", "TJ", "'", '"', "sh", "gs", "M"})
"""Operators after which a glyph draws what its path does not show."""


def united(boxes: Iterable[Box]) -> Box | None:
    """Returns the box around all `boxes`; None if there are none."""
    listed = list(boxes)
    if not listed:
        return None
    left, bottom, right, top = zip(*listed, strict=True)
    return min(left), min(bottom), max(right), max(top)


@dataclass
class _Drawing:
    matrix: Matrix = field(default_factory=Matrix)
    width: float = 1.0
    saved: list[tuple[Matrix, float]] = field(default_factory=list)
    path: list[tuple[float, float]] = field(default_factory=list)
    boxes: list[Box] = field(default_factory=list)

    def add(self, points: Iterable[tuple[float, float]], margin: float = 0) -> None:
        matrix = self.matrix
        moved = [matrix.transform(point) for point in points]
        wide = margin * max(abs(matrix.a) + abs(matrix.c), abs(matrix.b) + abs(matrix.d))
        if moved:
            across, along = [x for x, _ in moved], [y for _, y in moved]
            self.boxes.append((min(across) - wide, min(along) - wide, max(across) + wide, max(along) + wide))

    def follow(self, operator: str, numbers: Sequence[float]) -> None:
        match operator:
            case "cm":
                self.matrix = Matrix(*numbers) @ self.matrix
            case "q":
                self.saved.append((self.matrix, self.width))
            case "Q" if self.saved:
                self.matrix, self.width = self.saved.pop()
            case "w":
                self.width = numbers[0]
            case "re":
                x, y, width, height = numbers
                self.path += [(x, y), (x + width, y), (x, y + height), (x + width, y + height)]
            case "m" | "l" | "c" | "v" | "y":
                self.path += zip(numbers[::2], numbers[1::2], strict=True)
            case "f" | "F" | "f*":
                self._paint(0)
            case "S" | "s" | "B" | "B*" | "b" | "b*":
                self._paint(self.width / 2 * _MITRE)
            case "n":
                self.path = []

    def _paint(self, margin: float) -> None:
        self.add(self.path, margin)
        self.path = []


def bounds_of(glyph: Stream, images: Set[str]) -> Box | None:
    """Returns a box around all that a glyph draws, clipped or not; None if that cannot be told.

    `images`: the names of the XObjects that are images. A glyph that draws nothing has an empty box.
    """
    drawing = _Drawing()
    for instruction in pikepdf.parse_content_stream(glyph):
        operator = str(instruction.operator)
        if operator in _UNKNOWN:
            return None
        if isinstance(instruction, pikepdf.ContentStreamInlineImage):
            drawing.add(_PICTURE)
        elif operator == "Do":
            if str(instruction.operands[0]) not in images:
                return None
            drawing.add(_PICTURE)
        elif operator not in {"d0", "d1"}:
            drawing.follow(operator, [float(one) for one in instruction.operands if not isinstance(one, Object)])
    return united(drawing.boxes) or (0, 0, 0, 0)
